import { randomUUID } from 'node:crypto';
import type { ContentDocument } from '#contract/entities/content.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { ledgerEqualsEffects } from '#tests/faults/real/ledger-equals-effects.ts';
import { truthOf } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { courses, socketLine } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';

/** The server is killed (`kill -9`) while it handles a change; ledger and effects must agree. */
const upWithinMs = 5000;
/** Or this multiple of a plain start at that moment, because the machine may be busy. */
const timesPlainStart = 3;
let embedded: RealServer;
let onPostgres: RealServer;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let slowest = 0;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = Date.now();
  await work();
  return Date.now() - began;
};

const databaseOf = (server: RealServer): Promise<OpenDatabase> =>
  openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server === onPostgres ? postgres.url : undefined });

export const campaign: Campaign = {
  name: 'kill-server',
  runs: { ci: 4, demand: 1000 },
  busy: true,
  prepare: async () => {
    postgres = await startPostgres();
    const folder = `${(await import('node:os')).tmpdir()}/lantern-faults-${process.pid}`;
    const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: postgres.url });
    await migrate(database.pool);
    await fillWithDemoData(database.db, createFileStore(`${folder}/files`), new Date());
    await database.close();
    embedded = await RealServer.create();
    onPostgres = await RealServer.create({ DATABASE_URL: postgres.url });
    await embedded.stop();
    await onPostgres.stop();
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const server = seed % 2 === 0 ? embedded : onPostgres;
    const id = randomUUID();
    const before = await databaseOf(server);
    await before.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, 'Fault Learner', ${`${id}@willowbrook.test`}, password_hash, now(), primary_entity_id, role_id, type_id from users where id = ${demoId('user:learner@willowbrook.test')}`);
    await before.close();
    const plain = await timed(() => server.start());
    const device = new RealDevice(socketLine(() => server.url));
    await device.open(await device.signIn(`${id}@willowbrook.test`));
    const document = (await device.document(courses[0] as string)) as ContentDocument;
    const topics = document.lessons.flatMap((l) => l.topics);
    await device.begin(document);
    await device.send();
    for (let i = 0; i < 8; i++) await device.read(document.id, topics[i % topics.length] as { id: string; title: string }, true, 1 + i);
    await device.handIn(document.id, document.quizzes[0] as { id: string; title: string }, 1);
    const sending = device.send();
    await new Promise((resolve) => setTimeout(resolve, random() * 45));
    await server.stop('SIGKILL');
    await sending;
    const up = await timed(() => server.start());
    slowest = Math.max(slowest, up);
    const wrong: string[] = [];
    if (up > Math.max(upWithinMs, timesPlainStart * plain))
      wrong.push(`the server was up again after ${up} ms, and after ${plain} ms without a kill`);
    if ((await device.drain()) > 0) wrong.push('the device could not send the rest');
    await server.stop();
    const database = await databaseOf(server);
    wrong.push(...compare(device.saved, await truthOf(database, id)), ...(await ledgerEqualsEffects(database, id)));
    await database.close();
    await device.forget();
    return wrong;
  },
  facts: () => `up again after ${slowest} ms at most`,
  finish: async () => {
    await embedded.close();
    await onPostgres.close();
    postgres.stop();
  },
};
