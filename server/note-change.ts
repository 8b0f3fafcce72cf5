import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { AuditAction, AuditSubject } from '#contract/entities/audit.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

/** Who makes a change, and from which address. */
export type By = { actor: Actor; request: Pick<FastifyRequest, 'ip'> };
type Fields = Record<string, unknown>;
type Change = {
  /** The organisation whose administrators can read the entry. */
  entityId: string;
  action: AuditAction;
  subject: { kind: AuditSubject; id: string; name: string };
  before?: Fields;
  after?: Fields;
};

/** The varying part of an entry, where the rest is the same for all calls. */
export type Noted = Pick<Change, 'action' | 'before' | 'after'>;

/**
 * Writes a change into the audit log, in the transaction that makes it: both happen, or neither. Only the differences between `before` and
 * `after` are stored; without any, nothing is written. Never pass secrets.
 */
export const noteChange = async (tx: Db, by: By, now: Date, change: Change): Promise<void> => {
  const { before, after } = change;
  const differs = (field: string) => !isDeepStrictEqual(before?.[field], after?.[field]);
  const pick = (of: Fields | undefined) => of && Object.fromEntries(Object.entries(of).filter(([field]) => !before || !after || differs(field)));
  const [was, is] = [pick(before), pick(after)];
  if (was && is && Object.keys({ ...was, ...is }).length === 0) return;
  await tx.run(
    often(sql`insert into audit_log (id, at, actor_id, acting_as_id, entity_id, action, subject_kind, subject_id, subject_name, before, after, address)
    values (${randomUUID()}, ${now}, ${by.actor.user.uuid}, ${by.actor.actingAs?.id ?? null}, ${change.entityId}, ${change.action}, ${change.subject.kind}, ${change.subject.id}, ${change.subject.name},
      ${was ? JSON.stringify(was) : null}, ${is ? JSON.stringify(is) : null}, ${by.request.ip})`),
  );
};
