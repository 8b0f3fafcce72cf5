import * as z from 'zod/mini';
import { ContentType } from '#contract/entities/authored-content.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Choice, Count, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';

/** An item's kind: an e-learning course, used by licence, or places on a face-to-face course. */
export const itemTypes = ['elearning', 'face2face'] as const;
/** To whom it is offered: every organisation, or the clients of the provider. */
export const itemAudiences = ['all', 'clients'] as const;
/** The rates of VAT in the United Kingdom; 0 also for exempt items. */
export const vatRates = [20, 5, 0] as const;
/** The platform's share of a new item, in per cent of the net price, until a super administrator changes it. */
export const usualPlatformShare = 20;

export const Pence = z
  .int('Enter an amount, for example 12.50.')
  .check(z.gte(0, 'Enter 0 or more.'), z.lte(10_000_000, 'Enter no more than £100,000.'));
const Share = z.int('Enter a whole number of per cent.').check(z.gte(0, 'Enter 0 or more.'), z.lte(100, 'Enter no more than 100.'));

const itemFields = {
  type: z.enum(itemTypes),
  course_id: Choice('Choose a course.'),
  title: NeededLine(200, 'Enter a title.'),
  description: z.string().check(z.trim(), z.maxLength(4000, 'Use no more than 4,000 characters.')),
  /** Net price, for one of it. */
  price_pence: Pence,
  vat_rate: z.literal(vatRates),
  /** How many people one of it covers; null: everybody in the ordering organisation. */
  seats: z.nullable(z.int('Enter how many people it is for.').check(z.gte(1, 'Enter at least 1.'), z.lte(1000, 'Enter no more than 1,000.'))),
  /** For how long its licences are valid from the day of approval; null: indefinitely. */
  licence_months: z.nullable(z.int('Enter a whole number of months.').check(z.gte(1, 'Enter at least 1.'), z.lte(120, 'Enter no more than 120.'))),
  /** In per cent of the net price; the rest is the provider's. Set by a super administrator. */
  platform_share: z.optional(Share),
  published: z.boolean(),
  available_to: z.enum(itemAudiences),
};
/** An item as its provider edits it. */
export const MarketplaceItemFields = z.object(itemFields).check(
  z.refine((item) => item.seats !== null || item.licence_months !== null, {
    error: 'An item for everybody runs for a time: enter for how many months.',
    path: ['licence_months'],
  }),
  z.refine((item) => item.type === 'elearning' || item.seats !== null, { error: 'Enter how many places one of it has.', path: ['seats'] }),
);

/** An item of the marketplace. */
export const MarketplaceItem = z.object({
  ...itemFields,
  id: Id,
  course: Ref,
  provider: EntityRef,
  /** Including VAT. */
  gross_pence: Count,
  /** Null for those who only order. */
  platform_share: z.nullable(Share),
  /** Whether the caller can change it: their organisation is the provider. */
  own: z.boolean(),
  can_be_tried: z.boolean(),
  changed_at: Instant,
});
export type MarketplaceItem = z.infer<typeof MarketplaceItem>;

/** A course that can be offered, with its kinds of training. */
export const OfferedCourse = z.object({ id: Id, title: z.string(), types: z.array(ContentType) });
export type OfferedCourse = z.infer<typeof OfferedCourse>;
