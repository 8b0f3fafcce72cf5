import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';

const most = 500;
const Ids = z._default(z.array(Id).check(z.maxLength(most, `Choose no more than ${most}.`)), []);

/** How a report treats people who are within their starter period. Source: the specification. */
export const starterFilters = ['include_new_starters', 'exclude_new_starters', 'new_starters_only'] as const;
/** Which requirements a report is about. `all` is ours. */
export const reportedTypes = ['primary', 'secondary', 'all'] as const;

/**
 * Whose training a matrix shows, and which courses. Empty lists: everybody one may see, and every course that one of them has to do.
 * People are those of the organisations and of all below them, with one of the job roles and one of the tags.
 */
export const MatrixFilter = z.object({
  ...{ entities: Ids, roles: Ids, tags: Ids, users: Ids, courses: Ids },
  compliance_type: z._default(z.enum(reportedTypes), 'primary'),
  new_starters_filter: z._default(z.enum(starterFilters), 'include_new_starters'),
});
export type MatrixFilter = z.output<typeof MatrixFilter>;
