import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { mayOffer, mayOrder } from '#contract/api/marketplace.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Id } from '#contract/entities/fields.ts';
import { Licence, mostLines, OrderRow, orderTexts, Quantity, TrainingBudget, TrainingOrder } from '#contract/entities/training-order.ts';
import { orderSteps } from '#contract/rules/order-states.ts';

/** Training orders: what an organisation orders in the marketplace, its approval within a budget, and the resulting licences. */
const byId = z.object({ id: Id });
const common = { ours: true, offline: 'online-only' } as const;
const seen = { ...common, access: [...mayOrder, ...mayOffer] } as const;
const ordered = { ...common, access: mayOrder } as const;
const readErrors = ['unauthenticated', 'forbidden'] as const;
const writeErrors = ['invalid_input', 'not_found', 'csrf_mismatch', ...readErrors] as const;
const [all, one] = ['/training-orders', '/training-orders/{id}'] as const;
const Year = z.coerce.number().check(z.int(), z.gte(2000), z.lte(2999));
export const orderFilters = ['open', 'waiting', 'done', 'short', 'clients'] as const;

const Lines = z.array(z.object({ item_id: Id, quantity: Quantity })).check(
  z.maxLength(mostLines, `Use no more than ${mostLines} items.`),
  z.refine((lines) => new Set(lines.map((l) => l.item_id)).size === lines.length, 'Name each item once.'),
);
/** The editable fields of a draft, all at once. */
export const OrderDraft = z.object({ ...orderTexts, lines: Lines, rev: z.int() });
export const OrderStepBody = z.object({
  step: z.enum(orderSteps),
  reason: z.optional(z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.'))),
  /** For submitting and approving: the gross sum that was displayed. */
  gross_pence: z.optional(z.int()),
});

export const listTrainingOrders = endpoint({
  ...{ ...seen, id: 'listTrainingOrders', method: 'GET', path: all },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.orders), filter: z.optional(z.enum(orderFilters)) }),
  ...{ response: z.array(OrderRow), errors: readErrors },
  summary:
    'Lists the orders of the caller’s organisation and below it, the newest first; with `short`, those of which few licences are left or none; with `clients`, what clients have ordered of it, from their approval on.',
});
export const getTrainingOrder = endpoint({
  ...{ ...seen, id: 'getTrainingOrder', method: 'GET', path: one, params: byId, response: TrainingOrder, errors: ['not_found', ...readErrors] },
  summary: 'Returns an order, with what the caller can do with it next.',
});
export const addToTrainingOrder = endpoint({
  ...{
    ...ordered,
    id: 'addToTrainingOrder',
    method: 'POST',
    path: all,
    body: z.object({ item_id: Id, quantity: Quantity }),
    response: TrainingOrder,
  },
  ...{ status: 201, errors: writeErrors },
  summary: 'Adds an item to the caller’s draft order with its provider; creates one if there is none.',
});
export const changeTrainingOrder = endpoint({
  ...{ ...ordered, id: 'changeTrainingOrder', method: 'PATCH', path: one, params: byId, body: OrderDraft, response: TrainingOrder },
  errors: ['rev_mismatch', 'already_decided', ...writeErrors],
  summary: 'Changes a draft as a whole.',
});
export const takeOrderStep = endpoint({
  ...{ ...seen, id: 'takeOrderStep', method: 'POST', path: `${one}/steps`, params: byId, body: OrderStepBody, response: TrainingOrder, status: 201 },
  errors: ['rev_mismatch', 'already_decided', ...writeErrors],
  summary:
    'Takes an order to its next state. Approving gives the organisation the e-learning in it, with its licences. An order without face-to-face training is then fulfilled at once; others are fulfilled, or cancelled with a reason, by the provider.',
});
export const renewTrainingOrder = endpoint({
  ...{ ...ordered, id: 'renewTrainingOrder', method: 'POST', path: `${one}/renewal`, params: byId, response: TrainingOrder, status: 201 },
  errors: writeErrors,
  summary:
    'Begins an order of the same items, as they are offered today. When it is approved, those who hold a licence of the old one get one of the new.',
});
export const orderLicences = endpoint({
  ...{
    ...ordered,
    id: 'orderLicences',
    method: 'GET',
    path: `${one}/licences`,
    params: byId,
    response: z.array(Licence),
    errors: ['not_found', ...readErrors],
  },
  summary: 'Lists the licences of an order: who has them, and who has begun and completed the course since. Only for the client.',
});
export const assignLicences = endpoint({
  ...{ ...ordered, id: 'assignLicences', method: 'POST', path: `${one}/licences`, params: byId, response: z.array(Licence), status: 201 },
  body: z.object({ line_id: Id, user_ids: z.array(Id).check(z.minLength(1, 'Choose at least one person.'), z.maxLength(500)) }),
  errors: writeErrors,
  summary: 'Assigns free licences to people. Anyone who has one already keeps it; if there are not enough, nobody gets one.',
});
export const releaseLicence = endpoint({
  ...{ ...ordered, id: 'releaseLicence', method: 'DELETE', path: `${one}/licences/{licence}`, params: z.object({ id: Id, licence: Id }) },
  ...{ response: z.array(Licence), errors: ['in_use', ...writeErrors] },
  summary: 'Releases an unused licence for somebody else. Refused once the person has begun.',
});
export const orderInvoice = endpoint({
  ...{ ...seen, id: 'orderInvoice', method: 'GET', path: `${one}/invoice`, params: byId, file: 'application/octet-stream' },
  query: z.object({ format: z._default(z.enum(['pdf', 'csv']), 'pdf') }),
  errors: ['invalid_input', 'not_found', ...readErrors],
  summary: 'The lines of an approved order for accounts, as PDF or CSV: net, VAT and gross, and for its provider and the platform their shares.',
});
export const getTrainingBudget = endpoint({
  ...{
    ...ordered,
    id: 'getTrainingBudget',
    method: 'GET',
    path: '/training-budget',
    query: z.object({ year: z.optional(Year) }),
    response: TrainingBudget,
  },
  errors: readErrors,
  summary:
    'Returns the budget of the caller’s organisation for a year, or that of the nearest one above which has one: what is reserved, and what is spent.',
});
export const setTrainingBudget = endpoint({
  ...{ ...common, access: ['entity.update'], id: 'setTrainingBudget', method: 'PATCH', path: '/training-budget', response: TrainingBudget },
  body: z.object({
    year: z.int().check(z.gte(2000), z.lte(2999)),
    amount: z.int('Enter an amount, for example 12.50.').check(z.gte(0, 'Enter 0 or more.'), z.lte(1_000_000_000, 'Enter no more than £10,000,000.')),
  }),
  errors: writeErrors,
  summary: 'Sets the budget of the caller’s organisation for a year.',
});

export const trainingOrderEndpoints = [
  listTrainingOrders,
  getTrainingOrder,
  addToTrainingOrder,
  changeTrainingOrder,
  takeOrderStep,
  renewTrainingOrder,
  orderLicences,
  assignLicences,
  releaseLicence,
  orderInvoice,
  getTrainingBudget,
  setTrainingBudget,
] as const;
