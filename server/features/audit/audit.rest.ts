import type { auditEndpoints } from '#contract/api/audit.ts';
import { auditPage } from '#server/features/audit/audit.rows.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** The audit log, read-only, for administrators. */
export const auditHandlers = ({ db }: Services): HandlersOf<typeof auditEndpoints> => ({
  listAuditEntries: ({ query, actor }) => auditPage(db, actor, query),
});
