import type { sendFeedback } from '#contract/api/learning.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { Actor } from '#server/actor.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { contentDocumentOf } from '#server/features/learning/contents.rows.ts';

/** Keeps what a learner thinks of a content, once for each id. */
export const keepFeedback = async (db: Db, actor: Actor, id: string, contentId: string, { rating, message }: BodyOf<typeof sendFeedback>) => {
  existing(await contentDocumentOf(db, actor, contentId));
  await db.run(sql`${insertRow('feedback', { id, user_id: actor.user.uuid, content_id: contentId, rating, message })} on conflict (id) do nothing`);
};
