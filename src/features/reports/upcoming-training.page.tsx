import { upcomingTrainingReport } from '#contract/reports/training.ts';
import { pathTo } from '#contract/site-map.ts';
import { FilteredReport } from '#src/features/reports/filtered-report.tsx';
import { bookingPath } from '#src/screens/booking-path.ts';
import { IconCalendar } from '#src/ui/icons.tsx';

/** The coming sessions. A row links to the session, or to its booking form. */
export const Component = () => (
  <FilteredReport
    report={upcomingTrainingReport}
    words={{
      ...{ one: 'a session', many: 'sessions', looksAt: 'Course, venue or provider', none: 'No training is planned' },
      first: 'Sessions to come appear here when they are planned.',
    }}
    icon={<IconCalendar size={36} />}
    to={(row) => (row.register ? pathTo('training-sessions-by-id', { id: row.id }) : bookingPath([], { session: row.id, course: row.course.id }))}
  />
);
