import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Entity, EntityRef, EntityRow, EntityScore, entityFields, entityLevels, scoreKinds } from '#contract/entities/entity.ts';
import { someOf } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
/** By id or by slug. */
const one = z.object({ id: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'This is not a valid id.')) });

export const listEntities = endpoint({
  id: 'listEntities',
  method: 'GET',
  path: '/entities',
  summary: 'Lists the organisations that the caller can see, each below its parent, in pages; searches by name, code, level or kind.',
  query: z.object({
    ...pageQuery,
    ...sortQuery(sorts.entities),
    level: z.optional(z.enum(entityLevels)),
    is_training_company: z.optional(z.enum(['0', '1'])),
    actingAs: z.optional(z.string().check(z.maxLength(63))),
  }),
  response: z.array(EntityRow),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['entity.search'],
  offline: 'online-only',
});
export const ownOrganisation = endpoint({
  id: 'ownOrganisation',
  method: 'GET',
  path: '/entities/organisation',
  summary: 'Returns the organisation at the top of the caller’s tree.',
  response: EntityRef,
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const getEntity = endpoint({
  id: 'getEntity',
  method: 'GET',
  path: '/entities/{id}',
  summary: 'Returns an organisation by its id or slug.',
  params: one,
  response: Entity,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['entity.view', 'entity.update'],
  offline: 'online-only',
});
export const listChildEntities = endpoint({
  id: 'listChildEntities',
  method: 'GET',
  path: '/entities/{id}/children',
  summary: 'Lists the organisations directly below one, by name.',
  params: one,
  response: z.array(EntityRow),
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['entity.search', 'entity.view', 'entity.update'],
  offline: 'online-only',
});
export const entityScore = endpoint({
  id: 'entityScore',
  method: 'GET',
  path: '/entities/{id}/score/{x}',
  summary:
    'Returns the share of required courses that is in date in an organisation and below it. Answers 202 while it is being calculated: repeat the request after 5 s. The result is cached for 10 minutes.',
  params: z.object({ ...one.shape, x: z.enum(scoreKinds) }),
  response: EntityScore,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'],
  access: ['entity.view', 'entity.update'],
  offline: 'online-only',
});
const { name, level, parent_id, ...others } = entityFields;
export const createEntity = endpoint({
  id: 'createEntity',
  method: 'POST',
  path: '/entities',
  summary: 'Adds an organisation below one that the caller can see. Only super administrators can add one at the top.',
  body: z.object({ name, level, parent_id, ...z.partial(z.object(others)).shape }),
  response: Entity,
  status: 201,
  errors: writeErrors,
  access: ['entity.create'],
  offline: 'online-only',
});
const anyField: PermissionSlug[] = [
  'entity.update',
  'entity.contact',
  'entity.expiry_warning',
  'entity.starter_period',
  'entity.parent',
  'entity.notes_update',
];
export const updateEntity = endpoint({
  id: 'updateEntity',
  method: 'PATCH',
  path: '/entities/{id}',
  summary:
    'Changes an organisation. Some fields require their own permission (entity.contact, entity.expiry_warning, entity.starter_period, entity.parent, entity.notes_update), all others entity.update.',
  params: one,
  body: someOf(entityFields),
  response: Entity,
  errors: [...writeErrors, 'last_administrator'],
  access: anyField,
  offline: 'online-only',
});

export const entityEndpoints = [listEntities, ownOrganisation, getEntity, listChildEntities, entityScore, createEntity, updateEntity] as const;
