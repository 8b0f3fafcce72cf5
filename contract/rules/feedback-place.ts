import type { Block, ContentDocument, Question } from '#contract/entities/content.ts';
import type { FeedbackPlace } from '#contract/entities/feedback.ts';
import { launchableActivities } from '#contract/rules/package-completion.ts';
import { blocksOfPage } from '#contract/rules/design.ts';

type Part = NonNullable<FeedbackPlace['part']>;
type Item = NonNullable<FeedbackPlace['item']>;
/** A part of a content, with the parts in it that can be named. */
export type PlaceChoice = { lesson: string | null; part: Part; items: Item[] };

const question = ({ id, ...q }: Question): Item => ({
  kind: 'question',
  id,
  title: q.kind === 'fill_gap' ? q.segments.map((s) => (typeof s === 'string' ? s : '…')).join('') : q.prompt,
});

const itemsOf = (block: Block): Item[] => {
  if (block.kind === 'h5p') return [{ kind: 'activity', id: block.item_id, title: block.title }];
  return block.kind === 'question' ? [question(block.question)] : [];
};

/** The topic, quiz, designed page or package item with this id; undefined if there is none. */
export const placeChoice = ({ lessons, quizzes, design, package: pack }: ContentDocument, id: string): PlaceChoice | undefined => {
  const page = design?.pages.find((p) => p.id === id);
  if (page) {
    const items = blocksOfPage(page).flatMap((b) => ('question' in b && b.question ? [question(b.question)] : []));
    return { lesson: null, part: { kind: 'page', id, title: page.title }, items };
  }
  for (const lesson of design ? [] : lessons) {
    const topic = lesson.topics.find((t) => t.id === id);
    const items = topic?.blocks.flatMap(itemsOf) ?? [];
    if (topic) return { lesson: lesson.title, part: { kind: 'topic', id, title: topic.title }, items };
  }
  const quiz = quizzes.find((q) => q.id === id);
  if (quiz) return { lesson: null, part: { kind: 'quiz', id, title: quiz.title }, items: quiz.questions.map(question) };
  const activity = pack && launchableActivities(pack.manifest.activities).find((a) => a.id === id);
  return activity && { lesson: null, part: { kind: 'item', id, title: activity.title }, items: [] };
};

/** The place in words of the document. What the document does not have is left out. */
export const feedbackPlace = (document: ContentDocument, part: string | null, item: string | null): FeedbackPlace | null => {
  const found = part === null ? undefined : placeChoice(document, part);
  return found ? { lesson: found.lesson, part: found.part, item: found.items.find((i) => i.id === item) ?? null } : null;
};
