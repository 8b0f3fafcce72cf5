import type { Attempt } from '#contract/entities/attempt.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import type { Actor } from '#server/actor.ts';
import { existing } from '#server/db/rows.ts';
import { personAt } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { attemptById, attemptsOf, nextTryOf } from '#server/features/learning/attempts.rows.ts';
import { contentDocumentOf, prerequisitesMet } from '#server/features/learning/contents.rows.ts';
import { changeResults } from '#server/features/results/results.service.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Attempts at contents, apart from a learner's work in one, which comes as changes (`apply-changes.ts`). */
export const attemptActionsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => ({
  list: async (actor: Actor, userId: string, contentId: string | undefined): Promise<Attempt[]> => {
    await personAt(db, actor, userId);
    return attemptsOf(db, actor, userId, contentId);
  },
  /** The attempt to continue when the caller opens a content: the open one, otherwise their next try. */
  toStart: async (actor: Actor, contentId: string): Promise<{ id: string; version: number }> => {
    const userId = actor.user.uuid;
    const { version } = existing(await contentDocumentOf(db, actor, contentId));
    const open = await db.one<{ id: string }>(
      sql`select id from attempts where user_id = ${userId} and content_id = ${contentId} and closed_at is null order by try_no desc limit 1`,
    );
    return { id: open?.id ?? (await attemptIdOf(userId, contentId, await nextTryOf(db, userId, contentId))), version };
  },
  /** Closes the caller's attempt and begins the next one. */
  retake: (actor: Actor, id: string): Promise<Attempt> =>
    db.tx(async (tx) => {
      const userId = actor.user.uuid;
      await lockEntity(tx, id);
      const { content_id: contentId, closed_at: closedAt } = existing(
        await tx.one<{ content_id: string; closed_at: string | null }>(
          sql`select content_id, closed_at from attempts where id = ${id} and user_id = ${userId}`,
        ),
      );
      if (closedAt !== null) throw new ProductError('attempt_closed');
      const document = existing(await contentDocumentOf(tx, actor, contentId));
      if (!prerequisitesMet(document.prerequisites)) throw new ProductError('prerequisite_missing');
      const tryNo = await nextTryOf(tx, userId, contentId);
      const next = await attemptIdOf(userId, contentId, tryNo);
      await tx.run(sql`update attempts set closed_at = ${now()}, rev = rev + 1 where id = ${id}`);
      await tx.run(
        sql`insert into attempts (id, user_id, content_id, content_version, try_no, started_at) values (${next}, ${userId}, ${contentId}, ${document.version}, ${tryNo}, ${now()})`,
      );
      return existing(await attemptById(tx, actor, next));
    }),
  /** Deletes an attempt without a result. Its number is not used again. */
  remove: async (actor: Actor, id: string): Promise<void> => {
    const attempt = existing(await attemptById(db, actor, id));
    if (attempt.result) throw new ProductError('attempt_closed', { message: 'This attempt has a result. Delete the training record first.' });
    await db.tx(async (tx) => {
      await tx.run(sql`insert into removed_tries (user_id, content_id, highest) values (${attempt.user_id}, ${attempt.content_id}, ${attempt.try_no})
          on conflict (user_id, content_id) do update set highest = greatest(removed_tries.highest, excluded.highest)`);
      // Its deleted result stays in the training record's history.
      const unlinked = { change: 'corrected', by: actor.user.uuid, reason: 'The attempt was removed.' } as const;
      await changeResults(tx, sql`attempt_id = ${id}`, { attempt_id: null }, unlinked, now());
      await tx.run(sql`delete from attempts where id = ${id}`);
    });
  },
  /** An attempt of the caller's own. Throws `not_found`. */
  own: async (actor: Actor, id: string): Promise<Attempt> => {
    const attempt = await attemptById(db, actor, id);
    if (!attempt || attempt.user_id !== actor.user.uuid) throw new ProductError('not_found');
    return attempt;
  },
});
