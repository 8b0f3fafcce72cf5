import { randomUUID } from 'node:crypto';
import type { answerFeedback } from '#contract/api/feedback.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { ContentFeedbackChange } from '#contract/commands/feedback-commands.ts';
import { answerStates, type FeedbackLine, type FeedbackState, type OwnFeedback } from '#contract/entities/feedback.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { feedbackPlace } from '#contract/rules/feedback-place.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { feedbackLine, ownFeedbackOf } from '#server/features/feedback/feedback.rows.ts';
import { mayTake } from '#server/features/learning/contents.rows.ts';
import { messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/**
 * The current version of a content. Nothing if the actor never had access: they have begun it, or may take it; if it was withdrawn or
 * deleted since, earlier feedback is still accepted.
 */
const hadBy = (on: Db, { user, seesAll }: Actor, content: string) => {
  const theirs = mayTake(sql`select entity_and_above(${user.primary_entity.id})`, { id: user.uuid, type_id: user.type?.id ?? null });
  return on.one<{ version: number }>(sql`select c.current_version as version from contents c where c.id = ${content}
    and (${seesAll ? sql`true` : theirs} or exists (select 1 from attempts a where a.content_id = c.id and a.user_id = ${user.uuid}))`);
};
const documentOf = async (on: Db, content: string, version: number) =>
  (await on.one<{ document: ContentDocument }>(sql`select document from content_versions where content_id = ${content} and version = ${version}`))
    ?.document;

const kindOf = { 'feedback.rate': 'rating', 'feedback.ask': 'question', 'feedback.report': 'problem' } as const;

/** Applies a learner's feedback on a content, each exactly once. */
export const takeFeedback = (
  db: Db,
  actor: Actor,
  content: string,
  changes: readonly ContentFeedbackChange[],
  now: Date,
): Promise<Taken<OwnFeedback>> =>
  db.tx(async (tx) => {
    for (const id of changes.map((c) => c.id).sort()) await lockEntity(tx, id);
    const { outcomes, failure, record } = await applyOnce(tx, actor.user.uuid, changes, now, async (change) => {
      const had = await hadBy(tx, actor, content);
      if (!had) throw new Refused('not_found');
      const { command, args } = change;
      const version = Math.min(args.version, had.version);
      const document = command === 'feedback.report' ? await documentOf(tx, content, version) : undefined;
      const place = command === 'feedback.report' && document ? feedbackPlace(document, args.part, args.item) : null;
      await tx.run(
        insertRow('feedback', {
          ...{ id: change.id, user_id: actor.user.uuid, content_id: content, kind: kindOf[command], message: args.message },
          rating: command === 'feedback.rate' ? args.rating : null,
          what: command === 'feedback.report' ? args.what : null,
          place: place && JSON.stringify(place),
          ...{ version: version || null, written_at: timeOf(change, now), created_at: now },
          state: command === 'feedback.rate' ? 'received' : 'open',
        }),
      );
      return 'applied';
    });
    await record();
    const last = changes.at(-1);
    const [current] = failure || !last ? [] : await ownFeedbackOf(tx, actor, content, last.id);
    return { current: current ?? null, outcomes, failure };
  });

const didWords = { rating: 'You wrote', question: 'You asked', problem: 'You reported a problem' } as const;
const stateWords: Partial<Record<FeedbackState, string>> = {
  looked_at: 'It is being looked at.',
  closed: 'Your question was closed.',
  no_fault: 'It was looked into, and is not a fault.',
};
const longestQuote = 300;
/** The message to the author of the feedback, with its subject. */
const letter = ({ kind, content, message, place }: FeedbackLine, { state, message: answer, mended_in }: BodyOf<typeof answerFeedback>): string => {
  const where = place?.part ? ` (${place.part.title})` : '';
  const quote = message === '' ? '' : `: “${message.length > longestQuote ? `${cutText(message, longestQuote)} …` : message}”`;
  const standing = state === 'mended' ? `It is mended${mended_in === null ? '' : ` in version ${mended_in}`}. Thank you.` : stateWords[state];
  return [`About “${content.title}”${where}. ${didWords[kind]}${quote}`, [standing, answer].filter(Boolean).join('\n')].join('\n\n');
};

export const feedbackOf = (services: Services) => {
  const { db, now } = services;
  const messages = messagesOf(services);
  return {
    /** The version of a content that a rating without one is about, or 404. */
    version: async (actor: Actor, content: string): Promise<number> => existing(await hadBy(db, actor, content)).version,
    /** Sets an author's answer to feedback, and notifies that person in a message from the author. */
    answer: async (actor: Actor, id: string, body: BodyOf<typeof answerFeedback>): Promise<FeedbackLine> => {
      const { rev, ...said } = body;
      const at = now();
      const by = actor.user;
      const answered = await db.tx(async (tx) => {
        await lockEntity(tx, id);
        const before = existing(await feedbackLine(tx, actor, id));
        if (before.rev !== rev) throw new ProductError('rev_mismatch', { extra: { current: before } });
        if (!(answerStates[before.kind] as readonly FeedbackState[]).includes(said.state)) throw invalid('state', 'Choose one of those offered.');
        const mended_in = said.state === 'mended' ? said.mended_in : null;
        if (said.state === 'mended' && (mended_in === null || mended_in < 1 || mended_in > before.content.version + 1))
          throw invalid('mended_in', 'Choose the version in which it is mended.');
        await tx.run(
          insertRow('feedback_answers', {
            id: randomUUID(),
            feedback_id: id,
            no: rev + 1,
            by_id: by.uuid,
            state: said.state,
            message: said.message,
            mended_in,
            at,
          }),
        );
        await tx.run(sql`update feedback set state = ${said.state} where id = ${id}`);
        const toAuthor = before.person.id === by.uuid ? [] : [{ recipient_id: before.person.id, message: letter(before, body) }];
        await messages.mailedWith(tx, [await tellPeople(tx, by.uuid, toAuthor, at)]);
        return existing(await feedbackLine(tx, actor, id));
      });
      services.mail.wake();
      return answered;
    },
  };
};
