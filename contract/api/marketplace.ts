import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { ContentDocument } from '#contract/entities/content.ts';
import { Id } from '#contract/entities/fields.ts';
import { itemTypes, MarketplaceItem, MarketplaceItemFields, OfferedCourse } from '#contract/entities/marketplace.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** The marketplace: what providers offer to other organisations. The specification names its items and types; the calls are ours. */
/** Who can look for training: people who may request, make or manage bookings, and administrators of the organisation. */
export const mayOrder: readonly PermissionSlug[] = ['booking.request', 'booking.create', 'booking.manage', 'entity.update'];
/** People who manage what a training company offers. */
export const mayOffer: readonly PermissionSlug[] = ['training_company.update'];

const byId = z.object({ id: Id });
const common = { ours: true, offline: 'online-only' } as const;
const seen = { ...common, access: [...mayOrder, ...mayOffer] } as const;
const changed = { ...common, access: mayOffer } as const;
const readErrors = ['unauthenticated', 'forbidden'] as const;
const writeErrors = ['invalid_input', 'not_found', 'csrf_mismatch', ...readErrors] as const;
const [all, one] = ['/marketplace-items', '/marketplace-items/{id}'] as const;

export const listMarketplaceItems = endpoint({
  ...{ ...seen, id: 'listMarketplaceItems', method: 'GET', path: all },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.marketplace), type: z.optional(z.enum(itemTypes)), own: z.optional(z.stringbool()) }),
  ...{ response: z.array(MarketplaceItem), errors: readErrors },
  summary:
    'Lists what providers offer to the organisation of the caller: what is published for all or for clients of the provider, and all of the caller’s own. With `own`, only those.',
});
export const getMarketplaceItem = endpoint({
  ...{ ...seen, id: 'getMarketplaceItem', method: 'GET', path: one, params: byId, response: MarketplaceItem, errors: ['not_found', ...readErrors] },
  summary: 'Returns an item of the marketplace.',
});
export const tryMarketplaceItem = endpoint({
  ...{ ...seen, id: 'tryMarketplaceItem', method: 'GET', path: `${one}/preview`, params: byId, response: ContentDocument },
  errors: ['not_found', ...readErrors],
  summary: 'Returns the e-learning of an item, to be tried: nothing is begun, and nothing of it is recorded.',
});
export const listOfferedCourses = endpoint({
  ...{ ...common, access: mayOffer, id: 'listOfferedCourses', method: 'GET', path: '/marketplace-courses' },
  query: z.object({ ...pageQuery, type: z.enum(itemTypes) }),
  ...{ response: z.array(OfferedCourse), errors: readErrors },
  summary:
    'Lists the courses of which the caller’s organisation can offer something of a type, by title: licences of those that it has made, places on any that it has.',
});
export const createMarketplaceItem = endpoint({
  ...{ ...changed, id: 'createMarketplaceItem', method: 'POST', path: all, body: MarketplaceItemFields, response: MarketplaceItem, status: 201 },
  errors: writeErrors,
  summary:
    'Adds an item of the caller’s organisation, which is a training company or the platform’s own. E-learning is of a course that it has made.',
});
export const updateMarketplaceItem = endpoint({
  ...{ ...changed, id: 'updateMarketplaceItem', method: 'PATCH', path: one, params: byId, body: MarketplaceItemFields, response: MarketplaceItem },
  errors: writeErrors,
  summary: 'Changes an item of the caller’s organisation. What was submitted or ordered of it stays as it was.',
});
export const deleteMarketplaceItem = endpoint({
  ...{ ...changed, id: 'deleteMarketplaceItem', method: 'DELETE', path: one, params: byId, status: 204, errors: ['in_use', ...writeErrors] },
  summary: 'Deletes an item of the caller’s organisation that nobody has ordered; others are withdrawn by not publishing them.',
});

export const marketplaceEndpoints = [
  listMarketplaceItems,
  getMarketplaceItem,
  tryMarketplaceItem,
  listOfferedCourses,
  createMarketplaceItem,
  updateMarketplaceItem,
  deleteMarketplaceItem,
] as const;
