import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { ForecastLine } from '#contract/entities/forecast.ts';
import { dayWords } from '#contract/rules/days.ts';
import { type ForecastDays, type ForecastGroup, forecastDays, forecastGroups, turnBy } from '#contract/rules/forecast.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { bookingPath } from '#src/screens/booking-path.ts';
import { ForecastFigures, type ForecastOf, forecastPath } from '#src/screens/forecast.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import { Picker } from '#src/screens/pickers.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import type { BulkAction } from '#src/screens/table/bulk-bar.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconClock } from '#src/ui/icons.tsx';
import { Section } from '#src/ui/section.tsx';
import { Segmented } from '#src/ui/segmented.tsx';

const narrowedBy = ['days', 'entity', 'role_id', 'course_id'] as const;
const groupOf = (filter: string): ForecastGroup => forecastGroups.find((group) => group === filter) ?? 'red';
const daysOf = (text: string | undefined): ForecastDays => forecastDays.find((days) => String(days) === text) ?? 60;
type More = Partial<Record<string, string>>;
const subjectOf = ({ entity, role_id, course_id }: More): ForecastOf => ({
  ...(entity ? { entity } : {}),
  ...(role_id ? { role_id } : {}),
  ...(course_id ? { course_id } : {}),
});
const load: LoadPage<ForecastLine> = ({ filter, sort: _none, ...query }, signal, more) =>
  call('GET /forecast/people', { query: { ...query, ...subjectOf(more), days: String(daysOf(more.days)), group: groupOf(filter) } }, { signal });

const filters = [
  { value: '', label: 'Turn red' },
  { value: 'amber', label: 'Turn amber' },
  { value: 'starters', label: 'New starters' },
  { value: 'booked', label: 'Place booked' },
];
const words = {
  title: 'Forecast',
  one: 'an entry',
  many: 'entries',
  looksAt: 'Person or course',
  none: 'Nobody',
  first: 'Who is about to turn amber or red appears here.',
  failed: 'The forecast could not be fetched.',
};
const columnsOf = (days: ForecastDays): readonly Column<ForecastLine>[] => [
  { id: 'name', header: 'Person', value: (l) => l.user.name, width: 170, grow: 0.8 },
  { id: 'place', header: 'Workplace', value: (l) => l.place, width: 150, grow: 0.6 },
  { id: 'course', header: 'Course', value: (l) => l.course.title, width: 180 },
  { id: 'why', header: 'Now', value: (l) => l.reason, width: 240, grow: 1.4 },
  {
    ...{ id: 'place-booked', header: 'Place booked', width: 130, grow: 0.2 },
    value: (l) => (l.booked && l.booked.in_days <= days ? dayWords(l.booked.on) : ''),
  },
  {
    ...{ id: 'turns', header: 'Then', width: 190, grow: 0.3, keep: true },
    value: (l) => {
      const turn = turnBy(l, days);
      return turn ? `${turn.to === 'red' ? 'Red' : 'Amber'} on ${dayWords(turn.on)}` : l.starts_on ? `Starts on ${dayWords(l.starts_on)}` : '';
    },
    cell: (l) => {
      const turn = turnBy(l, days);
      return turn ? (
        <Badge tone={turn.to === 'red' ? 'danger' : 'warning'}>
          {turn.to === 'red' ? 'Red' : 'Amber'} on {dayWords(turn.on)}
        </Badge>
      ) : (
        l.starts_on && <Badge tone="plain">Starts on {dayWords(l.starts_on)}</Badge>
      );
    },
  },
];

/** Who turns amber and red in 30, 60 and 90 days, for an organisation, a job role or a course: the numbers, and the people behind one of them. */
export const Component = () => {
  const me = useSession();
  const brand = useBrand();
  const navigate = useNavigate();
  const list = useList<ForecastLine>(['forecast'], load, { narrowedBy });
  const subjectQuery = subjectOf(list.more);
  const [days, group] = [daysOf(list.more.days), groupOf(list.filter)];
  const { state, retry } = useRead('GET /forecast', { query: subjectQuery });
  const forecast = state.kind === 'loaded' ? state.data : null;
  const subject = forecast && [forecast.course?.title, forecast.role?.name, forecast.entity?.name].filter(Boolean).join(', ');
  const choose = (field: keyof ForecastOf, value: string | undefined) => {
    const { [field]: _before, ...others } = list.more;
    list.setMore(value === undefined ? others : { ...others, [field]: value });
  };
  const recording: BulkAction<ForecastLine> = {
    label: 'Record training',
    open: (lines) => {
      const ids = (all: readonly string[]) => [...new Set(all)].join(',');
      const query = new URLSearchParams({ people: ids(lines.map((l) => l.user.id)), courses: ids(lines.map((l) => l.course.id)) });
      void navigate(`${pathTo('results-historical-create')}?${query}`);
    },
  };
  const booking: BulkAction<ForecastLine> = {
    label: 'Book on a session',
    open: (lines) => {
      const [course, ...others] = new Set(lines.map((l) => l.course.id));
      const people = lines.map((l) => l.user.id);
      void navigate(bookingPath(people, course && others.length === 0 ? { course } : {}));
    },
  };
  return (
    <ListPage
      words={{ ...words, title: subject ? `Forecast: ${subject}` : words.title }}
      list={list}
      icon={<IconClock size={36} />}
      filters={filters}
      add={
        forecast?.role &&
        forecast.entity === null && (
          <Button variant="default" component={Link} to={forecastPath(subjectQuery.course_id ? { course_id: subjectQuery.course_id } : {})}>
            All job roles
          </Button>
        )
      }
      form={
        state.kind === 'offline' || state.kind === 'error' ? null : (
          <Section title="In the days ahead">
            <ReadPlaceholder state={state} retry={retry} loading="Loading the forecast" offline="" />
            {forecast && <ForecastFigures forecast={forecast} of={subjectQuery} chosen={{ days, group }} />}
          </Section>
        )
      }
      narrowing={
        <>
          <Segmented
            size="md"
            style={{ minWidth: 290 }}
            aria-label="How far ahead"
            value={String(days)}
            onChange={(to) => list.setMore({ ...list.more, days: to })}
            data={forecastDays.map((n) => ({ value: String(n), label: `${n} days` }))}
          />
          <Picker
            from="courses"
            label="Course"
            placeholder="All courses"
            clearable
            clearButtonProps={{ 'aria-label': 'Course: all' }}
            value={forecast?.course ? { id: forecast.course.id, name: forecast.course.title } : null}
            onChange={(course) => choose('course_id', course?.id)}
          />
          {can(me, 'entity.search') && (
            <Picker
              from="organisations"
              label={brand.entityAltName}
              placeholder="All"
              clearable
              clearButtonProps={{ 'aria-label': `${brand.entityAltName}: all` }}
              value={forecast?.entity ? { ...forecast.entity } : null}
              onChange={(entity) => choose('entity', entity?.slug)}
            />
          )}
        </>
      }
      columns={columnsOf(days)}
      to={(line) => pathTo('users-by-uuid', { uuid: line.user.id })}
      bulk={[...(can(me, needOf('manage-bookings-create')) ? [booking] : []), ...(can(me, needOf('results-historical-create')) ? [recording] : [])]}
    />
  );
};
