import { percentOf } from '#contract/rules/percent.ts';
import type { QuizSubmission, TopicProgress } from '#contract/entities/attempt.ts';
import type { ContentDocument, Topic } from '#contract/entities/content.ts';
import type { H5pFacts } from '#contract/entities/package-work.ts';
import { activitiesOf, isActivityDone } from '#contract/rules/h5p-facts.ts';
import { packageCompletion } from '#contract/rules/package-completion.ts';

type Course = {
  package?: ContentDocument['package'];
  lessons: { id?: string; topics: (Pick<Topic, 'id' | 'hidden' | 'skippable'> & Partial<Pick<Topic, 'blocks'>>)[] }[];
  quizzes: { id: string }[];
  uncounted?: ContentDocument['uncounted'];
};
type Done = {
  progress: Pick<TopicProgress, 'topic_id' | 'state'>[];
  submissions: Pick<QuizSubmission, 'quiz_id' | 'passed' | 'score'>[];
  scorm?: Parameters<typeof packageCompletion>[1];
  h5p?: readonly (H5pFacts & { item_id: string })[];
};

const counts = ({ uncounted = [] }: Pick<Course, 'uncounted'>, { id }: { id?: string }) => id === undefined || !uncounted.includes(id);
/** The required topics: visible, not skippable, and in a lesson that counts. */
export const requiredTopics = <C extends Course>(course: C): C['lessons'][number]['topics'][number][] =>
  course.lessons
    .filter((l) => counts(course, l))
    .flatMap((l) => l.topics)
    .filter((t) => !t.hidden && !t.skippable);
/** The quizzes that must be passed. */
export const countedQuizzes = <C extends Course>(course: C): C['quizzes'][number][] => course.quizzes.filter((q) => counts(course, q));

/**
 * An attempt's progress: percent of required topics and of quizzes that count, completion, and the score (the mean of the best tries at quizzes
 * and activities that must be passed; null if there are none). A topic is done when it has been read and its activities have
 * reached their goals. The server decides; a device only displays it.
 */
export const completionOf = (course: Course, done: Done) => {
  if (course.package) return { ...packageCompletion(course.package, done.scorm ?? []), topicsComplete: true };
  const completed = new Set(done.progress.filter((p) => p.state === 'completed').map((p) => p.topic_id));
  const topics = requiredTopics(course);
  const facts = new Map(done.h5p?.map((i) => [i.item_id, i]));
  const topicsDone = topics.filter((t) => completed.has(t.id) && activitiesOf(t).every((a) => isActivityDone(a, facts.get(a.item_id)))).length;
  const marked = topics.flatMap(activitiesOf).filter((a) => a.goal === 'passed');
  const quizzes = countedQuizzes(course);
  const best = quizzes.map((quiz) => {
    const tries = done.submissions.filter((s) => s.quiz_id === quiz.id);
    return { passed: tries.some((s) => s.passed), score: tries.reduce((max, s) => Math.max(max, s.score), 0) };
  });
  const quizzesDone = best.filter((b) => b.passed).length;
  const scores = [...best.map((b) => b.score), ...marked.map((a) => facts.get(a.item_id)?.score ?? 0)];
  const all = topics.length + quizzes.length;
  return {
    percent: percentOf(topicsDone + quizzesDone, all) ?? 100,
    topicsComplete: topicsDone === topics.length,
    complete: topicsDone === topics.length && quizzesDone === quizzes.length,
    score: scores.length === 0 ? null : Math.round(scores.reduce((sum, s) => sum + s, 0) / scores.length),
  };
};

/** Tries left at a quiz; Infinity if unlimited. */
export const triesLeft = (quiz: ContentDocument['quizzes'][number], submissions: Pick<QuizSubmission, 'quiz_id'>[]): number =>
  quiz.max_tries === 0 ? Number.POSITIVE_INFINITY : quiz.max_tries - submissions.filter((s) => s.quiz_id === quiz.id).length;
