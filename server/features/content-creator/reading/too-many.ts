import { questionFileLimits } from '#contract/entities/question-file.ts';
import { invalid } from '#server/product-error.ts';

/** Refuses a file with more questions than anybody would look through. */
export const tooManyQuestions = (found: number): Error =>
  invalid(
    'file',
    `This file has ${found.toLocaleString('en-GB')} questions; ${questionFileLimits.questions.toLocaleString('en-GB')} is the most. Divide it into several files.`,
  );
