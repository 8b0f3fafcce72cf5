import { createHash } from 'node:crypto';
import { partsOf } from '#contract/commands/evidence-commands.ts';
import type { AddSubmission, SubmissionChange } from '#contract/commands/submission-commands.ts';
import type { ResultStatus } from '#contract/entities/result.ts';
import type { Submission } from '#contract/entities/submission.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { dayIn } from '#contract/rules/days.ts';
import { endOfValidity } from '#contract/rules/result-dates.ts';
import { existing } from '#server/db/rows.ts';
import { hasCourse } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { changeResults, recordResults } from '#server/features/results/results.service.ts';
import { recordEvidence } from '#server/features/users/evidence.service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';
import { exceedsQuota, quotaSince } from '#server/files/upload-quota.ts';
import { inspectEvidence } from '#server/workers/pictures.ts';

/** Certificates from elsewhere: their files arrive in pieces and are inspected when complete; then they are pending results. */

const submissionNow = async (tx: Db, id: string): Promise<Submission> =>
  existing(
    await tx.one<Submission>(sql`select x.id, r.status, coalesce(r.rev, 0) as rev,
      coalesce((select json_agg(n order by n) from generate_series(0, (s.bytes - 1) / ${evidenceLimits.pieceBytes}::int) n
        where s.received_at is null and not exists (select 1 from submission_parts p where p.submission_id = s.id and p.part = n)), '[]') as missing
    from (select ${id}::uuid as id) x left join submissions s on s.id = x.id left join results r on r.id = x.id where coalesce(s.id, r.id) is not null`),
  );

type Held = { received_at: string | null; fit: boolean | null };
/** Begins a submission, or finds it; its row is locked until the transaction ends. Refuses another person's submission, and a different file. */
const hold = async (tx: Db, actor: Actor, id: string, bytes: number, now: Date): Promise<Held> => {
  await lockEntity(tx, id);
  const isNew = await tx.run(sql`insert into submissions (id, user_id, bytes, begun_at) select ${id}, ${actor.user.uuid}, ${bytes}, ${now}
    where not exists (select 1 from results r where r.id = ${id}) on conflict (id) do nothing`);
  // The device keeps the file and tries again later, when others are finished.
  if (
    isNew > 0 &&
    (await exceedsQuota(tx, sql`submissions`, sql`user_id = ${actor.user.uuid} and received_at is null and begun_at > ${quotaSince(now)}`))
  )
    throw new ProductError('unavailable');
  return existing(
    await tx.one<Held>(
      sql`select s.received_at, s.fit from submissions s where s.id = ${id} and s.user_id = ${actor.user.uuid} and s.bytes = ${bytes} for update`,
    ),
  );
};

type Details = Omit<AddSubmission['args'], 'data'>;
/** Whether the details can be submitted. Returns the dates, in the time zone of the person's organisation; throws if not. */
const checked = async (tx: Db, actor: Actor, { course_id, completed_on, expires_on }: Details, now: Date) => {
  const { place, zone } = existing(
    await tx.one<{ place: string; zone: string }>(
      sql`select h.id as place, h.time_zone as zone from users u join entity_names h on h.id = u.primary_entity_id where u.id = ${actor.user.uuid}`,
    ),
  );
  if (!(await tx.one(sql`select 1 as one from courses k where k.id = ${course_id} and ${hasCourse(place)}`))) throw new Refused('not_found');
  if (completed_on > dayIn(now, zone)) throw new Refused('invalid_input');
  return {
    ...{ completed: completed_on, zone },
    ...(expires_on === null ? {} : { expiry: 'day' as const, expires_at: endOfValidity(expires_on, zone) }),
  };
};

/**
 * Submits a certificate whose pieces are there, or come with it, once. While some are missing there is no outcome; if the bytes are not
 * what left the device, all of them are missing again. The file is inspected between two transactions: neither a row nor a connection is
 * held while a picture is decoded.
 */
