import * as z from 'zod/mini';
import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { Count } from '#contract/entities/fields.ts';

/** The questions in a file of another program, as far as a quiz here can have them. Ours. */

export const questionFormats = ['gift', 'qti', 'moodle_xml'] as const;
/**
 * `bytes` of a file, `questions` in it, sentences on one; `pictures` that come along of one file, and their bytes together.
 * What has not been drawn of these within `drawMs` is left behind.
 */
export const questionFileLimits = {
  ...{ bytes: 20_000_000, questions: 1000, notes: 20, readMs: 20_000 },
  ...{ pictures: 500, pictureBytes: 100_000_000, drawMs: 60_000 },
} as const;

/**
 * A question that was found. `place` says where in the file. `question` is null where it cannot be taken, and `why` says why not;
 * `notes` say what of it has no counterpart and is left behind. `pictures` of it come along when it is taken (`TakenQuestions`): until
 * then nothing of them is kept, and `question` is without them.
 */
export const FoundQuestion = z.object({
  place: z.string(),
  text: z.string(),
  /** How many answers, pairs, things in order or gaps it has. */
  answers: Count,
  question: z.nullable(AuthoredQuestion),
  pictures: Count,
  why: z.nullable(z.string()),
  notes: z.array(z.string()),
});
export type FoundQuestion = z.infer<typeof FoundQuestion>;

export const QuestionFile = z.object({
  format: z.enum(questionFormats),
  /** What the file calls itself; empty where it does not. */
  title: z.string(),
  questions: z.array(FoundQuestion),
  /** What of the file as a whole is left behind. */
  notes: z.array(z.string()),
});
export type QuestionFile = z.infer<typeof QuestionFile>;

/** Questions of a file with their pictures, which the organisation has from now on as those that it uploads. */
export const TakenQuestions = z.object({
  /** `index`: which one it is of those that were found. */
  questions: z.array(z.object({ index: Count, question: AuthoredQuestion })),
  /** Which pictures could not be used after all, in sentences. Their questions come without them. */
  left: z.array(z.string()),
});
export type TakenQuestions = z.infer<typeof TakenQuestions>;
