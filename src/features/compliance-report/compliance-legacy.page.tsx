import { Button, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { matrixFields } from '#contract/matrix/filter.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { withFilter } from '#src/features/compliance-report/drill-down.tsx';
import classes from '#src/features/compliance-report/compliance-report.module.css';
import { MonthTable } from '#src/features/compliance-report/month-table.tsx';
import { ReportPlaceholder } from '#src/features/compliance-report/report-placeholder.tsx';
import { askedOf, chosenWords, useComplianceReport, viewIn } from '#src/features/compliance-report/report-view.ts';
import { Bands } from '#src/features/compliance-report/score-cell.tsx';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { ReportFilter } from '#src/screens/report-filter.tsx';
import { useQuery } from '#src/screens/use-query.ts';
import { IconChart, IconPrint } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { EmptyState } from '#src/ui/states.tsx';

/** The most rows of a printed page. */
const mostRows = 500;

/** The compliance report as plain tables of the same numbers, which print well. */
export const Component = () => {
  const [query, setQuery] = useQuery();
  const view = viewIn(query);
  const { entityAltName, primaryComplianceAltName: primary, secondaryComplianceAltName: secondary } = useBrand();
  const { state, retry } = useComplianceReport(view);
  const report = state.kind === 'loaded' ? state.data : null;
  const isEmpty = report !== null && report.entities.length === 0;
  const counted = report?.months.at(-1)?.counted_at;
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          Compliance report as a table
        </Title>
        <div className={layout.tools}>
          <Button variant="default" component={Link} to={`${pathTo('reports-compliance')}?${query}`}>
            With lines and colours
          </Button>
          <Button variant="default" leftSection={<IconPrint size={20} />} disabled={!report || isEmpty} onClick={() => print()}>
            Print
          </Button>
        </div>
      </div>
      <div className={classes.screenOnly}>
        <ReportFilter filter={view.panel} fields={matrixFields} onChange={(to) => setQuery(withFilter(to, query), { replace: true })} />
      </div>
      <ReportPlaceholder state={state} retry={retry} asked={askedOf(view)} />
      {isEmpty && (
        <EmptyState icon={<IconChart size={36} />} title="Nothing to show">
          Nothing that is required matches these choices.
        </EmptyState>
      )}
      {report && !isEmpty && (
        <>
          <p className={layout.count}>
            {chosenWords(report, view, { primary, secondary })}. How much of what was due was in date at the end of each month
            {counted && `, and now: as of ${formatMoment(counted)}`}.{' '}
            {report.months.some((m) => m.source === 'computed') && 'Months with * were counted later, from the training records. '}
            {report.entities.length > mostRows && `The first ${mostRows} of ${countOf(report.entities.length, 'row')}: choose fewer.`}
          </p>
          <Bands />
          <MonthTable label={`${entityAltName} by month`} head={entityAltName} months={report.months} rows={report.entities.slice(0, mostRows)} />
          <MonthTable label="Course by month" head="Course" months={report.months} rows={report.courses.map((c) => ({ ...c, name: c.title }))} />
        </>
      )}
    </div>
  );
};
