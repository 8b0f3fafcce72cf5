import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createImporter } from '#server/features/importer/imports.service.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { createSessions } from '#server/security/sessions.ts';
import { createJobs } from '#server/jobs/runner.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { startSmtpSink } from '#tests/support/smtp-sink.ts';

/**
 * The server is killed (`kill -9`) during an import that sends e-mails. It must continue after a restart, or on the other server
 * of the same database. Everyone is imported exactly once, every e-mail is sent and recorded, and no job is left.
 */
const people = 220;
/** A missed heartbeat, the check for it, and the remaining work on a busy machine. */
const doneWithinMs = 300_000;
let embedded: RealServer;
let first: RealServer;
let second: RealServer;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let sink: Awaited<ReturnType<typeof startSmtpSink>>;
let slowest = 0;
let twice = 0;

const addressOf = (seed: number, i: number) => `run${seed}-${i}@example.org`;

/** Starts an import without a worker. */
const beginImport = async ({ db }: OpenDatabase, seed: number): Promise<void> => {
  const now = () => new Date();
  const sessions = createSessions(db, readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), now);
  const actor = await sessions.actorOf(demoId('user:admin@willowbrook.test'), '', 'token');
  if (!actor) throw new Error('the demo has no administrator');
  const importer = createImporter({ db, now, jobs: createJobs({ db, now, log: console as never }) });
  const options = { update_existing: true, send_welcome_email: true };
  const table = ['email,name', ...Array.from({ length: people }, (_, i) => `${addressOf(seed, i)},Run ${seed} ${i}`)].join('\n');
  const organisation = 'willowbrook-house';
  const id = await importer.open({ actor, address: '' }, Buffer.from(table), { kind: 'people', organisation, file_name: `run${seed}.csv`, options });
  const kept = await importer.kept(id);
  if (!kept || !(await importer.start({ actor, address: '' }, kept))) throw new Error('the import could not be begun');
};

export const campaign: Campaign = {
  name: 'jobs',
  runs: { ci: 3, demand: 60 },
  prepare: async () => {
    sink = await startSmtpSink();
    postgres = await startPostgres();
    const folder = join(tmpdir(), `lantern-faults-${process.pid}`);
    const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: postgres.url });
    await migrate(database.pool);
    await fillWithDemoData(database.db, createFileStore(`${folder}/files`), new Date());
    await database.close();
    const mail = { SMTP_URL: sink.url, MAIL_PER_MINUTE: '6000' };
    embedded = await RealServer.notStarted(mail);
    first = await RealServer.notStarted({ ...mail, DATABASE_URL: postgres.url });
    second = await first.beside();
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const killed = seed % 3 === 0 ? embedded : first;
    const other = seed % 3 === 1 ? second : null;
    sink.mails.length = 0;
    const open = () => openDatabase({ DATA_DIR: killed.folder, DATABASE_URL: killed === embedded ? undefined : postgres.url });
    const before = await open();
    await beginImport(before, seed);
    await before.close();
    await killed.start();
    await other?.start();
    await after(random() * 4000);
    await killed.stop('SIGKILL');
    const began = Date.now();
    if (!other) await killed.start();
    // Only its server can read the embedded database: progress is seen in the e-mails, and checked once it has stopped.
    const sent = () => new Set(sink.mails.map((m) => m.to).filter((to) => to.startsWith(`run${seed}-`)));
    const looking = killed === embedded ? null : await open();
    while (Date.now() - began < doneWithinMs) {
      // An e-mail in progress when the server died is retried a minute later; make it due now.
      await looking?.db.run(sql`update outgoing_mail set next_at = now() where sent_at is null`);
      const left = await looking?.db.one(sql`select 1 as one from jobs where state in ('waiting', 'running')`);
      if (sent().size === people && !left) break;
      await after(500);
    }
    slowest = Math.max(slowest, Date.now() - began);
    await looking?.close();
    for (const server of other ? [other] : [killed]) await server.stop();
    const { db, close } = await open();
    const wrong: string[] = [];
    const imported = (await db.one<{ n: number }>(sql`select count(*)::int as n from users where email like ${`run${seed}-%`}`))?.n;
    if (imported !== people) wrong.push(`${imported} of ${people} people were imported`);
    const made = (
      await db.one<{ n: number }>(sql`select count(*)::int as n from audit_log where subject_name like ${`Run ${seed} %`} and action = 'created'`)
    )?.n;
    if (made !== people) wrong.push(`${made} people were added, according to the audit log`);
    const welcomed = (await db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail where recipient like ${`run${seed}-%`}`))?.n;
    if (welcomed !== people) wrong.push(`${welcomed} e-mails were stored for ${people} people`);
    // Only those of this run: reminders for this time of day may still be on their way.
    const unsent = await db.all<{ recipient: string }>(
      sql`select recipient from outgoing_mail where sent_at is null and recipient like ${`run${seed}-%`}`,
    );
    for (const { recipient } of unsent) wrong.push(`the e-mail to ${recipient} is not recorded as sent`);
    if (sent().size !== people) wrong.push(`${sent().size} of ${people} e-mails arrived`);
    twice += sink.mails.length - new Set(sink.mails.map((m) => m.to)).size;
    for (const { kind, state } of await db.all<{ kind: string; state: string }>(
      sql`select kind, state from jobs where state in ('waiting', 'running') and not (kind = 'mail' and state = 'waiting')`,
    ))
      wrong.push(`a job (${kind}) is still ${state}`);
    await close();
    return wrong;
  },
  facts: () => `done ${slowest} ms after the kill at most; e-mails sent twice: ${twice}`,
  finish: async () => {
    await embedded.close();
    await first.close();
    await sink.close();
    postgres.stop();
  },
};
