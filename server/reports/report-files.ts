import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { JobKind } from '#contract/entities/job.ts';
import type { ReportProgress } from '#contract/reports/report.ts';
import { beyondScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { type Job, JobEnds } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

/** How long a finished file is kept for the person who requested it. */
const keptMs = 15 * 60_000;
/** How long an unfinished one is waited for. */
const longestMs = 2 * 3_600_000;
const pieceBytes = 512 * 1024;

type Asked<Q> = {
  actor: Actor;
  report: string /** Enough to make the file again. */;
  question: Q;
  title: string;
  name: string;
  type: string;
  total: number;
};
export type ReportFile = { kind: 'working'; progress: ReportProgress } | { kind: 'ready'; name: string; type: string; bytes: Readable };
/** Makes a file, a chunk at a time; `onRows` receives its number of rows. Throws if the actor may not see the report any more. */
type Write<Q> = (actor: Actor, report: string, question: Q, onRows: (rows: number) => Promise<void>) => AsyncIterable<Uint8Array>;
type Row = { id: string; name: string; type: string; ready: boolean; state: string | null; done: number | null; total: number };

/**
 * Files that take longer than a request: made by a job of this kind, stored in chunks, downloadable by the person who requested them.
 * Identical requests share a file.
 */
export const createReportFiles = <Q>({ db, now, jobs, sessions }: Services, kind: JobKind, unit: string, write: Write<Q>) => {
  const readBytes = (id: string) =>
    Readable.from(
      (async function* () {
        for (let no = 0; ; no++) {
          const piece = await db.one<{ bytes: Buffer }>(sql`select bytes from report_pieces where file_id = ${id} and no = ${no}`);
          if (!piece) return;
          yield Buffer.from(piece.bytes);
        }
      })(),
    );

  const run: Job['run'] = async ({ key: id, progress }) => {
    const file = await db.one<{ user_id: string; acting_as_id: string | null; report: string; question: Q; total: number }>(
      sql`select user_id, acting_as_id, report, question, total from report_files where id = ${id} and ready_at is null`,
    );
    if (!file) return;
    const person = await sessions.actorOf(file.user_id, '', 'token');
    const actor = person && file.acting_as_id ? await sessions.actingFor(person, file.acting_as_id) : person;
    if (!actor) throw new JobEnds('stopped', 'The person who asked for it can no longer see it.');
    // A stopped server may have left the beginning of it.
    await db.run(sql`delete from report_pieces where file_id = ${id}`);
    let no = 0;
    let held: Uint8Array[] = [];
    let size = 0;
    const store = async () => {
      await db.run(sql`insert into report_pieces (file_id, no, bytes) values (${id}, ${no}, ${Buffer.concat(held)})`);
      [no, held, size] = [no + 1, [], 0];
    };
    await asActor(actor, async () => {
      const onRows = (rows: number) => beyondScope(() => progress(rows, file.total));
      for await (const bytes of write(actor, file.report, file.question, onRows)) {
        held.push(bytes);
        size += bytes.length;
        if (size >= pieceBytes) await store();
      }
      if (size > 0) await store();
    });
    await db.run(sql`update report_files set ready_at = ${now()}, expires_at = ${new Date(now().getTime() + keptMs)} where id = ${id}`);
  };

  return {
    /** The file, or its progress; starts it if it was not requested yet. */
    ask: async ({ actor, report, question, title, name, type, total }: Asked<Q>): Promise<ReportFile> => {
      const at = now();
      await beyondScope(() => db.run(sql`delete from report_files where expires_at < ${at}`));
      const id = randomUUID();
      const userId = actor.user.uuid;
      // A person who sees other people than before has a different request.
      const view = [report, question, actor.place.id, actor.seesAll, [...actor.entityIds].sort()];
      const key = createHash('sha256').update(JSON.stringify(view)).digest('hex');
      const begun = await db.tx(async (tx) => {
        const inserted =
          await tx.run(sql`insert into report_files (id, user_id, acting_as_id, key, report, question, name, type, total, begun_at, expires_at)
          values (${id}, ${userId}, ${actor.actingAs ? actor.place.id : null}, ${key}, ${report}, ${JSON.stringify(question)}, ${name}, ${type}, ${total}, ${at}, ${new Date(at.getTime() + longestMs)})
          on conflict (user_id, key) do nothing`);
        if (inserted > 0) await jobs.note(tx, kind, { key: id, subject: title, entity: actor.place.id, owner: userId, total });
        return inserted > 0;
      });
      if (begun) {
        jobs.wake();
        return { kind: 'working', progress: { progress: 0, rows: 0, total } };
      }
      const file = await db.one<Row>(sql`select f.id, f.name, f.type, f.total, f.ready_at is not null as ready, j.state, j.done
        from report_files f left join jobs j on j.kind = ${kind} and j.key = f.id::text where f.user_id = ${userId} and f.key = ${key}`);
      if (file?.ready) return { kind: 'ready', name: file.name, type: file.type, bytes: readBytes(file.id) };
      if (file && !['waiting', 'running'].includes(file.state ?? '')) {
        await db.run(sql`delete from report_files where id = ${file.id}`);
        throw new ProductError('report_failed', file.state === 'stopped' ? { message: 'This file was stopped before it was finished.' } : {});
      }
      const [rows, rowsTotal] = [file?.done ?? 0, file?.total ?? total];
      return { kind: 'working', progress: { progress: Math.min(1, rows / rowsTotal), rows, total: rowsTotal } };
    },
    job: {
      title: (subject) => subject,
      unit,
      seenBy: [],
      ...{ canCancel: true, limitMinutes: 60, tries: 3, atOnce: 2 },
      run,
    } satisfies Job as Job,
  };
};
