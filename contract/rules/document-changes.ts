import type { ContentDocument, Lesson, Quiz, Topic } from '#contract/entities/content.ts';

type Titled = { id: string; title: string };
const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);
/** Whether two values are equal, regardless of the order of their fields. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) =>
    v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v,
  );

/** The differences between two lists: added, removed and remaining things, and whether the order changed. */
const compared = <T extends Titled>(before: readonly T[], after: readonly T[]) => {
  const was = new Map(before.map((t) => [t.id, t]));
  const is = new Set(after.map((t) => t.id));
  const stayed = after.flatMap((t) => {
    const earlier = was.get(t.id);
    return earlier ? [{ before: earlier, after: t }] : [];
  });
  const orderBefore = before.filter((t) => is.has(t.id)).map((t) => t.id);
  return {
    added: after.filter((t) => !was.has(t.id)),
    gone: before.filter((t) => !is.has(t.id)),
    stayed,
    moved: !same(
      orderBefore,
      stayed.map((s) => s.after.id),
    ),
  };
};
const changesIn = <T extends Titled>(
  word: string,
  before: readonly T[],
  after: readonly T[],
  where: string,
  changes: (before: T, after: T) => string[],
) => {
  const { added, gone, stayed, moved } = compared(before, after);
  return [
    ...added.map((t) => `New ${word}: “${t.title}”.`),
    ...gone.map((t) => `The ${word} “${t.title}” is removed.`),
    ...(moved ? [`The order of ${where} has changed.`] : []),
    ...stayed.flatMap((s) => changes(s.before, s.after)),
  ];
};
const named = (word: string, before: Titled, after: Titled) =>
  before.title === after.title ? [] : [`The ${word} “${before.title}” is now called “${after.title}”.`];

const topicChanges = (before: Topic, after: Topic): string[] => [
  ...named('topic', before, after),
  ...(same(before.blocks, after.blocks) ? [] : [`What is written in the topic “${after.title}”.`]),
  ...(before.hidden === after.hidden ? [] : [`The topic “${after.title}” is ${after.hidden ? 'now hidden' : 'no longer hidden'}.`]),
  ...(before.skippable === after.skippable
    ? []
    : [`The topic “${after.title}” ${after.skippable ? 'can now be skipped' : 'can no longer be skipped'}.`]),
  ...(before.parent_id === after.parent_id
    ? []
    : [`The topic “${after.title}” is ${after.parent_id ? 'now below another topic' : 'no longer below another topic'}.`]),
];
const lessonChanges = (before: Lesson, after: Lesson): string[] => [
  ...named('lesson', before, after),
  ...changesIn('topic', before.topics, after.topics, `the topics in “${after.title}”`, topicChanges),
];
const quizChanges =
  (answersDiffer: (question: string) => boolean) =>
  (before: Quiz, after: Quiz): string[] => {
    const questions = compared(
      before.questions.map((q) => ({ ...q, title: q.prompt })),
      after.questions.map((q) => ({ ...q, title: q.prompt })),
    );
    const rewritten = questions.stayed.filter((q) => !same(q.before, q.after) || answersDiffer(q.after.id)).length;
    const counted = [
      [questions.added.length, 'new'],
      [questions.gone.length, 'removed'],
      [rewritten, 'changed'],
    ] as const;
    const some = counted.filter(([n]) => n > 0).map(([n, what]) => `${n.toLocaleString('en-GB')} ${what}`);
    const rules = (['is_randomized', 'question_qty', 'pass_percent', 'max_tries'] as const).some((rule) => before[rule] !== after[rule]);
    return [
      ...named('quiz', before, after),
      ...(some.length > 0 ? [`Questions of the quiz “${after.title}”: ${some.join(', ')}.`] : []),
      ...(questions.moved ? [`The order of the questions of “${after.title}” has changed.`] : []),
      ...(rules ? [`How the quiz “${after.title}” is asked: pass mark, tries, number or order of questions.`] : []),
    ];
  };

const facts: readonly [keyof ContentDocument, string][] = [
  ['title', 'The title.'],
  ['aims', 'The aims.'],
  ['outcomes', 'What people can do afterwards.'],
  ['estimated_duration', 'How long it takes.'],
  ['cpd_accredited', 'Whether it counts for CPD.'],
  ['design', 'The pages that are designed.'],
  ['uncounted', 'What has to be done to complete it.'],
  ['image', 'The picture.'],
  ['image_alt', 'What the picture shows.'],
];
/**
 * The differences between two documents for a learner, in sentences: shown to an author before publishing. `answersDiffer` says
 * whether the right answer to a question, which is not in a document, has changed.
 */
export const documentChanges = (
  before: ContentDocument,
  after: ContentDocument,
  answersDiffer: (question: string) => boolean = () => false,
): string[] => [
  ...facts.filter(([field]) => !same(before[field] ?? '', after[field] ?? '')).map(([, sentence]) => sentence),
  ...changesIn('lesson', before.lessons, after.lessons, 'the lessons', lessonChanges),
  ...changesIn('quiz', before.quizzes, after.quizzes, 'the quizzes', quizChanges(answersDiffer)),
];