const add = async (db: Db, files: FileStore, actor: Actor, id: string, { args, ...change }: AddSubmission, now: Date): Promise<Taken<Submission>> => {
  const { data, ...said } = args;
  const { file } = said;
  const once = async (tx: Db, apply: () => Promise<unknown>): Promise<Taken<Submission>> => {
    const { outcomes, failure, record } = await applyOnce(tx, actor.user.uuid, [{ ...change, args: said }], now, async () => {
      await apply();
      return 'applied';
    });
    await record();
    return { current: await submissionNow(tx, id), outcomes, failure };
  };
  /** The answer if it was received before, or cannot be submitted whatever its file is; else null. */
  const answered = async (tx: Db, { received_at, fit }: Held): Promise<Taken<Submission> | null> => {
    if (received_at !== null)
      return once(tx, async () => {
        if (!fit) throw new Refused('unsupported_media');
      });
    const refused = await checked(tx, actor, said, now).catch((error: unknown) => {
      if (error instanceof Refused) return error;
      throw error;
    });
    return refused instanceof Refused ? once(tx, () => Promise.reject(refused)) : null;
  };
  const begun = await db.tx(async (tx): Promise<Taken<Submission> | Buffer> => {
    const answer = await answered(tx, await hold(tx, actor, id, file.bytes, now));
    if (answer) return answer;
    const current = await submissionNow(tx, id);
    if (data === undefined && current.missing.length > 0) return { current, outcomes: [], failure: null };
    const pieces =
      data === undefined ? await tx.all<{ bytes: Buffer }>(sql`select bytes from submission_parts where submission_id = ${id} order by part`) : [];
    const sent = data === undefined ? Buffer.concat(pieces.map((p) => Buffer.from(p.bytes))) : Buffer.from(data, 'base64');
    if (createHash('sha256').update(sent).digest('hex') === file.hash) return sent;
    await tx.run(sql`delete from submission_parts where submission_id = ${id}`);
    return { current: await submissionNow(tx, id), outcomes: [], failure: null };
  });
  if (!Buffer.isBuffer(begun)) return begun;
  const { type, instead } = await inspectEvidence(begun);
  const fit = type === file.type;
  const bytes = instead ?? begun;
  const hash = fit ? await files.put(bytes) : null;
  return db.tx(async (tx) => {
    // It may have arrived a second time meanwhile, and been submitted.
    const before = await hold(tx, actor, id, file.bytes, now);
    const answer = await answered(tx, before);
    if (answer) return answer;
    await tx.run(sql`delete from submission_parts where submission_id = ${id}`);
    await tx.run(sql`update submissions set received_at = ${now}, fit = ${fit} where id = ${id}`);
    return once(tx, async () => {
      if (hash === null) throw new Refused('unsupported_media');
      const evidence = await recordEvidence(tx, actor, { hash, name: file.name, type: file.type, bytes: bytes.length }, now);
      const { course_id, note } = said;
      const submitter = { user_id: actor.user.uuid, recorded_by: actor.user.uuid };
      await recordResults(
        tx,
        [
          {
            ...{ id, ...submitter, course_id, type: 'historical', origin: 'manual', status: 'pending', note },
            ...(await checked(tx, actor, said, now)),
            evidence_id: evidence.id,
          },
        ],
        now,
      );
    });
  });
};

/** Withdraws a submission while it is pending. A deleted one stays deleted; a decided one is refused. */
const withdraw = (db: Db, actor: Actor, id: string, change: Exclude<SubmissionChange, AddSubmission>, now: Date): Promise<Taken<Submission>> =>
  db.tx(async (tx) => {
    await lockEntity(tx, id);
    const ownSubmission = sql`r.id = ${id} and r.user_id = ${actor.user.uuid} and r.recorded_by = ${actor.user.uuid}`;
    const begun = sql`select 1 as one from submissions s where s.id = ${id} and s.user_id = ${actor.user.uuid}`;
    if (!(await tx.one(sql`${begun} union all select 1 from results r where ${ownSubmission} limit 1`))) throw new ProductError('not_found');
    const { outcomes, failure, record } = await applyOnce(tx, actor.user.uuid, [change], now, async () => {
      const result = await tx.one<{ status: ResultStatus }>(sql`select r.status from results r where ${ownSubmission} for update`);
      if (!result) throw new Refused('not_found');
      if (result.status === 'approved' || result.status === 'rejected') throw new Refused('already_decided');
      if (result.status === 'pending')
        await changeResults(tx, sql`id = ${id}`, { status: 'deleted' }, { change: 'withdrawn', by: actor.user.uuid }, now);
      return 'applied';
    });
    await record();
    return { current: await submissionNow(tx, id), outcomes, failure };
  });

/** Certificates from elsewhere that people submit for themselves. */
export const submissionsOf = ({ db, files, now }: Pick<Services, 'db' | 'files' | 'now'>) => ({
  courses: (actor: Actor) =>
    db.all<{ id: string; title: string }>(sql`select k.id, k.title from courses k join users u on u.id = ${actor.user.uuid}
      where ${hasCourse(sql`u.primary_entity_id`)} order by k.title, k.id`),
  /** Stores a piece of a file. Has no effect if the piece is already there or the file is complete. */
  keepPiece: (actor: Actor, id: string, piece: number, { bytes: size, data }: { bytes: number; data: string }) =>
    db.tx(async (tx) => {
      const { received_at } = await hold(tx, actor, id, size, now());
      const bytes = Buffer.from(data, 'base64');
      const last = partsOf(size) - 1;
      const { pieceBytes } = evidenceLimits;
      if (piece > last || bytes.length !== (piece === last ? size - last * pieceBytes : pieceBytes))
        throw invalid('data', 'This is not a piece of this file.');
      if (received_at === null)
        await tx.run(sql`insert into submission_parts (submission_id, part, bytes, received_at) values (${id}, ${piece}, ${bytes}, ${now()})
          on conflict (submission_id, part) do update set bytes = excluded.bytes, received_at = excluded.received_at`);
      return submissionNow(tx, id);
    }),
  take: (actor: Actor, id: string, change: SubmissionChange): Promise<Taken<Submission>> =>
    change.command === 'submission.add' ? add(db, files, actor, id, change, now()) : withdraw(db, actor, id, change, now()),
});
