import { Button, Title } from '@mantine/core';
import type { CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { matrixFields } from '#contract/matrix/filter.ts';
import type { MatrixCourse } from '#contract/matrix/messages.ts';
import { percentWords, statusWords } from '#contract/matrix/words.ts';
import type { MatrixLine } from '#contract/reports/matrix.ts';
import { readableInk } from '#contract/rules/colour.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/matrix/matrix-legacy.module.css';
import { countOf } from '#src/lib/format.ts';
import { filterIn, matrixFilterOf, queryWith } from '#src/lib/report-filter.ts';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { useQuery } from '#src/screens/use-query.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { IconChart } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

const label = 'Training matrix as a table';
const peopleOnPage = 25;

type LineCell = MatrixLine['cells'][number];
/** A status in words, with its expiry, on the colour of its traffic light. */
const Cell = ({ cell, kind }: { cell: LineCell; kind: 'primary' | 'secondary' | 'all' }) => {
  const { trafficLightOk, trafficLightWarning, trafficLightDanger, secondaryComplianceAltName } = useBrand();
  const type = ({ 1: 'primary', 2: 'secondary' } as const)[cell.type ?? 0];
  if (cell.status === 'not_required' || (kind !== 'all' && type !== kind)) return <td />;
  const light = { green: trafficLightOk, amber: trafficLightWarning, red: trafficLightDanger, none: null }[complianceColourOf[cell.status]];
  const colours = light && type ? ({ '--light': light, '--ink': readableInk(light) } as CSSProperties) : undefined;
  const words = statusWords[cell.status];
  const notes = [kind === 'all' && type === 'secondary' && secondaryComplianceAltName.toLowerCase(), !type && 'not required'];
  return (
    <td style={colours} data-lit={colours ? true : undefined}>
      {cell.exempt ? (cell.status === 'in_date' ? 'Exempt' : `Exempt, ${words.toLowerCase()}`) : words}
      {cell.latest_result_expires && <small>{dayWords(cell.latest_result_expires)}</small>}
      {notes.filter(Boolean).map((note) => (
        <small key={String(note)}>{note}</small>
      ))}
    </td>
  );
};

/** The training matrix as a plain table, a page of people at a time, for printing and for assistive technology. */
export const Component = () => {
  const [query, setQuery] = useQuery();
  const filter = filterIn(query);
  const matrixFilter = matrixFilterOf(filter);
  const wantedPage = Number(query.get('page'));
  const page = Number.isInteger(wantedPage) && wantedPage >= 1 && wantedPage <= 1_000_000 ? wantedPage : 1;
  const { state, retry } = useReadOf<MatrixLine[]>(['matrix as a table', page, matrixFilter], (signal) =>
    call('POST /reports/matrix', { query: { page, per_page: peopleOnPage }, body: matrixFilter }, { signal }),
  );
  const meta = state.kind === 'loaded' ? (state.meta as (typeof state.meta & { courses: MatrixCourse[] }) | undefined) : undefined;
  const goTo = (number: number) => {
    const next = new URLSearchParams(query);
    if (number === 1) next.delete('page');
    else next.set('page', String(number));
    setQuery(next);
  };
  const applyFilter = (to: typeof filter) => {
    const next = queryWith(to, query);
    next.delete('page');
    setQuery(next, { replace: true, afresh: ['page'] });
  };
  const matrixQuery = queryWith(filter, new URLSearchParams()).toString();
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {label}
        </Title>
        <div className={layout.tools}>
          <Button variant="default" component={Link} to={`${pathTo('reports-matrix')}${matrixQuery && `?${matrixQuery}`}`}>
            Training matrix
          </Button>
          {state.kind === 'loaded' && state.data.length > 0 && (
            <Button variant="default" onClick={() => print()}>
              Print
            </Button>
          )}
        </div>
      </div>
      <ReportFilter filter={filter} fields={matrixFields} onChange={applyFilter} />
      {state.kind === 'loading' && <LoadingState label="Preparing the matrix" />}
      {state.kind === 'offline' && <OfflineState what="The training matrix needs a connection." onRetry={retry} />}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState icon={<IconChart size={36} />} title="Nobody to show" action={page > 1 && <Button onClick={() => goTo(1)}>First page</Button>}>
          {page > 1 ? 'There is no such page.' : 'Nobody matches these filters.'}
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.length > 0 && meta && (
        <>
          <p className="visually-hidden" role="status">
            {texts.matrixFetched}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page must be scrollable with the keyboard */}
          <section className={classes.scroll} aria-label={label} tabIndex={0}>
            <table className={classes.table}>
              <caption>
                {countOf(meta.total, 'person', 'people')}, {countOf(meta.courses.length, 'course')}
                {meta.last_page > 1 && `. Page ${page} of ${meta.last_page}`}
              </caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">In date</th>
                  {meta.courses.map((course) => (
                    <th key={course.id} scope="col">
                      {course.title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {state.data.map((person) => (
                  <tr key={person.id}>
                    <th scope="row">
                      <Link to={pathTo('users-by-uuid', { uuid: person.id })}>{person.name}</Link>
                      <small>{[person.role_name, person.primary_entity_name].filter(Boolean).join(' · ')}</small>
                    </th>
                    <td>{percentWords(person.score)}</td>
                    {person.cells.map((cell) => (
                      <Cell key={cell.course_id} cell={cell} kind={matrixFilter.compliance_type} />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <div className={classes.pages}>
            <Pages last={meta.last_page} page={page} onGoTo={goTo} />
          </div>
        </>
      )}
    </div>
  );
};
