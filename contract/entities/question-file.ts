import * as z from 'zod/mini';
import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { Count } from '#contract/entities/fields.ts';

/** The questions in a file of another program, as far as a quiz here can have them. Ours. */

export const questionFormats = ['gift', 'qti', 'moodle_xml'] as const;
/** `bytes` of a file, `questions` in it, characters of what is said of one. */
export const questionFileLimits = { bytes: 20_000_000, questions: 1000, notes: 20, readMs: 20_000 } as const;

/**
 * A question that was found. `place` says where in the file. `question` is null where it cannot be taken, and `why` says why not;
 * `notes` say what of it has no counterpart and is left behind.
 */
export const FoundQuestion = z.object({
  place: z.string(),
  text: z.string(),
  /** How many answers, pairs, things in order or gaps it has. */
  answers: Count,
  question: z.nullable(AuthoredQuestion),
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
