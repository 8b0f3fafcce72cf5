import { Button } from '@mantine/core';
import type { AuditAction, AuditEntry, AuditSubject } from '#contract/entities/audit.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/audit/audit.module.css';
import { useBrand } from '#src/access/brand.ts';
import { formatMoment } from '#src/lib/format.ts';
import { useList } from '#src/screens/use-list.ts';
import { IconHistory } from '#src/ui/icons.tsx';
import { ListPage } from '#src/screens/list-page.tsx';

const actions: Record<AuditAction, string> = {
  created: 'added',
  updated: 'changed',
  deleted: 'deleted',
  granted: 'gave',
  revoked: 'removed',
};
const kinds: Record<Exclude<AuditSubject, 'entity'>, string> = {
  user: 'person',
  role: 'job role',
  type: 'user type',
  branding: 'branding',
  course: 'course',
  content: 'content',
  category: 'category',
  tag: 'tag',
  event: 'event',
  compliance: 'compliance rule',
  pathway: 'pathway',
  certificate: 'care certificate of',
  session: 'training session',
  package: 'course package',
  h5p: 'H5P activity',
  import: 'import',
  sealed_work: 'sealed copy of work of',
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

const Differences = ({ entry }: { entry: AuditEntry }) => {
  const fields = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])];
  const told = fields.filter((f) => entry.before || !['nothing', 'no', 'off'].includes(words(entry.after?.[f])));
  return told.length > 0 ? (
    <dl className={classes.differences}>
      {told.map((field) => (
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

const load = ({ filter, ...query }: { page: number; search: string; filter: string }, signal: AbortSignal) =>
  call('GET /audit-log', { query: { ...query, ...(filter ? { entity: filter } : {}) } }, { signal });

/** The audit log of the organisations that the person can see, or of the one in the URL. */
export const Component = () => {
  const brand = useBrand();
  const list = useList(['audit log'], load);
  const kindOf = (kind: AuditSubject) => (kind === 'entity' ? brand.entityAltName.toLowerCase() : kinds[kind]);
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
      row={(entry) => (
        <article className={`app-card ${classes.entry}`} aria-label={`${entry.actor.name} ${deed(entry)} ${entry.subject.name}`}>
          <p>
            <strong>{entry.actor.name}</strong> {deed(entry)} the {kindOf(entry.subject.kind)} <strong>{entry.subject.name}</strong>
          </p>
          <small>
            {[
              formatMoment(entry.at),
              entry.entity.name,
              ...(entry.acting_as ? [`acting for ${entry.acting_as.name}`] : []),
              `from ${entry.address}`,
            ].join(' · ')}
          </small>
          <Differences entry={entry} />
        </article>
      )}
    />
  );
};
