import type { CheckIn } from '#contract/commands/check-in-commands.ts';
import type { CheckInKey, OwnCheckIn } from '#contract/entities/check-in.ts';
import { checkInCode, checkInStep, checkInStepsApart, checkInWindow } from '#contract/rules/check-in.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { ownSessionDays, time, touch, visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { sameText } from '#server/security/secrets.ts';
import { createThrottle } from '#server/security/throttle.ts';
import type { Services } from '#server/services.ts';

type Planned = { id: string; key: string; date: string; startTime: string; endTime: string; zone: string; cancelled: boolean };
const planned = (on: Db, where: Statement, part: Statement = sql``): Promise<Planned[]> =>
  on.all<Planned>(sql`select t.id, k.key, t.date::text as date, ${time(sql`t.start_time`)} as "startTime", ${time(sql`t.end_time`)} as "endTime",
      (select e.time_zone from entity_names e where e.id = t.entity_id) as zone, t.cancelled_at is not null as cancelled
    from training_sessions t join check_in_keys k on k.session_id = t.id where ${where} order by t.date, t.start_time, t.id ${part}`);
const keyOf = ({ id, key, zone, ...plan }: Planned): CheckInKey => ({ session_id: id, key, ...checkInWindow(plan, zone) });

/** How many steps back an expired code is distinguished from one that never was valid: ten minutes. */
const rememberedSteps = 20;
/** The step of a code, if it is near the time at which it was seen; or why it does not count. */
const stepOf = async ({ id, key }: Planned, { code, step }: CheckIn['args'], seenAt: string): Promise<number> => {
  const at = checkInStep(seenAt);
  const is = async (guess: number) => sameText(code, await checkInCode(key, id, guess));
  const isNear = (guess: number) => Math.abs(guess - at) <= checkInStepsApart;
  if (step !== null) {
    if (!(await is(step))) throw new Refused('wrong_code');
    if (!isNear(step)) throw new Refused('code_too_old');
    return step;
  }
  const candidateSteps = Array.from({ length: rememberedSteps + checkInStepsApart + 1 }, (_, i) => at + checkInStepsApart - i).filter((s) => s >= 0);
  // All are computed, even if one matches early, so that timing reveals nothing.
  const found = (await Promise.all(candidateSteps.map(async (s) => ((await is(s)) ? s : null)))).filter((s) => s !== null);
  const near = found.find(isNear);
  if (near === undefined) throw new Refused(found.length > 0 ? 'code_too_old' : 'wrong_code');
  return near;
};

/** Checks people in to training sessions with the code that is shown there. */
export const checkInsOf = (services: Services) => {
  const { db, now } = services;
  const throttle = createThrottle(db, now);
  const ownCheckIn = (on: Db, userId: string, id: string) =>
    on.one<OwnCheckIn>(sql`select c.session_id, ${instant(sql`c.at`)} as at, c.late, ${instant(sql`c.received_at`)} as received_at
      from check_ins c where c.session_id = ${id} and c.user_id = ${userId}`);
  return {
    /** The keys of the sessions whose registers a trainer's device stores. */
    ownKeys: async (actor: Actor): Promise<CheckInKey[]> =>
      (await planned(db, sql`${ownSessionDays(actor, now())} and t.cancelled_at is null`, sql`limit 50`)).map(keyOf),
    key: async (actor: Actor, id: string): Promise<CheckInKey> =>
      keyOf(existing((await planned(db, sql`t.id = ${id} and ${visibleSession(actor)}`))[0])),
    /**
     * Records a person's check-in. People on the list learn what is wrong; to others the session does not exist. An incorrect code counts
     * as a guess.
     */
    take: async (actor: Actor, id: string, changes: readonly CheckIn[]): Promise<Taken<OwnCheckIn>> => {
      const { uuid } = actor.user;
      const at = now();
      const seen = (await db.one(sql`select 1 as one from training_sessions t where t.id = ${id}`)) !== undefined;
      // The row belongs to the session's organisation, which the person may not see.
      return beyondScope(async () => {
        const guess = await throttle.begin({ action: 'check-in', account: uuid });
        try {
          const taken = await db.tx(async (tx) => {
            await lockEntity(tx, id);
            let first = false;
            const { outcomes, failure, record } = await applyOnce(tx, uuid, changes, at, async (change) => {
              const [session] = await planned(tx, sql`t.id = ${id}`);
              const listed = await tx.one(
                sql`select 1 as one from session_delegates where session_id = ${id} and user_id = ${uuid} and same_as is null and removed_at is null`,
              );
              if (!session || !(listed || seen)) throw new Refused('not_found');
              if (await ownCheckIn(tx, uuid, id)) return 'applied';
              if (session.cancelled) throw new Refused('session_cancelled');
              const seenAt = new Date(timeOf(change, at)).toISOString();
              const { opens_at, closes_at } = checkInWindow(session, session.zone);
              if (seenAt < opens_at || seenAt > closes_at) throw new Refused('check_in_closed');
              const step = await stepOf(session, change.args, seenAt);
              if (!listed) throw new Refused('not_on_list');
              const late = checkInStep(at) - step > checkInStepsApart;
              await tx.run(
                insertRow('check_ins', {
                  id: change.id,
                  session_id: id,
                  user_id: uuid,
                  at: seenAt,
                  step,
                  received_at: at,
                  late,
                  clock_off_ms: change.clock_off_ms ?? null,
                }),
              );
              await touch(tx, id);
              first = true;
              return late ? 'late' : 'applied';
            });
            await record();
            return { first, taken: { current: failure ? null : ((await ownCheckIn(tx, uuid, id)) ?? null), outcomes, failure } };
          });
          if (taken.first) await guess.succeeded();
          else if (taken.taken.failure?.code !== 'wrong_code') await guess.takenBack();
          return taken.taken;
        } catch (error) {
          await guess.takenBack();
          throw error;
        }
      });
    },
  };
};
