import { Button, Checkbox, Select, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ComplianceReport } from '#contract/entities/compliance-report.ts';
import { matrixFields } from '#contract/matrix/filter.ts';
import { plainFilter } from '#contract/reports/filter.ts';
import { complianceRowsReport } from '#contract/reports/compliance.ts';
import { monthWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useBrand } from '#src/access/brand.ts';
import { addressOf, DrillDown, withFilter } from '#src/features/compliance-report/drill-down.tsx';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { HeatMap } from '#src/features/compliance-report/heat-map.tsx';
import { type MonthRow, MonthTable } from '#src/features/compliance-report/month-table.tsx';
import { PlaceScores } from '#src/features/compliance-report/place-scores.tsx';
import { ReportPlaceholder } from '#src/features/compliance-report/report-placeholder.tsx';
import {
  askedOf,
  chosenWords,
  monthChoices,
  scoreOf,
  type ReportView,
  useComplianceReport,
  viewIn,
} from '#src/features/compliance-report/report-view.ts';
import { Bands, Score } from '#src/features/compliance-report/score-cell.tsx';
import { mostLines, type TrendLine, TrendLines } from '#src/features/compliance-report/trend-lines.tsx';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { choicesIn } from '#src/lib/report-filter.ts';
import { ReportFileButtons, ReportFileState, ReportMailButton } from '#src/screens/report-files.tsx';
import { PresetBar, presetParam } from '#src/screens/report-presets.tsx';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { useQuery } from '#src/screens/use-query.ts';
import { useReportFile } from '#src/screens/use-report-file.ts';
import { IconChart, IconPrint } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { EmptyState } from '#src/ui/states.tsx';

const rowsAtOnce = 40;

/** The share of required training in date, month by month, by organisation and course, with the people behind each number. */
export const Component = () => {
  const [query, setQuery] = useQuery();
  const view = viewIn(query);
  const { state, retry } = useComplianceReport(view);
  const report = state.kind === 'loaded' ? state.data : null;
  const request = askedOf(view);
  const file = useReportFile(complianceRowsReport.path, request, '');
  const set = (name: string, value: string | null) => {
    const next = new URLSearchParams(query);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true });
  };
  const isEmpty = report !== null && report.entities.length === 0;
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Compliance report
        </Title>
        <div className={layout.tools}>
          {report && !isEmpty && <ReportFileButtons report={complianceRowsReport} file={file} formats={['xlsx', 'pdf', 'csv']} />}
          {report && !isEmpty && <ReportMailButton report={complianceRowsReport} filter={request} format="xlsx" />}
          <Button variant="default" component={Link} to={`${pathTo('reports-compliance-legacy')}?${query}`}>
            As a plain table
          </Button>
          <Button variant="default" leftSection={<IconPrint size={20} />} disabled={!report || isEmpty} onClick={() => print()}>
            Print
          </Button>
        </div>
      </div>
      <ReportFileState file={file} />
      <div className={classes.screenOnly}>
        <ReportFilter
          filter={view.panel}
          fields={matrixFields}
          onChange={(to) => setQuery(withFilter(to, query), { replace: true })}
          saved={
            <PresetBar
              report={complianceRowsReport}
              filter={request}
              plain={choicesIn(view.panel, [...matrixFields, 'previousMonths']) === 0}
              onApply={(to, preset) => {
                const next = withFilter({ ...plainFilter, ...to }, query);
                next.set(presetParam, preset);
                setQuery(next, { replace: true });
              }}
            />
          }
        />
      </div>
      <ReportPlaceholder state={state} retry={retry} asked={request} />
      {isEmpty && (
        <EmptyState icon={<IconChart size={36} />} title="Nothing to show">
          {choicesIn(view.panel, matrixFields) > 0
            ? 'Nothing that is required matches all of these choices.'
            : 'Numbers appear here when a job role of one of your people requires a course.'}
        </EmptyState>
      )}
      {report && !isEmpty && <Shown key={JSON.stringify(view.filter)} report={report} view={view} query={query} set={set} />}
    </div>
  );
};

