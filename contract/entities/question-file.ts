import * as z from 'zod/mini';
import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { Count } from '#contract/entities/fields.ts';

/** Questions imported from a file of another program, as far as a quiz here supports them. Ours. */

export const questionFormats = ['gift', 'qti', 'moodle_xml'] as const;
/**
 * `bytes` of a file, `questions` in it, notes on one; `pictures` imported from one file, and their total bytes. Pictures that are not
 * re-encoded within `drawMs` are left out.
 */
export const questionFileLimits = {
  ...{ bytes: 20_000_000, questions: 1000, notes: 20, readMs: 20_000 },
  ...{ pictures: 500, pictureBytes: 100_000_000, drawMs: 60_000 },
} as const;

/**
 * A question that was found. `place`: where in the file. `question` is null if it cannot be imported, and `why` gives the reason; `notes`
 * say which parts have no counterpart and are left out. Its `pictures` are stored when it is imported (`TakenQuestions`); until then
 * `question` is without them.
 */
export const FoundQuestion = z.object({
  place: z.string(),
  text: z.string(),
  /** The number of its answers, pairs, items or gaps. */
  answers: Count,
  question: z.nullable(AuthoredQuestion),
  pictures: Count,
  why: z.nullable(z.string()),
  notes: z.array(z.string()),
});
export type FoundQuestion = z.infer<typeof FoundQuestion>;

export const QuestionFile = z.object({
  format: z.enum(questionFormats),
  /** The title in the file; empty if it has none. */
  title: z.string(),
  questions: z.array(FoundQuestion),
  /** What is left out of the file as a whole. */
  notes: z.array(z.string()),
});
export type QuestionFile = z.infer<typeof QuestionFile>;

/** Questions of a file with their pictures, which are stored as the organisation's own. */
export const TakenQuestions = z.object({
  /** `index`: its position among the questions that were found. */
  questions: z.array(z.object({ index: Count, question: AuthoredQuestion })),
  /** Pictures that could not be used after all, in sentences. Their questions are imported without them. */
  left: z.array(z.string()),
});
export type TakenQuestions = z.infer<typeof TakenQuestions>;
