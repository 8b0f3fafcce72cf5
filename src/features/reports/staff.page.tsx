import { staffReport } from '#contract/reports/staff.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconPeople } from '#src/ui/icons.tsx';

/** Each person's compliance in all required courses. */
export const Component = () => (
  <FilteredReport
    report={staffReport}
    words={{
      ...{ one: 'a person', many: 'people', looksAt: 'Name, organisation or job role', none: 'Nobody to show' },
      first: 'People appear here when they are added to your organisation.',
    }}
    icon={<IconPeople size={36} />}
    more={{ type: 'json' }}
    to={(row) => pathTo('users-by-uuid', { uuid: row.id })}
  />
);
