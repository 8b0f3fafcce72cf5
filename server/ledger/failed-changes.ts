import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { FailedChange, GivenUp } from '#contract/entities/failed-change.ts';
import { Id } from '#contract/entities/fields.ts';
import { protocol } from '#contract/protocol.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { whereItFailed } from '#server/http/where-it-failed.ts';

/**
 * Changes on which the server fails by its own fault (5xx), or that a device has given up, for the server's operator. Stored
 * without their content.
 */
type Failing = { userId: string; id: string; command: string };

/** The change that was being applied when an error was thrown. */
const during = new WeakMap<object, Failing>();
export const failedDuring = (thrown: unknown, change: Failing): void => {
  if (typeof thrown === 'object' && thrown !== null) during.set(thrown, change);
};

const longestCommand = 60;
/** The first change of a request, at which its lane stops. Null if the request contains none. */
const firstChangeOf = (request: FastifyRequest): Failing | null => {
  const userId = request.actor?.user.uuid;
  const { changes } = (request.body ?? {}) as { changes?: unknown };
  const first = (Array.isArray(changes) ? changes[0] : undefined) as { id?: unknown; command?: unknown } | undefined;
  const id = Id.safeParse(first?.id ?? request.headers[protocol.idempotencyHeader.toLowerCase()]);
  if (!userId || !id.success) return null;
  const command = typeof first?.command === 'string' ? first.command : `${request.method} ${request.routeOptions.url ?? ''}`;
  return { userId, id: id.data, command: command.slice(0, longestCommand) };
};

/** Records and logs that the server failed on a change, taken from the error or, if `queued`, from the request. Never throws. */
export const noteFailedChange = async (
  { db, log, now }: { db: Db; log: FastifyBaseLogger; now: () => Date },
  request: FastifyRequest,
  thrown: unknown,
  queued: boolean,
): Promise<void> => {
  const change = during.get(thrown as object) ?? (queued ? firstChangeOf(request) : null);
  if (!change) return;
  const error = whereItFailed(thrown);
  try {
    const noted = await db.one<{
      times: number;
    }>(sql`insert into failed_changes (user_id, entry_id, command, times, first_at, last_at, request_id, error)
      values (${change.userId}, ${change.id}, ${change.command}, 1, ${now()}, ${now()}, ${request.id}, ${error})
      on conflict (user_id, entry_id) do update set times = failed_changes.times + 1, last_at = excluded.last_at, command = excluded.command,
        request_id = excluded.request_id, error = excluded.error returning times`);
    request.log.error({ change: change.id, command: change.command, times: noted?.times, error }, 'a change failed');
  } catch (failure) {
    log.error({ err: failure }, 'a change that failed could not be noted');
  }
};

/** Records changes that a device reports as given up, including those that never reached the server. */
export const noteGivenUp = async (db: Db, userId: string, deviceId: string, changes: readonly GivenUp[], now: Date): Promise<void> => {
  if (changes.length === 0) return;
  await db.run(sql`insert into failed_changes (user_id, entry_id, command, times, first_at, last_at, device_id, given_up_at)
    select ${userId}, g.id, g.command, g.times, g.since, ${now}, ${deviceId}, ${now}
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as g (id uuid, command text, times integer, since timestamptz)
    on conflict (user_id, entry_id) do update set times = greatest(failed_changes.times, excluded.times), first_at = least(failed_changes.first_at, excluded.first_at),
      device_id = excluded.device_id, given_up_at = coalesce(failed_changes.given_up_at, excluded.given_up_at)`);
};

/** Deletes failures of changes that the server has since answered. */
export const forgetFailures = async (db: Db, userId: string, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.run(sql`delete from failed_changes where user_id = ${userId} and entry_id = any(${[...ids]}::uuid[])`);
};

/** Fewer failures may be chance: a lock, a restart. */
const oftenEnough = 3;
/** Changes that failed repeatedly or were given up and have not been applied since, of these people (`users u`), latest first. */
export const failedChanges = (db: Db, who: Statement): Promise<(FailedChange & { organisation: string })[]> =>
  db.all(sql`select f.entry_id as id, json_build_object('id', u.id, 'name', u.name) as user, e.name as organisation, f.command, f.times, f.first_at, f.last_at,
      f.given_up_at, f.device_id, f.request_id, f.error
    from failed_changes f join users u on u.id = f.user_id join entity_names e on e.id = u.primary_entity_id
    where ${who} and (f.times >= ${oftenEnough} or f.given_up_at is not null)
      and not exists (select 1 from ledger l where l.user_id = f.user_id and l.entry_id = f.entry_id and l.at >= f.last_at)
    order by f.last_at desc limit 500`);
