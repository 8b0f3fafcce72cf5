import * as z from 'zod/mini';
import { Picture } from '#contract/entities/question.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** A question as its author sees it: with its answer, which the learner's document (`Question`) does not have. */

const text = (most: number, missing: string) =>
  z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
const Feedback = z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.'));
/** Identifies a choice within its question; it stays when the choice is reworded. */
const ChoiceId = z.string().check(z.regex(/^[\w-]{1,40}$/, 'This is not a valid id.'));
const Answer = text(500, 'Enter an answer.');
/** Answers name choices by their ids: two alike would overwrite one another. */
const ownIds = (message: string) => z.refine<readonly { id: string }[]>((list) => new Set(list.map(({ id }) => id)).size === list.length, message);

const Option = z.object({
  id: ChoiceId,
  text: Answer,
  correct: z.boolean(),
  /** Shown to people who chose it, after they have handed in. */
  feedback: Feedback,
  picture: z.optional(Picture),
});
const options = z
  .array(Option)
  .check(z.minLength(2, 'Enter at least two answers.'), z.maxLength(20, 'Use no more than 20 answers.'), ownIds('Two answers have the same id.'));
const correctOnes = (list: readonly { correct: boolean }[]) => list.filter((o) => o.correct).length;
const common = { id: z.optional(Id), prompt: text(2000, 'Enter a question.'), feedback: Feedback, picture: z.optional(Picture) };

/** A question without an `id` is a new one. `feedback` is shown after the try, whatever was answered. */
export const AuthoredQuestion = z.discriminatedUnion('kind', [
  z.object({
    ...{ ...common, kind: z.literal('single') },
    options: options.check(z.refine((list) => correctOnes(list) === 1, 'Mark the one right answer.')),
  }),
  z.object({
    ...{ ...common, kind: z.literal('multiple') },
    options: options.check(z.refine((list) => correctOnes(list) > 0, 'Mark at least one right answer.')),
  }),
  z.object({ ...common, kind: z.literal('true_false'), correct: z.boolean('Choose whether it is true or false.') }),
  z.object({
    ...{ ...common, kind: z.literal('match') },
    pairs: z
      .array(z.object({ id: ChoiceId, left: Answer, right: Answer }))
      .check(z.minLength(2, 'Enter at least two pairs.'), z.maxLength(20, 'Use no more than 20 pairs.'), ownIds('Two pairs have the same id.'))
      .check(
        z.refine(
          (pairs) => new Set(pairs.map((p) => p.right.toLowerCase())).size === pairs.length,
          'Two pairs have the same right side: nobody could tell them apart.',
        ),
      ),
  }),
  z.object({
    ...{ ...common, kind: z.literal('order') },
    /** In the right order. */
    items: z
      .array(z.object({ id: ChoiceId, text: Answer }))
      .check(
        z.minLength(2, 'Enter at least two things to put in order.'),
        z.maxLength(20, 'Use no more than 20 things to put in order.'),
        ownIds('Two things to put in order have the same id.'),
      ),
  }),
  z.object({
    ...{ ...common, kind: z.literal('fill_gap') },
    /** The text, alternating with the gaps: for each gap all accepted answers, regardless of case. */
    segments: z
      .array(
        z.union([
          z.string().check(z.maxLength(2000, 'Use no more than 2,000 characters.')),
          z.object({ gap: ChoiceId, accepted: z.array(Answer).check(z.minLength(1, 'Enter what is accepted in this gap.'), z.maxLength(20)) }),
        ]),
      )
      .check(
        z.minLength(1, 'Enter the text with its gaps.'),
        z.maxLength(60, 'Use no more than 30 gaps.'),
        z.refine((list) => list.some((s) => typeof s !== 'string'), 'Mark at least one gap.'),
        z.refine((list) => {
          const gaps = list.flatMap((s) => (typeof s === 'string' ? [] : [s.gap]));
          return new Set(gaps).size === gaps.length;
        }, 'Two gaps have the same id: write the text again.'),
      ),
  }),
  z.object({
    ...{ ...common, kind: z.literal('free_text') },
    min_words: Count.check(z.lte(1000, 'Ask for no more than 1,000 words.')),
  }),
]);
export type AuthoredQuestion = z.output<typeof AuthoredQuestion>;
export const questionKinds = [
  'single',
  'multiple',
  'true_false',
  'match',
  'order',
  'fill_gap',
  'free_text',
] as const satisfies AuthoredQuestion['kind'][];
