import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { launch } from '#tests/bench/chromium.ts';
import { withApp } from '#tests/bench/in-page.ts';
import type { App } from '#tests/bench/page/page.ts';
import { report } from '#tests/bench/report.ts';
import { RealServer } from '#tests/support/real-server.ts';

const attempts = 20;
const changes = 200;

/** 200 queued changes over 20 attempts at 100 ms round trip, against sending them one after another. Target: ≤ 0.05. */
export const run = async () => {
  const server = await RealServer.create();
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: undefined });
  const source = demoId('content:fire-safety');
  for (let i = 0; i < attempts; i++) {
    const id = demoId(`bench:${i}`);
    await database.db.run(
      sql`insert into contents (id, course_id, type, title) select ${id}, course_id, type, title from contents where id = ${source}`,
    );
    await database.db.run(
      sql`insert into content_versions (content_id, version, document, answer_keys) select ${id}, 1, jsonb_set(document, '{id}', to_jsonb(${id}::text)), answer_keys from content_versions where content_id = ${source}`,
    );
  }
  await database.close();
  await server.start();
  const browser = await launch();
  const page = await withApp(await browser.newContext({ serviceWorkers: 'block' }), server.url);
  const contents = Array.from({ length: attempts }, (_, i) => demoId(`bench:${i}`));
  const queue = async (email: string) =>
    page.evaluate(
      async ({ email, password, contents, changes }) => {
        const { request, startAttempt, recordProgress, personDb } = (window as unknown as { app: App }).app;
        const me = await request<{ uuid: string }>('POST', '/login', { body: { email, password } });
        if (me.kind !== 'ok') throw new Error('no session');
        const db = personDb(me.data.uuid);
        for (const id of contents) {
          const document = await request<never>('GET', `/content/${id}/document`);
          if (document.kind !== 'ok') throw new Error('no content');
          const attempt = await startAttempt(db, me.data, document.data);
          const topics = (document.data as { lessons: { topics: { id: string; title: string }[] }[] }).lessons.flatMap((l) => l.topics);
          for (let i = 0; i < changes / contents.length - 1; i++) {
            const topic = topics[i % topics.length] as { id: string; title: string };
            await recordProgress(
              db,
              { id: attempt, user_id: me.data.uuid, rev: 1 },
              { ...topic, id: i < topics.length ? topic.id : crypto.randomUUID() },
              'completed',
              100,
              1,
            );
          }
        }
        return { person: me.data.uuid, count: await db.outbox.count() };
      },
      { email, password: demoPassword, contents, changes },
    );
  const cdp = await page.context().newCDPSession(page);
  const slow = (latency: number) =>
    cdp.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
  await cdp.send('Network.enable');

  const first = await queue('grace.adeyemi@willowbrook.test');
  await slow(100);
  const ours = await page.evaluate(async (person) => {
    const { replayFor, personDb } = (window as unknown as { app: App }).app;
    const started = performance.now();
    await replayFor(person, () => undefined).run();
    return { ms: performance.now() - started, left: await personDb(person).outbox.count() };
  }, first.person);
  await slow(0);
  const second = await queue('sunita.patel@willowbrook.test');
  await slow(100);
  const single = await page.evaluate(async (person) => {
    const { request, personDb } = (window as unknown as { app: App }).app;
    const entries = await personDb(person).outbox.orderBy('n').toArray();
    const started = performance.now();
    for (const { id, lane, command, version, at, args } of entries) {
      const sent = await request('PATCH', `/attempts/${lane.slice(8)}`, { body: { changes: [{ id, command, version, at, args }] } });
      if (sent.kind !== 'ok') throw new Error(`answered ${JSON.stringify(sent)}`);
    }
    return performance.now() - started;
  }, second.person);
  if (ours.left !== 0) throw new Error(`${ours.left} changes were left`);
  report(`replay of ${first.count} changes, one after another`, single, 'ms', 1, 'floor');
  report(`replay of ${first.count} changes`, ours.ms, 'ms', ours.ms / single, 'one after another, target 0.05');
  await browser.close();
  await server.close();
};
