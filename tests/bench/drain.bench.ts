import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { launch } from '#tests/bench/chromium.ts';
import { withApp } from '#tests/bench/in-page.ts';
import type { App } from '#tests/bench/page/page.ts';
import { quantile, report } from '#tests/bench/report.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';

const attempts = 40;
const changes = 1000;
const roundTripMs = 100;
const people = ['grace.adeyemi', 'sunita.patel', 'liam.murphy', 'aisha.khan', 'gareth.pugh', 'learner', 'trainer'];

/**
 * Draining a long queue on PostgreSQL with fsync on: 1,000 changes of 40 attempts at 100 ms round trip, in round trips
 * (targets: 3 over HTTP/2, 10 over HTTP/1.1) and against one change a request, with the longest task on the main thread
 * meanwhile (target: 50 ms); the same on a line of 750 kbit/s against what the line needs for the bytes (target: 1.3); and
 * 50 entries after reconnecting at 300 ms with one request in a hundred lost (target: p95 15 s).
 */
type Line = { latency: number; bytesPerSecond: number; lossy: boolean; wanted: number };
const long: Line = { latency: roundTripMs, bytesPerSecond: -1, lossy: false, wanted: changes };
const thinBytesPerSecond = 750_000 / 8;
/** So many are sent one after another; the rest would take as long. */
const oneByOne = 50;

