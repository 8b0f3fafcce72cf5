import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { DraftAnswer, SecondsByDevice, TopicState } from '#contract/entities/attempt.ts';
import { Answer } from '#contract/entities/content.ts';
import { Count, Id, Percent } from '#contract/entities/fields.ts';
import { H5pPlace, ItemId, ScormFacts, Statement } from '#contract/entities/package-work.ts';

/** Every change to an attempt that a device may queue. */
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
export const SaveAnswer = z.object({ ...change, command: z.literal('attempt.answer'), args: DraftAnswer });
export const SubmitQuiz = z.object({
  ...change,
  command: z.literal('attempt.submit_quiz'),
  args: z.object({
    ...{ quiz_id: Id, try_no: Count, content_version: Count, answers: z.record(Id, Answer) },
    /** The try whose questions the person saw, if it is another: the one that was handed in elsewhere first, or of the attempt begun here. */
    shown: z.optional(z.object({ attempt_id: Id, try_no: Count })),
  }),
});
/** The progress of one session of a SCORM package. A fact of that session: it is always accepted. */
export const CommitScorm = z.object({
  ...change,
  command: z.literal('attempt.scorm_commit'),
  args: z.object({ item_id: ItemId, session_id: Id, ...ScormFacts.shape }),
});
/** Chooses the session from which a package resumes, replacing the one named. Only this can conflict. */
export const ResumeScorm = z.object({
  ...change,
  command: z.literal('attempt.scorm_resume'),
  args: z.object({ item_id: ItemId, session_id: Id, instead_of: z.nullable(Id) }),
});
/** Statements that an H5P activity reported: stored permanently, each once. */
export const RecordStatements = z.object({
  ...change,
  command: z.literal('attempt.h5p_statements'),
  args: z.object({ item_id: ItemId, statements: z.array(Statement).check(z.minLength(1), z.maxLength(500)) }),
});
/** A person's position in an H5P activity: the last one to arrive wins. */
export const SaveH5pState = z.object({
  ...change,
  command: z.literal('attempt.h5p_state'),
  args: z.object({ item_id: ItemId, state: H5pPlace }),
});

export const AttemptChange = z.discriminatedUnion('command', [
  StartAttempt,
  RecordProgress,
  SaveAnswer,
  SubmitQuiz,
  CommitScorm,
  ResumeScorm,
  RecordStatements,
  SaveH5pState,
]);
export type AttemptChange = z.infer<typeof AttemptChange>;
export type AttemptCommand = AttemptChange['command'];
