import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { Id } from '#contract/entities/fields.ts';
import { UserRow } from '#contract/entities/user.ts';

export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  summary: 'People of the organisations that the caller can see, a page at a time; `meta` and `links` as the other lists.',
  query: z.object({
    ...pageQuery,
    is_trainer: z.optional(z.enum(['0', '1'])),
    actingAs: z.optional(z.string().check(z.maxLength(63))),
  }),
  response: z.array(UserRow),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: [21],
  offline: 'online-only',
});
export const getUser = endpoint({
  id: 'getUser',
  method: 'GET',
  path: '/users/{id}',
  summary: 'One person.',
  params: z.object({ id: Id }),
  response: UserRow,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

export const userEndpoints = [listUsers, getUser] as const;