export const run = async () => {
  const postgres = await startPostgres();
  const certificates = mkdtempSync(join(tmpdir(), 'lantern-tls-'));
  const [cert, key] = [join(certificates, 'cert.pem'), join(certificates, 'key.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'], {
    stdio: 'ignore',
  });
  const setUp = await openDatabase({ DATA_DIR: certificates, DATABASE_URL: postgres.url });
  await migrate(setUp.pool);
  await fillWithDemoData(setUp.db, createFileStore(`${certificates}/files`), new Date());
  const source = demoId('content:fire-safety');
  for (let i = 0; i < attempts; i++) {
    const id = demoId(`bench:${i}`);
    await setUp.db.run(
      sql`insert into contents (id, course_id, type, title, entity_id) select ${id}, course_id, type, title, entity_id from contents where id = ${source}`,
    );
    await setUp.db.run(
      sql`insert into content_versions (content_id, version, document, answer_keys) select ${id}, 1, jsonb_set(document, '{id}', to_jsonb(${id}::text)), answer_keys from content_versions where content_id = ${source}`,
    );
  }
  await setUp.close();

  const drained = async (env: Record<string, string>, { latency, bytesPerSecond, lossy, wanted }: Line, person: string, single = false) => {
    const server = await RealServer.create({ DATABASE_URL: postgres.url, NODE_ENV: 'production', ...env });
    const browser = await launch();
    const context = await browser.newContext({ serviceWorkers: 'block', ignoreHTTPSErrors: true });
    const page = await withApp(context, server.url);
    if (lossy) await context.route('**/api/attempts/*', (route) => (Math.random() < 0.01 ? route.abort() : route.continue()));
    let bytes = 0;
    page.on('request', (sent) => {
      bytes += sent.postDataBuffer()?.length ?? 0;
    });
    const cdp = await context.newCDPSession(page);
    cdp.on('Network.loadingFinished', (received) => {
      bytes += received.encodedDataLength;
    });
    await cdp.send('Network.enable');
    const prepared = await page.evaluate(
      async ({ email, password, contents, wanted }) => {
        const { request, startAttempt, recordProgress, personDb, openStore } = (window as unknown as { app: App }).app;
        const me = await request<{ uuid: string }>('POST', '/login', { body: { email, password } });
        if (me.kind !== 'ok') throw new Error('no session');
        const db = personDb(me.data.uuid);
        await openStore(db);
        for (const id of contents) {
          const document = await request<never>('GET', `/content/${id}/document`);
          if (document.kind !== 'ok') throw new Error('no content');
          const attempt = await startAttempt(db, me.data, document.data);
          for (let i = 0; i < wanted / contents.length - 1; i++)
            await recordProgress(db, { id: attempt, user_id: me.data.uuid, rev: 1 }, { id: crypto.randomUUID(), title: 'Page' }, 'completed', 100, 1);
        }
        return { person: me.data.uuid, count: await db.outbox.count() };
      },
      {
        email: `${person}@willowbrook.test`,
        password: demoPassword,
        contents: Array.from({ length: wanted === changes ? attempts : 5 }, (_, i) => demoId(`bench:${i}`)),
        wanted,
      },
    );
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    bytes = 0;
    const result = await page.evaluate(
      async ({ person, single }) => {
        const { request, replayFor, personDb } = (window as unknown as { app: App }).app;
        let longest = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration);
        }).observe({ type: 'longtask' });
        performance.setResourceTimingBufferSize(2000);
        performance.clearResourceTimings();
        if (single > 0) {
          const entries = (await personDb(person).outbox.orderBy('n').toArray()).slice(0, single);
          const from = performance.now();
          for (const { id, lane, command, version, at, args } of entries) {
            const sent = await request('PATCH', `/attempts/${lane.slice(8)}`, { body: { changes: [{ id, command, version, at, args }] } });
            if (sent.kind !== 'ok') throw new Error(`answered ${JSON.stringify(sent)}`);
          }
          return { ms: performance.now() - from, longest: 0, depth: entries.length, calls: entries.length };
        }
        const started = performance.now();
        const replay = replayFor(person, () => undefined);
        do await replay.wake();
        while ((await personDb(person).outbox.count()) > 0);
        // Round trips: the longest chain of calls of which each began after the one before had been answered.
        const calls = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .filter((e) => e.name.includes('/api/') && e.responseEnd > 0)
          .map((e) => ({ from: e.requestStart || e.fetchStart, to: e.responseEnd, depth: 1, sent: 0 }))
          .sort((a, b) => a.from - b.from);
        for (const call of calls) for (const before of calls) if (before.to <= call.from) call.depth = Math.max(call.depth, before.depth + 1);
        return { ms: performance.now() - started, longest, depth: Math.max(...calls.map((c) => c.depth)), calls: calls.length };
      },
      { person: prepared.person, single: single ? oneByOne : 0 },
    );
    await browser.close();
    await server.close();
    return { ...result, bytes, count: prepared.count };
  };
  const baseline = await drained({}, long, people[0] as string, true);
  const single = (baseline.ms / oneByOne) * changes;
  report(`${changes} changes of ${attempts} attempts, one a request`, single, 'ms', 1, `floor, from ${oneByOne} of them`);
  for (const [label, env, target, person] of [
    ['HTTP/2', { TLS_CERT: cert, TLS_KEY: key }, 3, people[1]],
    ['HTTP/1.1', {}, 10, people[2]],
  ] as const) {
    const seen = await drained(env as Record<string, string>, long, person as string);
    report(`the same over ${label}`, seen.ms, 'ms', seen.ms / single, 'one a request');
    report('the same, in round trips', seen.depth, 'trips', seen.depth / target, `of ${target}; ${seen.calls} calls`);
    report('the same, longest task on the main thread', seen.longest, 'ms', seen.longest / 50, 'of 50 ms');
  }
  const thin = await drained({ TLS_CERT: cert, TLS_KEY: key }, { ...long, bytesPerSecond: thinBytesPerSecond }, people[3] as string);
  const floor = (thin.bytes / thinBytesPerSecond) * 1000;
  report(`the same on 750 kbit/s, ${Math.round(thin.bytes / 1000)} kB`, thin.ms, 'ms', thin.ms / floor, 'the bytes at line rate, target 1.3');
  const times: number[] = [];
  for (const person of people.slice(4)) times.push((await drained({}, { latency: 300, bytesPerSecond: -1, lossy: true, wanted: 50 }, person)).ms);
  report('50 entries after reconnecting, 300 ms, 1 % lost, slowest of three', quantile(times, 0.95), 'ms', quantile(times, 0.95) / 15_000, 'of 15 s');
  postgres.stop();
};
