import * as z from 'zod/mini';
import { Choice, Day, Id, Ref } from '#contract/entities/fields.ts';

const Pence = z.nullable(
  z.int('Enter an amount in pounds and pence.').check(z.gte(0, 'Enter 0 or more.'), z.lte(100_000_000, 'Enter no more than £1,000,000.')),
);
/** The price of training in a course from a day on, in pence without VAT. */
export const TrainingPriceFields = z
  .object({
    course_id: Choice('Choose a course.'),
    per_person_pence: Pence,
    per_session_pence: Pence,
    /** Per cent. */
    vat_rate: z.number('Enter a rate in per cent.').check(z.gte(0, 'Enter 0 or more.'), z.lte(100, 'Enter no more than 100.'), z.multipleOf(0.01)),
    valid_from: Day,
  })
  .check(
    z.refine((price) => price.per_person_pence !== null || price.per_session_pence !== null, {
      error: 'Enter a price per person, per session, or both.',
      path: ['per_person_pence'],
    }),
  );
export const TrainingPrice = z.object({
  id: Id,
  course: Ref,
  entity: Ref,
  per_person_pence: z.nullable(z.int()),
  per_session_pence: z.nullable(z.int()),
  vat_rate: z.number(),
  valid_from: Day,
});
export type TrainingPrice = z.infer<typeof TrainingPrice>;
