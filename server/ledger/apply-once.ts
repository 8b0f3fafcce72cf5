import { createHash } from 'node:crypto';
import type { ChangeOutcome, Resolution } from '#contract/commands/change.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import type { Kind, RefusalOf, RefusalOfAll } from '#contract/kinds.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import { failedDuring } from '#server/ledger/failed-changes.ts';
import { ProductError } from '#server/product-error.ts';

/** The fields of a change that the ledger needs. */
type Ledgered = { id: string; command: string; version: number; at: string; args: unknown; base_rev?: number | undefined };
export type Failure = { code: ErrorCode; message: string; resolution: Resolution[]; change: Ledgered };
export type Once = {
  outcomes: ChangeOutcome[];
  failure: Failure | null;
  /** Number of changes applied now, not earlier. */
  effects: number;
  /** Writes the outcomes into the ledger, in the transaction of their effects. */
  record(): Promise<void>;
};

/**
 * Thrown by an aggregate that cannot accept a change. 409 is a conflict; refused changes are always archived. Only codes in
 * contract/kinds.ts, which devices can explain.
 */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly resolution: Resolution[];
  constructor(code: RefusalOf<Kind> | RefusalOfAll, resolution: Resolution[] = []) {
    super(errors[code].message);
    this.code = code;
    this.resolution = resolution;
  }
}

const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, canonical(v)]),
        )
      : value;
/** A hash of a change's content, independent of when it was sent. */
export const fingerprintOf = (change: { command: string; version: number; args: unknown }): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical({ command: change.command, version: change.version, args: change.args })))
    .digest('hex');

/** The time of a change, but not later than now: the device's clock may be ahead. */
export const timeOf = (change: { at: string }, now: Date): string => (new Date(change.at) > now ? now.toISOString() : change.at);

/** Serialises the changes of one thing until the transaction ends, even before it exists. Changes to other things run in parallel. */
export const lockEntity = (tx: Db, id: string) => tx.one(often(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`));

/**
 * Applies a person's changes, each exactly once, inside the caller's transaction:
 *
 *   in the ledger? ── same content ──▶ the first answer again
 *    │        └ other content ─▶ refused (idempotency_mismatch)
 *    ▼
 *   apply ── Refused ─▶ archive and answer it, stop
 *    ▼
 *   record(), in the same transaction
 */
export const applyOnce = async <C extends Ledgered>(
  tx: Db,
  userId: string,
  changes: readonly C[],
  now: Date,
  apply: (change: C) => Promise<ChangeOutcome['outcome']>,
): Promise<Once> => {
  type Kept = ChangeOutcome & { resolution?: Resolution[] };
  const seen = new Map(
    (
      await tx.all<{ entry_id: string; fingerprint: string; answer: Kept | null; outcome: ChangeOutcome['outcome'] }>(
        often(
          sql`select entry_id, fingerprint, answer, outcome from ledger where user_id = ${userId} and entry_id = any(${changes.map((c) => c.id)}::uuid[])`,
        ),
      )
    ).map((r) => [r.entry_id, r]),
  );
  const outcomes: ChangeOutcome[] = [];
  const rows: { entry_id: string; fingerprint: string; answer: Kept }[] = [];
  let failure: Failure | null = null;
  let effects = 0;
  for (const change of changes) {
    const known = seen.get(change.id);
    const fingerprint = fingerprintOf(change);
    if (known && known.fingerprint !== fingerprint) {
      failure = { code: 'idempotency_mismatch', message: errors.idempotency_mismatch.message, resolution: [], change };
      outcomes.push({ id: change.id, outcome: 'refused', code: failure.code, message: failure.message });
      break;
    }
    if (known) {
      // After 90 days only the outcome is stored, which is enough not to apply a change again.
      const answer = known.answer ?? { id: change.id, outcome: known.outcome };
      outcomes.push({ id: change.id, outcome: answer.outcome, code: answer.code, message: answer.message });
      if (answer.outcome === 'conflict' || answer.outcome === 'refused') {
        const code = (answer.code ?? 'rev_mismatch') as ErrorCode;
        failure = { code, message: answer.message ?? errors[code].message, resolution: answer.resolution ?? ['keep_theirs'], change };
        break;
      }
      continue;
    }
    try {
      const outcome = await apply(change);
      effects++;
      const answer: ChangeOutcome = { id: change.id, outcome };
      outcomes.push(answer);
      rows.push({ entry_id: change.id, fingerprint, answer });
      seen.set(change.id, { entry_id: change.id, fingerprint, answer, outcome });
    } catch (error) {
      if (!(error instanceof Refused)) {
        failedDuring(error, { userId, id: change.id, command: change.command });
        throw error;
      }
      const answer = {
        id: change.id,
        outcome: errors[error.code].status === 409 ? ('conflict' as const) : ('refused' as const),
        code: error.code,
        message: error.message,
        resolution: error.resolution,
      };
      outcomes.push({ id: answer.id, outcome: answer.outcome, code: answer.code, message: answer.message });
      rows.push({ entry_id: change.id, fingerprint, answer });
      failure = { code: error.code, message: error.message, resolution: error.resolution, change };
      await tx.run(
        sql`insert into refusals (user_id, entry_id, command, payload, code, message, at) values (${userId}, ${change.id}, ${change.command}, ${JSON.stringify(change)}, ${error.code}, ${error.message}, ${now}) on conflict do nothing`,
      );
      break;
    }
  }
  const record = async () => {
    if (rows.length === 0) return;
    await tx.run(sql`insert into ledger (user_id, entry_id, fingerprint, answer, outcome, at) select ${userId}, r.entry_id, r.fingerprint, r.answer, r.answer ->> 'outcome', ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (entry_id uuid, fingerprint text, answer jsonb)`);
  };
  return { outcomes, failure, effects, record };
};

/** Throws the failure, with everything needed to resolve it without another request. */
export const throwFailure = (failure: Failure | null, current: { rev: number } | null, outcomes: readonly ChangeOutcome[], now: Date): never => {
  throw new ProductError(failure?.code ?? 'not_found', {
    ...(failure ? { message: failure.message } : {}),
    extra: {
      resolution: failure?.resolution ?? [],
      current,
      base_rev: failure?.change.base_rev ?? null,
      current_rev: current?.rev ?? null,
      conflicts: failure ? [{ id: failure.change.id, command: failure.change.command }] : [],
      archived: true,
      server_time: now.toISOString(),
      outcomes,
    },
  });
};
