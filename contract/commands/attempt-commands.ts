import * as z from 'zod/mini';
import { SecondsByDevice, TopicState } from '#contract/entities/attempt.ts';
import { Answer } from '#contract/entities/content.ts';
import { Count, Id, Instant, Percent } from '#contract/entities/fields.ts';

/**
 * Every change to an attempt that a device may queue. A change is a command with a fact, not a saved request: the same
 * payload is applied once, whenever it arrives. Raise `version` when a payload changes shape and teach
 * src/offline/outbox/upgrade.ts the old one.
 */
const change = { id: Id, version: z.literal(1), at: Instant, base_rev: z.optional(Count) };

export const StartAttempt = z.object({
  ...change,
  command: z.literal('attempt.start'),
  args: z.object({ content_id: Id, content_version: Count }),
});
export const RecordProgress = z.object({
  ...change,
  command: z.literal('attempt.progress'),
  args: z.object({ topic_id: Id, state: TopicState, percent: Percent, seconds: SecondsByDevice }),
});
export const SaveAnswer = z.object({
  ...change,
  command: z.literal('attempt.answer'),
  args: z.object({ quiz_id: Id, try_no: Count, question_id: Id, answer: Answer }),
});
export const SubmitQuiz = z.object({
  ...change,
  command: z.literal('attempt.submit_quiz'),
  args: z.object({ quiz_id: Id, try_no: Count, content_version: Count, answers: z.record(Id, Answer) }),
});

export const AttemptChange = z.discriminatedUnion('command', [StartAttempt, RecordProgress, SaveAnswer, SubmitQuiz]);
export type AttemptChange = z.infer<typeof AttemptChange>;
export type AttemptCommand = AttemptChange['command'];
export type ArgsOf<C extends AttemptCommand> = Extract<AttemptChange, { command: C }>['args'];

/** What the server says of one change. `conflict` and `refused` changes are archived on the server. */
export const ChangeOutcome = z.object({
  id: Id,
  outcome: z.enum(['applied', 'late', 'conflict', 'refused']),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** What a person can do about a conflict. The screen has a sentence for each (src/features/sync-centre). */
export const Resolution = z.enum(['keep_theirs', 'new_try', 'start_prerequisite', 'attach_evidence', 'ask_manager']);
export type Resolution = z.infer<typeof Resolution>;
