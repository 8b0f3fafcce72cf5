import * as z from 'zod/mini';
import { Answer } from '#contract/entities/content.ts';
import { Count, Id, Instant, Percent } from '#contract/entities/fields.ts';
import { H5pItem, ScormItem } from '#contract/entities/package-work.ts';

/** Seconds spent, one counter per device. The total is their sum; merging takes the larger value of each. */
export const SecondsByDevice = z.record(z.string(), Count);

export const TopicState = z.enum(['none', 'started', 'completed']);
export type TopicState = z.infer<typeof TopicState>;

/** Progress in one topic. Merged as a lattice (contract/rules/merge-progress.ts), so it never decreases. */
export const TopicProgress = z.object({
  topic_id: Id,
  state: TopicState,
  percent: Percent,
  completed_at: z.nullable(Instant),
  seconds: SecondsByDevice,
});
export type TopicProgress = z.infer<typeof TopicProgress>;

export const QuestionOutcome = z.object({ question_id: Id, correct: z.boolean(), feedback: z.string() });

/** One try at a quiz, submitted once and marked by the server. */
export const QuizSubmission = z.object({
  id: Id,
  quiz_id: Id,
  try_no: Count,
  score: Percent,
  passed: z.boolean(),
  submitted_at: Instant,
  received_at: Instant,
  outcomes: z.array(QuestionOutcome),
});
export type QuizSubmission = z.infer<typeof QuizSubmission>;

export const DraftAnswer = z.object({ quiz_id: Id, try_no: Count, question_id: Id, answer: Answer });
export type DraftAnswer = z.infer<typeof DraftAnswer>;

export const AttemptState = z.enum(['open', 'submitted', 'graded']);

export const AttemptResult = z.object({
  id: Id,
  completed_at: Instant,
  expires_at: z.nullable(Instant),
  score: z.nullable(Percent),
  certificate: z.boolean(),
});

/** A person's progress through one version of one content. `rev` grows with every accepted change. */
export const Attempt = z.object({
  id: Id,
  user_id: Id,
  content_id: Id,
  content_version: Count,
  content_title: z.string(),
  course_id: Id,
  course_title: z.string(),
  try_no: Count,
  state: AttemptState,
  closed: z.boolean(),
  percent: Percent,
  score: z.nullable(Percent),
  passed: z.nullable(z.boolean()),
  started_at: Instant,
  completed_at: z.nullable(Instant),
  last_topic_id: z.nullable(Id),
  rev: Count,
  progress: z.array(TopicProgress),
  submissions: z.array(QuizSubmission),
  answers: z.array(DraftAnswer),
  scorm: z.array(ScormItem),
  h5p: z.array(H5pItem),
  result: z.nullable(AttemptResult),
});
export type Attempt = z.infer<typeof Attempt>;
