import { evaluationReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { IconChart } from '#src/ui/icons.tsx';

/** The evaluations of training, by course and trainer. */
export const Component = () => (
  <FilteredReport
    report={evaluationReport}
    words={{
      ...{ one: 'a course or trainer', many: 'rows', looksAt: 'Course, trainer or provider', none: 'No finished sessions in this period' },
      first: 'When a register is finished, those who were there are asked how it was.',
    }}
    icon={<IconChart size={36} />}
    to={(row) => `${pathTo('training-sessions')}?${new URLSearchParams({ search: row.course.name, filter: 'past' })}`}
  />
);
