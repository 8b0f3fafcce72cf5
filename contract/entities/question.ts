import * as z from 'zod/mini';
import { Count, Id } from '#contract/entities/fields.ts';
import { Media } from '#contract/entities/media.ts';

/** A picture of a question or of one of its answers. `alt` and `decorative` as of a picture in a topic. */
export const Picture = z.object({
  media: Media,
  alt: z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.')),
  decorative: z.optional(z.boolean()),
});
export type Picture = z.infer<typeof Picture>;

const Option = z.object({ id: z.string(), text: z.string() });
/** An answer that is displayed on its own, so that it can have a picture. */
const PictureOption = z.object({ ...Option.shape, picture: z.optional(Picture) });
const question = { id: Id, prompt: z.string(), picture: z.optional(Picture) };

/** A question as sent to the learner, without the correct answer. */
export const Question = z.discriminatedUnion('kind', [
  z.object({ ...question, kind: z.literal('single'), options: z.array(PictureOption) }),
  z.object({ ...question, kind: z.literal('multiple'), options: z.array(PictureOption) }),
  z.object({ ...question, kind: z.literal('true_false') }),
  z.object({ ...question, kind: z.literal('match'), left: z.array(Option), right: z.array(Option) }),
  z.object({ ...question, kind: z.literal('order'), items: z.array(Option) }),
  z.object({ ...question, kind: z.literal('fill_gap'), segments: z.array(z.union([z.string(), z.object({ gap: z.string() })])) }),
  z.object({ ...question, kind: z.literal('free_text'), min_words: Count }),
]);
export type Question = z.infer<typeof Question>;

export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('single'), option: z.string() }),
  z.object({ kind: z.literal('multiple'), options: z.array(z.string()).check(z.maxLength(50)) }),
  z.object({ kind: z.literal('true_false'), value: z.boolean() }),
  z.object({ kind: z.literal('match'), pairs: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('order'), items: z.array(z.string()).check(z.maxLength(50)) }),
  z.object({ kind: z.literal('fill_gap'), gaps: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('free_text'), text: z.string().check(z.maxLength(10_000, 'Use no more than 10,000 characters.')) }),
]);
export type Answer = z.infer<typeof Answer>;

/** What is shown after a try: `feedback` whatever was answered, `feedbacks` for each chosen option, by its id. */
const feedbackFields = { feedback: z.string(), feedbacks: z.optional(z.record(z.string(), z.string())) };
/** The answer key of a question. For questions that count it stays on the server; devices only have those of practice questions. */
export const AnswerKey = z.discriminatedUnion('kind', [
  z.object({ ...feedbackFields, kind: z.literal('single'), option: z.string() }),
  z.object({ ...feedbackFields, kind: z.literal('multiple'), options: z.array(z.string()) }),
  z.object({ ...feedbackFields, kind: z.literal('true_false'), value: z.boolean() }),
  z.object({ ...feedbackFields, kind: z.literal('match'), pairs: z.record(z.string(), z.string()) }),
  z.object({ ...feedbackFields, kind: z.literal('order'), items: z.array(z.string()) }),
  z.object({ ...feedbackFields, kind: z.literal('fill_gap'), gaps: z.record(z.string(), z.array(z.string())) }),
  z.object({ ...feedbackFields, kind: z.literal('free_text'), min_words: Count }),
]);
export type AnswerKey = z.infer<typeof AnswerKey>;
