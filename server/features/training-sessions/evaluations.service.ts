import { can } from '#contract/can.ts';
import type { EvaluateSession } from '#contract/commands/feedback-commands.ts';
import type { Evaluated, OwnEvaluation, TrainerEvaluation } from '#contract/entities/evaluation.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { trainerWith } from '#server/features/training-companies/trainers.rows.ts';
import { askedBy, evaluationByCourse, evaluationOf, ownEvaluation } from '#server/features/training-sessions/evaluations.rows.ts';
import { visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/**
 * Applies somebody's feedback on a session by their place on it, each change exactly once. The one written last counts, in whichever order
 * they arrive.
 */
export const takeEvaluation = (
  db: Db,
  { user }: Actor,
  place: string,
  changes: readonly EvaluateSession[],
  now: Date,
): Promise<Taken<OwnEvaluation>> =>
  db.tx(async (tx) => {
    await lockEntity(tx, place);
    const { outcomes, failure, record } = await applyOnce(tx, user.uuid, changes, now, async (change) => {
      const asked = await askedBy(tx, user.uuid, place);
      if (!asked) throw new Refused('not_found');
      const at = timeOf(change, now);
      if (Date.parse(at) > Date.parse(asked.until)) throw new Refused('evaluation_closed');
      const { course_rating, trainer_rating, message } = change.args;
      const written =
        await tx.one(sql`insert into session_evaluations as e (session_id, user_id, course_rating, trainer_rating, message, written_at, received_at)
        values (${asked.session_id}, ${user.uuid}, ${course_rating}, ${trainer_rating}, ${message}, ${at}, ${now})
        on conflict (session_id, user_id) do update set course_rating = excluded.course_rating, trainer_rating = excluded.trainer_rating,
          message = excluded.message, written_at = excluded.written_at, received_at = excluded.received_at
        where e.written_at <= excluded.written_at returning 1 as one`);
      return written ? 'applied' : 'late';
    });
    await record();
    return { current: failure ? null : await ownEvaluation(tx, user.uuid, place), outcomes, failure };
  });

/** The permissions of the office that plans sessions and trainers. */
const office: readonly PermissionSlug[] = ['booking.create', 'booking.manage', 'booking.update', 'trainer.create'];
/** Feedback on a trainer is read by that trainer, and by the office. */
const requireReader = ({ user }: Actor, trainer: string) => {
  if (user.uuid !== trainer && !can(user, office)) throw new ProductError('forbidden');
};

/** Feedback of attendees on sessions: never with their names. */
export const evaluationsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => ({
  ofSession: async (actor: Actor, id: string): Promise<Evaluated> => {
    const session = existing(
      await db.one<{ trainer_id: string }>(sql`select t.trainer_id from training_sessions t where t.id = ${id} and ${visibleSession(actor)}`),
    );
    requireReader(actor, session.trainer_id);
    return evaluationOf(db, sql`select ${id}::uuid`);
  },
  ofTrainer: async (actor: Actor, id: string): Promise<TrainerEvaluation> => {
    existing(await trainerWith(db, actor, id, now()));
    requireReader(actor, id);
    // The others were given by an external trainer, who is known by name only.
    const ownSessions = sql`t.trainer_id = ${id} and not t.external_provider and ${visibleSession(actor)} and register_counts(t.id)`;
    return {
      ...(await evaluationOf(db, sql`select t.id from training_sessions t where ${ownSessions}`)),
      courses: await evaluationByCourse(db, ownSessions),
    };
  },
});
