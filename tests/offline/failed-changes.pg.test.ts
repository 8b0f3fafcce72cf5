import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailedChange, GivenUp } from '#contract/entities/failed-change.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { sql } from '#server/db/sql.ts';
import { forgetOldAnswers } from '#server/jobs/retention.ts';
import { checkDatabase } from '#server/operator/check-database.ts';
import { openFileStore } from '#server/files/file-store.ts';
import { readConfig } from '#server/config.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/** A database that rejects one value: a fault of the server, whatever a device does. */
describe('changes that the server fails at', () => {
  let server: TestApp;
  let learner: TestClient;
  let me: { uuid: string };
  let attempt: string;
  let topic: string;
  const unfit = 37;
  const day = 86_400_000;
  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    learner = server.client();
    me = await learner.signIn('liam.murphy@willowbrook.test');
    const content = (await db.one<{ id: string; version: number; topic: string }>(
      sql`select c.id, c.current_version as version, v.document -> 'lessons' -> 0 -> 'topics' -> 0 ->> 'id' as topic
        from contents c join content_versions v on v.content_id = c.id and v.version = c.current_version where c.title ilike '%fire%' limit 1`,
    )) as { id: string; version: number; topic: string };
    topic = content.topic;
    attempt = await attemptIdOf(me.uuid, content.id, 1);
    await send(change('attempt.start', { content_id: content.id, content_version: content.version }));
    await db.run(sql`alter table topic_progress add constraint unfit check (percent <> 37)`);
  });
  afterAll(() => server.close());

  const send = (...changes: object[]) => learner.json<{ code?: string; request_id: string }>('PATCH', `/attempts/${attempt}`, { changes });
  const tick = (percent: number) => change('attempt.progress', { topic_id: topic, state: 'started', percent, seconds: { d: 1 } });
  const checkIn = (more: { witnesses?: string[]; given_up?: GivenUp[] }, client = learner) =>
    client.json('POST', '/devices/check-in', {
      report: {
        ...{ device_id: 'ab12cd34', app_version: '1.0.0', waiting: 0, needs_person: 1, oldest_waiting_at: null, storage_used: 1, storage_quota: 100 },
        ...{ persisted: true, clock_behind_ms: 0, locked_by: [], incidents: [] },
      },
      witnesses: [],
      ...more,
    });
  const seenBy = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return (await client.json<{ data: FailedChange[] }>('GET', '/devices/failed-changes')).body.data;
  };
  const findings = async () => {
    const files = await openFileStore(readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder }));
    const { checks, findings: all } = await checkDatabase(server.database.db, files);
    expect(checks).toContain('changes from devices can be accepted');
    return all.filter((f) => f.check === 'changes from devices can be accepted').map((f) => f.problem);
  };

  it('are told once they fail again and again: which and where, not what they say; to nobody else’s organisation', async () => {
    const stuck = tick(unfit);
    const beside = tick(10);
    // Sent together, the failing one blocks all; then each is sent separately, and the others succeed.
    for (let i = 0; i < 3; i++) expect((await send(beside, stuck)).status).toBe(500);
    expect(await seenBy('super@lantern.test')).toMatchObject([{ id: beside.id, times: 3 }]);
    expect((await send(beside)).status).toBe(200);
    for (let i = 0; i < 2; i++) expect((await send(stuck)).status).toBe(500);
    // Two failures may be chance.
    expect(await seenBy('super@lantern.test')).toEqual([]);
    expect(await findings()).toEqual([]);
    const last = await send(stuck);
    const expected = {
      ...{ id: stuck.id, user: { id: me.uuid, name: 'Liam Murphy' }, command: 'attempt.progress', times: 3, given_up_at: null, device_id: null },
      ...{
        request_id: last.body.request_id,
        error: expect.stringMatching(/23514 of topic_progress\.unfit at server\/features\/learning\/.*\.ts:\d+$/),
      },
    };
    expect(await seenBy('super@lantern.test')).toMatchObject([expected]);
    expect(await seenBy('admin@willowbrook.test')).toMatchObject([expected]);
    expect(await seenBy('admin@brightpath.test')).toEqual([]);
    expect((await learner.json('GET', '/devices/failed-changes')).status).toBe(403);
    expect(await findings()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^attempt\\.progress of Liam Murphy \\(Willowbrook House\\) failed 3 times .*23514.*request was ${last.body.request_id}\\..*${stuck.id}`,
        ),
      ),
    ]);

    await checkIn({ given_up: [{ id: stuck.id, command: 'attempt.progress', times: 12, since: '2026-01-01T00:00:00.000Z' }] });
    expect(await seenBy('super@lantern.test')).toMatchObject([
      { ...expected, times: 12, first_at: '2026-01-01T00:00:00.000Z', given_up_at: expect.any(String), device_id: 'ab12cd34' },
    ]);
    expect((await findings())[0]).toContain('Device ab12cd34 has stopped trying.');

    // The server is fixed, and it is accepted at last.
    await server.database.db.run(sql`alter table topic_progress drop constraint unfit`);
    server.clock.now = new Date(server.clock.now.getTime() + 1000);
    expect((await send(stuck)).status).toBe(200);
    expect(await seenBy('super@lantern.test')).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  it('are told by the device alone where the server knows of no failure, until it has been heard that they arrived', async () => {
    const id = randomUUID();
    const gone = { id, command: 'evidence.add', times: 10, since: '2026-01-01T00:00:00.000Z' };
    await checkIn({ given_up: [gone] });
    await checkIn({ given_up: [gone] });
    expect(await seenBy('super@lantern.test')).toMatchObject([{ id, command: 'evidence.add', times: 10, request_id: null, error: null }]);
    expect((await findings())[0]).toContain('the server has no record of the failure');
    // Nobody else takes it away.
    const other = server.client();
    await other.signIn('learner@willowbrook.test');
    expect((await checkIn({ witnesses: [id] }, other)).status).toBe(200);
    expect(await seenBy('super@lantern.test')).toHaveLength(1);
    await checkIn({ witnesses: [id] });
    expect(await seenBy('super@lantern.test')).toEqual([]);
  });

  it('are forgotten 90 days after they failed last', async () => {
    await checkIn({ given_up: [{ id: randomUUID(), command: 'message.send', times: 10, since: '2026-01-01T00:00:00.000Z' }] });
    const inDays = (days: number) => new Date(server.clock.now.getTime() + days * day);
    expect((await forgetOldAnswers(server.database.db, inDays(89))).failedChanges).toBe(0);
    expect((await forgetOldAnswers(server.database.db, inDays(91))).failedChanges).toBeGreaterThan(0);
    expect(await seenBy('super@lantern.test')).toEqual([]);
  });
});
