import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { AuditEntry, auditSubjectKinds } from '#contract/entities/audit.ts';

export const listAuditEntries = endpoint({
  id: 'listAuditEntries',
  method: 'GET',
  path: '/audit-log',
  ours: true,
  summary: 'Lists every change in the organisations that the caller can see, newest first, in pages; searches by author and subject.',
  query: z.object({
    ...pageQuery,
    ...sortQuery(sorts.audit),
    entity: z.optional(z.string().check(z.maxLength(63))),
    kind: z.optional(z.enum(auditSubjectKinds)),
  }),
  response: z.array(AuditEntry),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['entity.update'],
  offline: 'online-only',
});

export const auditEndpoints = [listAuditEntries] as const;
