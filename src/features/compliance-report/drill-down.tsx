import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { PageMeta } from '#contract/api/paging.ts';
import { can } from '#contract/can.ts';
import type { DrillDownLine } from '#contract/entities/compliance-report.ts';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import type { ReportFilter } from '#contract/reports/filter.ts';
import { monthWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { Score } from '#src/features/compliance-report/score-cell.tsx';
import { queryWith } from '#src/lib/report-filter.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useQuery } from '#src/screens/use-query.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';

/**
 * The position of a drill-down, in the address: `in`: the chosen organisations or tag, from the outside in; `own`: only people who belong to the
 * last of them directly; `role`: the job role whose people are shown; `ended`: the month at whose end, instead
 * of now.
 */
const ownNames = ['by', 'in', 'own', 'roles_of', 'role', 'page', 'course', 'ended'] as const;
type Place = {
  by: 'entities' | 'tags';
  inside: readonly string[];
  own: boolean;
  rolesOf: boolean;
  role: string | null;
  course: string | null;
  ended: string | null;
};
/** Permissions to see tags elsewhere. */
const seesTags = ['tag.view', 'tag.manage', 'tag.link', 'tag.use'] as const;
const idPattern = /^[0-9a-f-]{36}$/;
const placeIn = (query: URLSearchParams): Place => {
  const id = (name: string) => (idPattern.test(query.get(name) ?? '') ? query.get(name) : null);
  return {
    by: query.get('by') === 'tags' ? 'tags' : 'entities',
    inside: (query.get('in') ?? '').split(',').filter((part) => idPattern.test(part)),
    ...{ own: query.has('own'), rolesOf: query.has('roles_of'), role: id('role'), course: id('course') },
    ended: /^\d{4}-(0[1-9]|1[0-2])$/.test(query.get('ended') ?? '') ? query.get('ended') : null,
  };
};
/** The address with another position of the drill-down. */
export const addressOf = (query: URLSearchParams, { by, inside, own, rolesOf, role, course, ended }: Partial<Place>): string => {
  const next = new URLSearchParams(query);
  for (const name of ownNames) next.delete(name);
  if (by === 'tags') next.set('by', 'tags');
  if (inside && inside.length > 0) next.set('in', inside.join(','));
  if (own) next.set('own', '1');
  if (rolesOf) next.set('roles_of', '1');
  if (role) next.set('role', role);
  if (course) next.set('course', course);
  if (ended) next.set('ended', ended);
  return `?${next}#behind`;
};

const number = (id: keyof DrillDownLine & string, header: string): Column<DrillDownLine> => ({
  ...{ id, header, width: 104, grow: 0.2, align: 'end', sort: true },
  value: (line) => line[id] as number,
});
const columnsOf = (head: string, people: boolean): readonly Column<DrillDownLine>[] => [
  { id: 'name', header: head, value: (l) => l.name, width: 200, sort: true },
  ...(people ? [{ id: 'place', header: 'Workplace', value: (l: DrillDownLine) => l.place ?? '', width: 170, grow: 0.6 }] : []),
  {
    ...{ id: 'score', header: 'In date', width: 110, grow: 0.2, keep: true, sort: true },
    ...{ value: (l) => (l.score === null ? '' : `${l.score} %`), order: (l) => l.score, cell: (l) => <Score score={l.score} /> },
  },
  { id: 'required', header: 'Due', value: (l) => l.required, width: 90, grow: 0.2, align: 'end', sort: true },
  number('expiring', 'Expires soon'),
  number('expired', 'Expired'),
  number('missing', 'Missing'),
  number('starter', 'New starters'),
];

type Shown = { lines: DrillDownLine[]; meta: PageMeta | undefined };
/** The people behind the numbers, now or at the end of a month: organisations or tags, then job roles, then people. */
export const DrillDown = ({ filter }: { filter: MatrixFilter }) => {
  const [query, setQuery] = useQuery();
  const me = useSession();
  const acting = useActingAs();
  const { entityAltName, entitiesAltName } = useBrand();
  const place = placeIn(query);
  const { by, inside, own, rolesOf, role, course, ended } = place;
  const page = Math.max(1, Number(query.get('page')) || 1);
  const current = inside.at(-1);
  /** Names of the chosen lines. */
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const commonQuery = {
    ...{ compliance_type: filter.compliance_type, new_starters_filter: filter.new_starters_filter },
    ...(course ? { courses: course } : filter.courses.length > 0 ? { courses: filter.courses.join(',') } : {}),
    ...(ended ? { month: ended } : {}),
  };
  const whose = own ? { ...commonQuery, own: '1' as const } : commonQuery;
  const level = current && role ? 'users' : current && (rolesOf || own || by === 'tags') ? 'roles' : by;
  const { state, retry } = useReadOf<Shown>(['drill-down', level, by, current, own, role, page, JSON.stringify(whose)], async (signal) => {
    const answer =
      level === 'users'
        ? await call(
            'GET /reports/drill-down/{x}/{y}/users',
            { params: { x: current ?? '', y: role ?? '' }, query: { ...whose, page, per_page: 50 } },
            { signal },
          )
        : level === 'roles'
          ? await call('GET /reports/drill-down/{x}/roles', { params: { x: current ?? '' }, query: whose }, { signal })
          : level === 'tags'
            ? await call('GET /reports/drill-down/tags', { query: commonQuery }, { signal })
            : await call('GET /reports/drill-down/entities', { query: { ...commonQuery, ...(current ? { entity: current } : {}) } }, { signal });
    return answer.kind === 'ok' ? { ...answer, data: { lines: answer.data, meta: answer.meta as PageMeta | undefined } } : answer;
  });
  const shown = state.kind === 'loaded' ? state.data : null;
  useEffect(() => {
    if (shown) setNames((before) => new Map([...before, ...shown.lines.map((l) => [l.id, l.name] as const)]));
  }, [shown]);
  // After pressing a line, the focus moves to the next lines.
  const top = useRef<HTMLDivElement>(null);
  const position = `${level} ${current} ${own} ${role}`;
  const before = useRef(position);
  useEffect(() => {
    if (before.current === position) return;
    before.current = position;
    top.current?.focus({ preventScroll: true });
  }, [position]);

  // For who sees all organisations the list begins with those that have none above them.
  const ownLine = me?.super_admin && !acting ? null : shown?.lines[0]?.id;
  // An organisation without people of its own has no line of its own.
  const isOwn = (line: DrillDownLine) => level === 'entities' && line.id === (current ?? ownLine) && !line.has_children;
  const go = (to: Partial<Place>) => addressOf(query, { by, course, ended, ...to });
  const linkOf = (line: DrillDownLine): string | null => {
    if (level === 'users') return pathTo('users-by-uuid', { uuid: line.id });
    if (level === 'roles') return go({ inside, own, rolesOf, role: line.id });
    if (level === 'tags') return go({ inside: [line.id] });
    if (isOwn(line)) return go({ inside: current ? inside : [line.id], own: true });
    return go({ inside: [...inside, line.id], rolesOf: line.has_children !== true });
  };
  const head = { entities: entityAltName, tags: 'Tag', roles: 'Job role', users: 'Person' }[level];
  const first = by === 'tags' ? 'All tags' : `All ${entitiesAltName.toLowerCase()}`;
  const crumbs = [
    { words: first, to: go({}) },
    ...inside.map((id, i) => ({
      words: names.get(id) ?? '…',
      to: go({ inside: inside.slice(0, i + 1), rolesOf: i === inside.length - 1 && rolesOf, own: i === inside.length - 1 && own }),
    })),
    ...(role ? [{ words: names.get(role) ?? '…', to: go({ inside, own, rolesOf, role }) }] : []),
  ];
  const lines = (shown?.lines ?? [])
    .filter((l) => !isOwn(l) || l.asked > 0)
    .map((l) => (isOwn(l) && (shown?.lines.length ?? 0) > 1 ? { ...l, name: `${l.name}: its own people` } : l));
  return (
    <Section
      title="Who is behind it"
      id="behind"
      tools={
        level === 'entities' &&
        current && (
          <Button variant="default" component={Link} to={go({ inside, rolesOf: true })}>
            Job roles of all of them
          </Button>
        )
      }
    >
      <p className={layout.count}>
        {ended === null ? 'As it is now' : `As it stood at the end of ${monthWords(ended)}`}
        {filter.roles.length + filter.users.length + filter.tags.length > 0 ? ', of everybody there' : ''}. Press a line to look closer.
        {(level === 'roles' || level === 'users') && ' Here each person counts under their first job role alone, so that the lines add up.'}
      </p>
      {ended !== null && (
        <p className={layout.count}>
          {shown?.lines.some((l) => l.worked_out)
            ? by === 'tags'
              ? 'Who had a tag was not kept with that month everywhere. Where it was not, this is worked out from the training records as they were known then, for those who work there and have the tag today, by what is required today, so the numbers can differ from those that were counted.'
              : 'Who was counted was not kept with that month everywhere. Where it was not, this is worked out from the training records as they were known then, for those who worked there then, by what is required today, so the numbers can differ from those that were counted.'
            : by === 'tags'
              ? 'These are the people who were counted for that month, with the tags that they had when it was counted. What was changed later does not change it.'
              : level === 'users'
                ? 'These are the people who were counted for that month, as they stood then. What was entered later, or is required since, does not change it.'
                : 'These numbers were counted for that month, and are not changed by what was entered later.'}{' '}
          {level === 'users' && 'Who works somewhere now that you do not see is in the numbers, and is not listed.'}{' '}
          <Link to={go({ inside, own, rolesOf, role, ended: null })}>How it is now</Link>
        </p>
      )}
      {can(me, seesTags) && (
        <Segmented
          aria-label="Look at"
          className={classes.choice}
          value={by}
          onChange={(next) =>
            setQuery(
              addressOf(query, { by: next as Place['by'], ended })
                .slice(1)
                .split('#')[0] ?? '',
              { replace: true },
            )
          }
          data={[
            { value: 'entities', label: entitiesAltName },
            { value: 'tags', label: 'Tags' },
          ]}
        />
      )}
      <div ref={top} tabIndex={-1} className={`${layout.stack} ${classes.level}`}>
        <nav aria-label="Where you look">
          <ol className={classes.crumbs}>
            {crumbs.map(({ words, to: path }, i) => (
              <li key={path}>{i === crumbs.length - 1 ? <span aria-current="location">{words}</span> : <Link to={path}>{words}</Link>}</li>
            ))}
          </ol>
        </nav>
        {course && (
          <p className={layout.count}>
            One course only. <Link to={go({ inside, own, rolesOf, role, course: null })}>All courses</Link>
          </p>
        )}
        <ReadPlaceholder state={state} retry={retry} loading="Counting who is behind it" offline="Who is behind it needs a connection." />
        {shown && lines.length === 0 && (
          <p>
            {level === 'tags'
              ? 'There are no tags.'
              : ended === null
                ? 'Nobody has anything due here.'
                : level === 'users'
                  ? by === 'tags'
                    ? 'Nobody with this tag and this job role, whom you see today, was counted then.'
                    : 'Nobody who had this job role here then, and whom you see today, was counted.'
                  : 'Nothing was due here then, or the month was not counted.'}
          </p>
        )}
        {lines.length > 0 && (
          <Table
            label={`${head}: how they ${ended === null ? 'stand now' : `stood at the end of ${monthWords(ended)}`}`}
            name={`drill-down-${level === 'users' ? 'people' : 'groups'}`}
            columns={columnsOf(head, level === 'users')}
            rows={lines}
            to={linkOf}
            exports={level === 'users'}
          />
        )}
        {shown?.meta && (
          <Pages
            last={shown.meta.last_page}
            page={shown.meta.current_page}
            onGoTo={(next) => {
              const address = new URLSearchParams(query);
              address.set('page', String(next));
              setQuery(address);
            }}
          />
        )}
      </div>
    </Section>
  );
};

/** The address of the page with another filter, which resets the drill-down. */
export const withFilter = (filter: ReportFilter, query: URLSearchParams): URLSearchParams => {
  const next = queryWith(filter, query);
  for (const name of ownNames) next.delete(name);
  return next;
};
