import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id } from '#contract/entities/fields.ts';
import { UserRow } from '#contract/entities/user.ts';

export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  summary: 'People of the organisations that the caller can see, a page at a time; `meta` and `links` as the other lists.',
  query: z.object({
    page: z._default(z.coerce.number().check(z.gte(1), z.int()), 1),
    per_page: z._default(z.coerce.number().check(z.gte(1), z.lte(100), z.int()), 25),
    search: z.optional(z.string().check(z.maxLength(200))),
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

/** What stands beside `data` in a paged answer. */
export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number };

export const userEndpoints = [listUsers, getUser] as const;
