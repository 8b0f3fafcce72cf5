import { roleReport } from '#contract/reports/role.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconChart } from '#src/ui/icons.tsx';

/** How the people of each job role stand with each course. A row leads to its people. */
export const Component = () => (
  <FilteredReport
    report={roleReport}
    words={{
      ...{ one: 'a job role or course', many: 'rows', looksAt: 'Job role or course', none: 'Nothing is required of anybody' },
      first: 'A row appears here when a job role of somebody requires a course.',
    }}
    icon={<IconChart size={36} />}
    to={(row) =>
      `${pathTo('reports-staff')}?${new URLSearchParams({ ...(row.role ? { roles: row.role.id } : {}), courses: row.course.id, compliance_type: 'all' })}`
    }
  />
);
