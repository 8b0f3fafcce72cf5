import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Id, Instant, Line, Ref } from '#contract/entities/fields.ts';
import { itemTypes } from '#contract/entities/marketplace.ts';
import { licenceShortages } from '#contract/rules/licence-use.ts';
import { orderStates, orderSteps } from '#contract/rules/order-states.ts';

/** The quantity of one item. */
export const Quantity = z.int('Enter a whole number.').check(z.gte(1, 'Enter at least 1.'), z.lte(500, 'Enter no more than 500.'));
export const mostLines = 50;
/** The most licences that one line of an order can create. */
export const mostLicences = 5000;

/** The client’s own reference, which is printed on the invoice; and a note for those who approve the order, which only the client sees. */
export const orderTexts = { reference: Line(100), note: z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.')) };
const amounts = { net_pence: Count, vat_pence: Count, gross_pence: Count };
/** Null for the client, who pays one price. */
const shares = { platform_pence: z.nullable(Count), provider_pence: z.nullable(Count) };

/** Licences of a line: how many there are, how many are assigned, and how many of those people have begun. */
const LicenceCounts = z.object({ total: Count, assigned: Count, begun: Count });

/** A line of an order. A draft costs what the item costs now; once submitted, the price is fixed. */
export const OrderLine = z.object({
  id: Id,
  item_id: Id,
  title: z.string(),
  type: z.enum(itemTypes),
  course: Ref,
  quantity: Count,
  price_pence: Count,
  vat_rate: Count,
  seats: z.nullable(Count),
  licence_months: z.nullable(Count),
  /** The item is no longer offered: a draft with it cannot be submitted. */
  withdrawn: z.boolean(),
  /** The caller can see its item in the marketplace and order more of it. */
  offered: z.boolean(),
  ...amounts,
  ...shares,
  /** Null for the provider. */
  licences: z.nullable(LicenceCounts),
  /** Whether licences of this course are running out, counting all orders of the client. Null for the provider. */
  shortage: z.nullable(z.enum(licenceShortages)),
  expires_at: z.nullable(Instant),
});
export type OrderLine = z.infer<typeof OrderLine>;

/**
 * What reduces a budget, in pence: orders waiting for approval, places booked on coming sessions, and what was approved or has taken place.
 */
const taken = { reserved: Count, booked: Count, spent: Count };
/** The budget of an order, with what everything except this order takes from it. */
export const OrderBudget = z.object({ entity: EntityRef, year: Count, amount: Count, ...taken });
export type OrderBudget = z.infer<typeof OrderBudget>;

export const OrderRow = z.object({
  id: Id,
  number: z.string(),
  entity: EntityRef,
  provider: EntityRef,
  state: z.enum(orderStates),
  /** Its contents, in one line. */
  about: z.string(),
  /** Whether few or no licences of it are left, counting all orders of the client for a course. Only for the client. */
  shortage: z.nullable(z.enum(licenceShortages)),
  gross_pence: Count,
  created_at: Instant,
  submitted_at: z.nullable(Instant),
});
export type OrderRow = z.infer<typeof OrderRow>;

export const TrainingOrder = z.object({
  ...OrderRow.shape,
  rev: Count,
  /** The caller's side: the client that orders, or the provider, who only sees what was approved. */
  side: z.enum(['client', 'provider']),
  reference: z.string(),
  note: z.nullable(z.string()),
  created_by: z.nullable(Ref),
  approved_at: z.nullable(Instant),
  renews: z.nullable(z.object({ id: Id, number: z.string() })),
  lines: z.array(OrderLine),
  ...amounts,
  ...shares,
  /** For the client: who did what when, oldest first. */
  history: z.array(z.object({ step: z.enum(orderSteps), by: Ref, at: Instant, reason: z.string() })),
  /** Null if nobody has set one, and for the provider. */
  budget: z.nullable(OrderBudget),
  /** It exceeds what is left of the budget, or there is none. */
  over_budget: z.boolean(),
  /** The next steps that the caller may take. */
  may: z.array(z.enum(orderSteps)),
  /** Why the caller may not approve it, if it waits for approval. */
  may_not_approve: z.nullable(z.string()),
});
export type TrainingOrder = z.infer<typeof TrainingOrder>;

/** A licence of an order. A licence for everybody has no person. */
export const Licence = z.object({
  id: Id,
  line_id: Id,
  course: Ref,
  for_all: z.boolean(),
  user: z.nullable(Ref),
  assigned_at: z.nullable(Instant),
  expires_at: z.nullable(Instant),
  ended: z.boolean(),
  begun: z.boolean(),
  completed: z.boolean(),
});
export type Licence = z.infer<typeof Licence>;

export const TrainingBudget = z.object({
  entity: EntityRef,
  year: Count,
  amount: z.nullable(Count),
  ...taken,
  may_set: z.boolean(),
});
export type TrainingBudget = z.infer<typeof TrainingBudget>;
