import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Count, Ref } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { ReportFilter } from '#contract/reports/filter.ts';

/** Permissions, any of which lets somebody see one of the reports. */
export const seesReports: readonly PermissionSlug[] = ['report.matrix', 'report.compliance', 'report.results', 'certificate.user'];
const Refs = z.array(Ref);

export const reportSelection = endpoint({
  ...{
    id: 'reportSelection',
    method: 'POST',
    path: '/reports/selection',
    ours: true,
    body: ReportFilter,
    access: seesReports,
    offline: 'online-only',
    costly: true,
  },
  response: z.object({
    /** Null if there are too many to count. */
    ...{ people: z.nullable(Count), courses: Count },
    chosen: z.object({ entities: Refs, roles: Refs, tags: Refs, users: Refs, courses: Refs, pathways: Refs, certificates: Refs }),
  }),
  errors: ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'],
  summary:
    'Returns how many people and courses a filter of reports means, and the names of what it chose. What the caller may not see or does not exist has no name.',
});

export const reportsEndpoints = [reportSelection] as const;
