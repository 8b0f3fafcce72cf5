import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { lineTo } from '#tests/faults/real/inject-server.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** This release sends the outbox of every earlier one: an update strands no unsent work. */
const folder = new URL('./outboxes/', import.meta.url).pathname;

describe('an outbox recorded by release', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());

  it.each(readdirSync(folder))('%s is received whole', async (file) => {
    const device = new RealDevice(lineTo(server.app));
    const person = await device.signIn('sunita.patel@willowbrook.test');
    const db = await device.open(person);
    const content = demoId('content:fire-safety');
    const document = await device.document(content);
    const attempt = await attemptIdOf(person.uuid, content, 1);
    const quiz = document.quizzes[0];
    const text = readFileSync(`${folder}${file}`, 'utf8')
      .replaceAll('"ACTOR"', `"${person.uuid}"`)
      .replaceAll('LANE', `attempt:${attempt}`)
      .replaceAll('CONTENT', content)
      .replaceAll('TOPIC', document.lessons[0]?.topics[0]?.id as string)
      .replaceAll('COLLEAGUE', demoId('user:learner@willowbrook.test'))
      .replaceAll('QUIZ', quiz?.id as string)
      .replaceAll('QUESTION', quiz?.questions[0]?.id as string);
    const { entries } = JSON.parse(text) as { entries: { id: string; command: string }[] };
    await db.outbox.bulkAdd(entries as never);
    await device.send();
    expect(await db.outbox.toArray()).toEqual([]);
    const known = await server.database.db.all<{ entry_id: string; outcome: string }>(
      sql`select entry_id, outcome from ledger where user_id = ${person.uuid} and entry_id = any(${entries.map((e) => e.id)}::uuid[])`,
    );
    expect(known.map((k) => k.outcome)).toEqual(entries.map(() => 'applied'));
    const topic = await server.database.db.one<{ completed_at: string; seconds: object }>(
      sql`select completed_at, seconds from topic_progress where attempt_id = ${attempt} and state = 'completed'`,
    );
    expect(topic).toEqual({ completed_at: '2026-11-20T08:01:01.000Z', seconds: { ab12cd34: 61 } });
    await device.forget();
  });
});
