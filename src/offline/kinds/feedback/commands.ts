import type { ContentDocument } from '#contract/entities/content.ts';
import type { OwnFeedback } from '#contract/entities/feedback.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { feedbackPlace } from '#contract/rules/feedback-place.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { feedbackLane } from '#src/offline/kinds/feedback/lane.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { FeedbackRow, PersonDb } from '#src/offline/store/person-db.ts';

/** A learner's feedback on a content. Each call resolves once it is saved on this device. */
type Of = Pick<ContentDocument, 'id' | 'title' | 'version'>;
type Command = 'feedback.rate' | 'feedback.ask' | 'feedback.report';
type Shown = Pick<FeedbackRow, 'kind' | 'state'> & Partial<FeedbackRow>;

const say = async <C extends Command>(db: PersonDb, { id: content_id, version }: Of, command: C, args: ArgsOf<C>, sentence: string, shown: Shown) => {
  const id = newId();
  const at = correctedNow().toISOString();
  const row: FeedbackRow = {
    ...{ id, content_id, version, at, message: args.message, received_at: null, rating: null, what: null, place: null, answers: [] },
    ...shown,
  };
  await commit(
    db,
    db.personId,
    feedbackLane.tables(db),
    [{ id, lane: laneName('feedback', content_id), command, args, sentence, mergeKey: null, at }],
    () => db.feedback.put(row),
  );
  return id;
};

export const rateContent = (db: PersonDb, subject: Of, { rating, message }: { rating: number; message: string }): Promise<string> =>
  say(db, subject, 'feedback.rate', { rating, message, version: subject.version }, `Rated ${subject.title}`, {
    kind: 'rating',
    state: 'received',
    rating,
  });

export const askAboutContent = (db: PersonDb, subject: Of, { message }: { message: string }): Promise<string> =>
  say(db, subject, 'feedback.ask', { message, version: subject.version }, `Asked about ${subject.title}`, { kind: 'question', state: 'open' });

type Problem = Omit<ArgsOf<'feedback.report'>, 'version'>;
export const reportProblem = (db: PersonDb, document: ContentDocument, { what, message, part, item }: Problem): Promise<string> =>
  say(db, document, 'feedback.report', { what, message, part, item, version: document.version }, `Reported a problem with ${document.title}`, {
    kind: 'problem',
    state: 'open',
    what,
    place: feedbackPlace(document, part, item),
  });

/** Evaluates a training session that the person attended, by their place on it. It replaces an earlier evaluation. */
export const evaluateSession = async (
  db: PersonDb,
  { id, course }: { id: string; course: { id: string; name: string } },
  args: ArgsOf<'feedback.evaluate'>,
): Promise<string> => {
  const at = correctedNow().toISOString();
  const row = { ...args, id, kind: 'evaluation' as const, content_id: id, course, at, received_at: null };
  const entry = { id: newId(), lane: laneName('feedback', id), command: 'feedback.evaluate', args, mergeKey: null, at } as const;
  await commit(db, db.personId, feedbackLane.tables(db), [{ ...entry, sentence: `Said how ${course.name} was` }], () => db.feedback.put(row));
  return id;
};

/** Stores feedback on a content that was read online, and deletes what was `known` before the request and no longer exists. */
export const noteServerFeedback = (db: PersonDb, received: readonly OwnFeedback[], known: ReadonlySet<string>): Promise<void> =>
  db.transaction('rw', [db.feedback], async () => {
    const listed = new Set(received.map((f) => f.id));
    await db.feedback.bulkDelete([...known].filter((id) => !listed.has(id)));
    await db.feedback.bulkPut([...received]);
  });
