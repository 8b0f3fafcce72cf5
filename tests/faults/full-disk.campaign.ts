import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentDocument } from '#contract/entities/content.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { protocol } from '#contract/protocol.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { truthOf } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { courses, socketLine } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * The embedded database's volume fills up, or fails to flush, while a device sends. Every request must be answered, with 503
 * while out of service; acknowledged changes must remain; the server must recover by itself once there is space.
 */
const faults = ['log full', 'full', 'flush fails'];
const answeredWithinMs = 3000;
const openAgainWithinMs = 30_000;
const preload = new URL('../support/full-disk.mjs', import.meta.url).pathname;
const marker = join(tmpdir(), `lantern-full-disk-${process.pid}`);
/** The device replaces the global one. */
const realFetch = globalThis.fetch;
let server: RealServer;
let slowest = 0;

/** The status of a request, or 0 if there was none in time. */
const statusOf = async (path: string, init: RequestInit = {}): Promise<number> => {
  const began = Date.now();
  const answer = await realFetch(`${server.url}/api${path}`, { ...init, signal: AbortSignal.timeout(answeredWithinMs) }).catch(() => null);
  slowest = Math.max(slowest, Date.now() - began);
  return answer?.status ?? 0;
};
const health = () => statusOf('/check');
/** A failed sign-in, which writes to the database. */
const writing = async () => {
  const token = await realFetch(`${server.url}/api/sanctum/csrf-cookie`);
  const headers = {
    'Content-Type': 'application/json',
    [protocol.csrfHeader]: token.headers.get(protocol.csrfHeader) ?? '',
    Cookie: token.headers
      .getSetCookie()
      .map((c) => c.split(';')[0])
      .join('; '),
  };
  return () =>
    statusOf('/login', { method: 'POST', headers, body: JSON.stringify({ email: `${randomUUID()}@willowbrook.test`, password: 'wrong' }) });
};
const until = async (wanted: number, withinMs: number): Promise<number> => {
  const end = Date.now() + withinMs;
  let status = await health();
  while (status !== wanted && status !== 0 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = await health();
  }
  return status;
};

export const campaign: Campaign = {
  name: 'full-disk',
  alone: true,
  runs: { ci: 3, demand: 100 },
  prepare: async () => {
    server = await RealServer.create({ NODE_OPTIONS: `--import ${preload}`, LANTERN_TEST_DISK: marker });
    await server.stop();
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const fault = faults[seed % faults.length] as string;
    const id = randomUUID();
    const before = await openDatabase({ DATA_DIR: server.folder });
    await before.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, 'Fault Learner', ${`${id}@willowbrook.test`}, password_hash, now(), primary_entity_id, role_id, type_id from users where id = ${demoId('user:learner@willowbrook.test')}`);
    await before.close();
    await server.start();
    const wrong: string[] = [];
    try {
      const device = new RealDevice(socketLine(() => server.url));
      await device.open(await device.signIn(`${id}@willowbrook.test`));
      const document = (await device.document(courses[0] as string)) as ContentDocument;
      const topics = document.lessons.flatMap((l) => l.topics);
      await device.begin(document);
      await device.send();
      for (let i = 0; i < 8; i++) await device.read(document.id, topics[i % topics.length] as { id: string; title: string }, true, 1 + i);
      const write = await writing();
      const sending = device.send();
      await new Promise((resolve) => setTimeout(resolve, random() * 45));
      writeFileSync(marker, fault);
      await device.handIn(document.id, document.quizzes[0] as { id: string; title: string }, 1);
      await sending;
      // Ensures that something is written.
      for (let i = 0; i < 3; i++) {
        const status = await write();
        if (status !== 503) wrong.push(`${fault}: a request was answered with ${status || 'nothing'} instead of 503`);
      }
      // If only table pages have no space, reads still work.
      const during = await health();
      if (during !== 503 && !(fault === 'full' && during === 200)) wrong.push(`${fault}: the health check answered ${during || 'nothing'}`);
      rmSync(marker);
      const after = await until(200, openAgainWithinMs);
      if (after !== 200) wrong.push(`${fault}: the health check answered ${after || 'nothing'} after there was space again`);
      if (during === 503 && !server.said.includes('has stopped')) wrong.push(`${fault}: nothing was said of it: ${server.said}`);
      if ((await device.drain()) > 0) wrong.push(`${fault}: the device could not send the rest`);
      await server.stop();
      const database = await openDatabase({ DATA_DIR: server.folder });
      wrong.push(...compare(device.saved, await truthOf(database, id)));
      await database.close();
      await device.forget();
    } finally {
      rmSync(marker, { force: true });
      await server.stop('SIGKILL');
    }
    return wrong;
  },
  facts: () => `every request was answered after ${slowest} ms at most`,
  finish: () => server.close(),
};
