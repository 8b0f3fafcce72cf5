import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Id, Instant, Ref } from '#contract/entities/fields.ts';

export const auditSubjects = [
  'entity',
  'user',
  'role',
  'type',
  'compliance',
  'branding',
  'course',
  'content',
  'category',
  'tag',
  'event',
  'pathway',
  'certificate',
  'session',
  'venue',
  'package',
  'h5p',
  'import',
  'sealed_work',
] as const;
export type AuditSubject = (typeof auditSubjects)[number];
export const auditActions = ['created', 'updated', 'deleted', 'granted', 'revoked'] as const;
export type AuditAction = (typeof auditActions)[number];

/** One change in the audit log. `before` and `after` contain only the differences. */
export const AuditEntry = z.object({
  id: Id,
  at: Instant,
  actor: Ref,
  /** The organisation that the actor was acting for, if not their own. */
  acting_as: z.nullable(EntityRef),
  entity: EntityRef,
  action: z.enum(auditActions),
  subject: z.object({ kind: z.enum(auditSubjects), id: z.string(), name: z.string() }),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** The network address of the request. */
  address: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
