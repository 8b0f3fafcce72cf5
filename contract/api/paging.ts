import * as z from 'zod/mini';

/** What a list that comes a page at a time is asked with. */
export const pageQuery = {
  page: z._default(z.coerce.number().check(z.gte(1), z.lte(1_000_000), z.int()), 1),
  per_page: z._default(z.coerce.number().check(z.gte(1), z.lte(100), z.int()), 25),
  search: z.optional(z.string().check(z.maxLength(200))),
};

/** What stands beside `data` in a paged answer. */
export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number };
