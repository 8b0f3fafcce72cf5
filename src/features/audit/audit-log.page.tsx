import shapes from '#src/ui/shapes.module.css';
import { Button } from '@mantine/core';
import { sorts } from '#contract/api/sorts.ts';
import { type AuditAction, type AuditEntry, type AuditSubject, auditSubjects } from '#contract/entities/audit.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/audit/audit.module.css';
import { useBrand } from '#src/access/brand.ts';
import { formatMoment } from '#src/lib/format.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { IconHistory } from '#src/ui/icons.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';

const actions: Record<AuditAction, string> = {
  created: 'added',
  updated: 'changed',
  deleted: 'deleted',
  granted: 'gave',
  revoked: 'removed',
};
/** Permissions are granted to someone; a course or content is itself assigned. */
const deed = ({ action, subject }: AuditEntry): string =>
  subject.kind === 'course' || subject.kind === 'content'
    ? actions[action]
    : action === 'granted'
      ? 'granted permissions to'
      : action === 'revoked'
        ? 'revoked permissions from'
        : actions[action];

/** Formats a value for display: empty, yes or no, and structured values on one line. */
const words = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(words).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([k, v]) => `${fieldWords(k)}: ${words(v)}`)
      .join(', ');
  return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? formatMoment(String(value)) : String(value);
};
const fieldWords = (field: string) => {
  const text = field.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The changed fields; for something new, only those with a value. */
const fieldsOf = ({ before, after }: AuditEntry): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (f) => before || !['nothing', 'no', 'off'].includes(words(after?.[f])),
  );
const differencesOf = (entry: AuditEntry): string =>
  fieldsOf(entry)
    .map(
      (f) => `${fieldWords(f)}: ${[...(entry.before ? [words(entry.before[f])] : []), ...(entry.after ? [words(entry.after[f])] : [])].join(' → ')}`,
    )
    .join('; ');

const Differences = ({ entry }: { entry: AuditEntry }) => {
  const changedFields = fieldsOf(entry);
  return changedFields.length > 0 ? (
    <dl className={`${shapes.facts} ${classes.differences}`}>
      {changedFields.map((field) => (
        <div key={field}>
          <dt>{fieldWords(field)}</dt>
          <dd>
            {entry.before && (
              <>
                <del>{words(entry.before[field])}</del> <span aria-hidden="true">→</span>{' '}
              </>
            )}
            {entry.after && <ins>{words(entry.after[field])}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  ) : null;
};

const load = ({ filter, ...query }: ListQuery<(typeof sorts.audit)[number]>, signal: AbortSignal) =>
  call('GET /audit-log', { query: { ...query, ...(filter ? { entity: filter } : {}) } }, { signal });

/** The audit log of the organisations that the person can see, or of the one in the URL. */
export const Component = () => {
  const brand = useBrand();
  const list = useList(['audit log'], load, { sortedBy: sorts.audit });
  const kindOf = (kind: AuditSubject) => (kind === 'entity' ? brand.entityAltName.toLowerCase() : auditSubjects[kind]);
  const sentence = (e: AuditEntry) => `${e.actor.name} ${deed(e)} the ${kindOf(e.subject.kind)} ${e.subject.name}`;
  const columns: readonly Column<AuditEntry>[] = [
    {
      ...{ id: 'change', header: 'Change', sort: 'actor', width: 240, value: sentence },
      cell: (e) => (
        <span className={classes.entry}>
          <strong>{e.actor.name}</strong> {deed(e)} the {kindOf(e.subject.kind)} <strong>{e.subject.name}</strong>
        </span>
      ),
    },
    { id: 'details', header: 'Details', width: 240, grow: 1.4, value: differencesOf, cell: (e) => differencesOf(e) && <Differences entry={e} /> },
    { id: 'at', header: 'When', sort: 'at', width: 160, grow: 0.4, value: (e) => formatMoment(e.at) },
    { id: 'place', header: 'Where', grow: 0.6, value: (e) => e.entity.name + (e.acting_as ? `, acting for ${e.acting_as.name}` : '') },
    { id: 'address', header: 'Address', width: 130, grow: 0.3, value: (e) => e.address, optional: true },
  ];
  return (
    <ListPage
      words={{
        ...{ title: 'Audit log', one: 'a change', many: 'changes', looksAt: 'Person or subject', none: 'No changes yet' },
        ...{ first: 'Every change is recorded in the audit log.', failed: 'The audit log could not be loaded.' },
      }}
      list={list}
      icon={<IconHistory size={36} />}
      add={
        list.filter !== '' && (
          <Button variant="default" onClick={() => list.setFilter('')}>
            Show all
          </Button>
        )
      }
      columns={columns}
    />
  );
};
