import type { QuizSubmission, TopicProgress } from '#contract/entities/attempt.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { packageCompletion } from '#contract/rules/package-completion.ts';

type Course = {
  package?: ContentDocument['package'];
  lessons: { topics: { id: string; hidden: boolean; skippable: boolean }[] }[];
  quizzes: { id: string }[];
};
type Done = {
  progress: Pick<TopicProgress, 'topic_id' | 'state'>[];
  submissions: Pick<QuizSubmission, 'quiz_id' | 'passed' | 'score'>[];
  scorm?: Parameters<typeof packageCompletion>[1];
};

/** The topics that must be completed: all that are shown and may not be skipped. */
export const requiredTopics = (course: Course) => course.lessons.flatMap((l) => l.topics).filter((t) => !t.hidden && !t.skippable);

/**
 * How far an attempt is: percent of required topics and quizzes, whether it is complete, and the score (the mean of the
 * best try at each quiz, null where there is no quiz). The server decides with it; a device shows the same sum.
 */
export const completionOf = (course: Course, done: Done) => {
  if (course.package) return { ...packageCompletion(course.package.manifest, done.scorm ?? []), topicsComplete: true };
  const completed = new Set(done.progress.filter((p) => p.state === 'completed').map((p) => p.topic_id));
  const topics = requiredTopics(course);
  const topicsDone = topics.filter((t) => completed.has(t.id)).length;
  const best = course.quizzes.map((quiz) => {
    const tries = done.submissions.filter((s) => s.quiz_id === quiz.id);
    return { passed: tries.some((s) => s.passed), score: tries.reduce((max, s) => Math.max(max, s.score), 0) };
  });
  const quizzesDone = best.filter((b) => b.passed).length;
  const all = topics.length + course.quizzes.length;
  return {
    percent: all === 0 ? 100 : Math.floor(((topicsDone + quizzesDone) * 100) / all),
    topicsComplete: topicsDone === topics.length,
    complete: topicsDone === topics.length && quizzesDone === course.quizzes.length,
    score: best.length === 0 ? null : Math.round(best.reduce((sum, b) => sum + b.score, 0) / best.length),
  };
};

/** Tries left at a quiz; Infinity where the quiz sets no limit. */
export const triesLeft = (quiz: ContentDocument['quizzes'][number], submissions: Pick<QuizSubmission, 'quiz_id'>[]): number =>
  quiz.max_tries === 0 ? Number.POSITIVE_INFINITY : quiz.max_tries - submissions.filter((s) => s.quiz_id === quiz.id).length;
