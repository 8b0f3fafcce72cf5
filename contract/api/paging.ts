import * as z from 'zod/mini';

/** Query parameters of paged lists. */
export const pageQuery = {
  page: z._default(z.coerce.number().check(z.gte(1), z.lte(1_000_000), z.int()), 1),
  per_page: z._default(z.coerce.number().check(z.gte(1), z.lte(100), z.int()), 25),
  search: z.optional(z.string().check(z.maxLength(200))),
};

/** `meta` of a paged response. */
export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number };
