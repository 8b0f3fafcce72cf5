import * as z from 'zod/mini';
import { sortsOf } from '#contract/api/sorts.ts';

/** Query parameters of paged lists. */
export const pageQuery = {
  page: z._default(z.coerce.number().check(z.gte(1), z.lte(1_000_000), z.int()), 1),
  per_page: z._default(z.coerce.number().check(z.gte(1), z.lte(100), z.int()), 25),
  search: z.optional(z.string().check(z.maxLength(200))),
};

/** Several ids, separated by commas. */
export const Ids = z.string().check(z.regex(/^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,199}$/, 'Enter up to 200 ids, separated by commas.'));

/** Our addition: the sort order of a list. */
export const sortQuery = <const K extends string>(keys: readonly K[]) => ({
  sort: z.optional(z.enum(sortsOf(keys)).check(z.describe('Our addition: the sort order; a minus sign reverses it.'))),
});

/** `meta` of a paged response. `counts`, our addition: the number of rows for each choice of the filter. */
export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number; counts?: Record<string, number> };
