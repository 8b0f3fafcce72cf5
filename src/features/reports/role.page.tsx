import { useSearchParams } from 'react-router-dom';
import { plainFilter } from '#contract/reports/filter.ts';
import { roleReport } from '#contract/reports/role.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { filterIn, saidOf } from '#src/lib/report-filter.ts';
import { IconChart } from '#src/ui/icons.tsx';

/** The compliance of each job role's people in each course. A row links to its people, with the report's filter. */
export const Component = () => {
  const [query] = useSearchParams();
  const filter = filterIn(query);
  return (
    <FilteredReport
      report={roleReport}
      words={{
        ...{ one: 'a job role or course', many: 'rows', looksAt: 'Job role or course', none: 'Nothing is required of anybody' },
        first: 'A row appears here when a job role of somebody requires a course.',
      }}
      icon={<IconChart size={36} />}
      to={({ role, course }) => {
        const those = { ...filter, filter_by: plainFilter.filter_by, courses: [course.id], roles: role ? [role.id] : filter.roles };
        return `${pathTo('reports-staff')}?${new URLSearchParams(saidOf(those) as Record<string, string>)}`;
      }}
    />
  );
};
