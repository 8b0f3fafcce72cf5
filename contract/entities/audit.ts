import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Id, Instant, Ref } from '#contract/entities/fields.ts';

/** The kinds of subjects in the audit log, and the words before their names. Organisations use the word of their branding. */
export const auditSubjects = {
  entity: 'organisation',
  user: 'person',
  role: 'job role',
  type: 'user type',
  compliance: 'compliance rule',
  branding: 'branding',
  course: 'course',
  content: 'content',
  lesson: 'lesson',
  topic: 'topic',
  quiz: 'quiz',
  category: 'category',
  tag: 'tag',
  event: 'event',
  pathway: 'pathway',
  certificate: 'care certificate of',
  session: 'training session',
  booking: 'booking',
  venue: 'venue',
  item: 'marketplace item',
  order: 'training order',
  budget: 'training budget',
  training_company: 'settings of the training company',
  training_client: 'training client',
  training_provider: 'training provider',
  training_price: 'price of',
  trainer: 'trainer',
  package: 'course package',
  h5p: 'H5P activity',
  import: 'import',
  inspection: 'inspection pack',
  dashboard: 'arrangement of the',
  report_preset: 'report preset',
  report_schedule: 'report schedule',
  sealed_work: 'sealed copy of work of',
} as const;
export type AuditSubject = keyof typeof auditSubjects;
export const auditSubjectKinds = Object.keys(auditSubjects) as AuditSubject[];
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
  subject: z.object({ kind: z.enum(auditSubjectKinds), id: z.string(), name: z.string() }),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** The network address of the request. */
  address: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