type ShownProps = { report: ComplianceReport; view: ReportView; query: URLSearchParams; set: (name: string, value: string | null) => void };
const Shown = ({ report, view, query, set }: ShownProps) => {
  const { months, courses, entities } = report;
  const { entityAltName, entitiesAltName, primaryComplianceAltName: primary, secondaryComplianceAltName: secondary } = useBrand();
  const [page, setPage] = useState(1);
  const [heatPage, setHeatPage] = useState(1);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [worstFirst, setWorstFirst] = useState(false);
  const today = months.at(-1);
  const before = months.at(-2);
  const nowAt = months.length - 1;
  const named: readonly MonthRow[] = view.of === 'courses' ? courses.map((c) => ({ ...c, name: c.title })) : entities;
  const nowOf = (row: MonthRow) => scoreOf(row.in_date[nowAt], row.required[nowAt]) ?? 101;
  const rows = worstFirst ? [...named].sort((a, b) => nowOf(a) - nowOf(b)) : named;
  const shownRows = rows.slice((page - 1) * rowsAtOnce, page * rowsAtOnce);
  // By default the first few, which are also the first rows below.
  const linesOf = chosen ?? rows.slice(0, 3).map((r) => r.id);
  const lines: TrendLine[] = [
    { id: 'all', name: 'All', scores: months.map((m) => m.score) },
    ...linesOf.flatMap((id) => {
      const row = named.find((r) => r.id === id);
      return row ? [{ id, name: row.name, scores: months.map((_, i) => scoreOf(row.in_date[i], row.required[i])) }] : [];
    }),
  ];
  const change = today && before && today.score !== null && before.score !== null ? today.score - before.score : null;
  const computed = months.filter((m) => m.source === 'computed');
  const unknown = months.filter((m) => m.source === 'unknown');
  /** Whether individual people or tags are chosen. */
  const ofPeople = view.filter.users.length + view.filter.tags.length > 0;
  const heatMonth = view.month && months.some((m) => m.month === view.month) ? view.month : (today?.month ?? '');
  const isNow = heatMonth === today?.month;
  const heads = { entities: entityAltName, courses: 'Course' } as const;
  return (
    <>
      <p className="visually-hidden" role="status">
        {texts.complianceFetched}
      </p>
      <p className={`${layout.count} ${classes.paperOnly}`}>{chosenWords(report, view, { primary, secondary })}</p>
      <Section
        title="In date"
        tools={
          months.length > 1 && (
            <Select
              aria-label="How many months"
              className={classes.months}
              allowDeselect={false}
              data={monthChoices.map((n) => ({ value: String(n), label: `${n} months before this one` }))}
              value={String(view.previousMonths)}
              onChange={(n) => set('previousMonths', n)}
            />
          )
        }
      >
        <div className={classes.today}>
          <Score score={today?.score ?? null} big />
          <div>
            <strong>of what is due is in date now</strong>
            <span className={layout.soft}>
              {today && `${(today.in_date + today.expiring).toLocaleString('en-GB')} of ${(today.asked - today.starter).toLocaleString('en-GB')}`}
              {change !== null &&
                before &&
                `, ${change === 0 ? 'as' : `${Math.abs(change)} ${change > 0 ? 'more' : 'less'} than`} at the end of ${monthWords(before.month)}`}
            </span>
            {today && (
              <span className={layout.soft}>
                {countOf(today.expiring, 'expires', 'expire')} soon, {countOf(today.expired, 'has', 'have')} expired,{' '}
                {countOf(today.missing, 'is', 'are')} missing, {countOf(today.starter, 'is', 'are')} not due yet for new starters
                {today.exempt > 0 && `; ${today.exempt.toLocaleString('en-GB')} by exemption`}.
              </span>
            )}
          </div>
        </div>
        {months.length > 1 ? (
          <>
            <TrendLines months={months.map((m) => m.month)} lines={lines} />
            <p className={layout.count}>
              A month that is over is shown as it stood when it ended: what is entered later does not change it.
              {today?.counted_at && ` Now: as of ${formatMoment(today.counted_at)}.`}
              {computed.length > 0 &&
                ' Months with * were counted later, from the training records and with the people, job roles and rules of the day on which they were counted.'}
              {unknown.length > 0 && ' Of months without numbers nothing is known.'}
              {ofPeople && ' People and tags that are chosen are shown as they were counted in each month.'}
              {ofPeople &&
                months.length - 1 < view.previousMonths &&
                ' Earlier months are left out: they are not stored with their people, or have too many to read at once.'}
            </p>
          </>
        ) : (
          <p className={layout.count}>
            Of people and tags that are chosen this shows how they stand now. Months before are left out: they are not stored with their people, or
            have too many to read at once.
          </p>
        )}
      </Section>
      <Section
        title="By month"
        tools={
          <Segmented
            aria-label="Rows"
            className={classes.choice}
            value={view.of}
            onChange={(picked) => {
              setChosen(null);
              setPage(1);
              set('of', picked === 'courses' ? picked : null);
            }}
            data={[
              { value: 'entities', label: entitiesAltName },
              { value: 'courses', label: 'Courses' },
            ]}
          />
        }
      >
        <div className={`${layout.between} ${classes.bar}`}>
          <Bands />
          <Checkbox label="Lowest first" checked={worstFirst} onChange={(e) => setWorstFirst(e.currentTarget.checked)} />
        </div>
        {months.length > 1 && (
          <p className={layout.count}>
            Tick up to {mostLines - 1} to see them as lines. {countOf(rows.length, 'row')}.
          </p>
        )}
        <MonthTable
          label={`${heads[view.of]} by month`}
          head={heads[view.of]}
          months={months}
          rows={shownRows}
          to={(row, figures) => {
            const ended = figures.source === 'now' ? null : figures.month;
            if (row === null) return addressOf(query, { ended });
            return addressOf(query, view.of === 'courses' ? { course: row.id, ended } : { inside: [row.id], own: true, ended });
          }}
          {...(months.length > 1
            ? {
                before: (row: MonthRow) => (
                  <Checkbox
                    aria-label={`${row.name} as a line`}
                    checked={linesOf.includes(row.id)}
                    disabled={!linesOf.includes(row.id) && linesOf.length >= mostLines - 1}
                    onChange={(e) => setChosen(e.currentTarget.checked ? [...linesOf, row.id] : linesOf.filter((id) => id !== row.id))}
                  />
                ),
              }
            : {})}
        />
        <Pages last={Math.ceil(rows.length / rowsAtOnce)} page={page} onGoTo={setPage} />
      </Section>
      <Section
        title={`Courses by ${entityAltName.toLowerCase()}`}
        tools={
          months.length > 1 && (
            <Select
              aria-label="Month"
              className={classes.months}
              allowDeselect={false}
              data={[...months]
                .reverse()
                .map(({ month }) => ({ value: month, label: month === today?.month ? 'Now' : `End of ${monthWords(month)}` }))}
              value={heatMonth}
              onChange={(month) => set('month', month === today?.month ? null : month)}
            />
          )
        }
      >
        <HeatMap
          label={`Courses by ${entityAltName.toLowerCase()}, ${isNow ? 'now' : `end of ${monthWords(heatMonth)}`}`}
          head={entityAltName}
          courses={courses}
          entities={entities.slice((heatPage - 1) * rowsAtOnce, heatPage * rowsAtOnce)}
          to={(entity, course) => addressOf(query, { inside: [entity], own: true, course, ended: isNow ? null : heatMonth })}
        />
        <Pages last={Math.ceil(entities.length / rowsAtOnce)} page={heatPage} onGoTo={setHeatPage} />
      </Section>
      <PlaceScores chosen={report.chosen.entities} />
      <DrillDown filter={view.filter} />
    </>
  );
};
