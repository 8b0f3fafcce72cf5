import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { dashboardQuestions, dashboardTitles } from '#contract/dashboard-titles.ts';
import { can } from '#contract/can.ts';
import type { Figures, NeedyPerson, PeopleNeed } from '#contract/entities/dashboard.ts';
import { forecastDays } from '#contract/rules/forecast.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { countOf, fromNow, startWords } from '#src/lib/format.ts';
import { forecastPath } from '#src/screens/forecast.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { SessionsWidget } from '#src/screens/widgets/calendar-widget.tsx';
import { Dashboard, type WidgetViews } from '#src/screens/widgets/dashboard.tsx';
import { SavedViewsWidget } from '#src/screens/widgets/saved-views-widget.tsx';
import { Bars, CountedAt, NumberLink, Numbers, Rows, type Trend, Widget } from '#src/screens/widgets/widget.tsx';

const shown = 5;
const coursesNamed = 3;
const peoplePath = (need: PeopleNeed) => `${pathTo('manager-dashboard-people')}${need === 'overdue' ? '' : `?filter=${need}`}`;
const isCounted = (figures: Figures) => figures.counted_at !== null;
const useFigures = () => useRead('GET /dashboards/figures', { query: {} });

/** The number a week ago, if it was counted. */
const weekBefore = ({ weeks }: Figures, pick: (week: Figures['weeks'][number]) => number): Trend | null => {
  const before = weeks.at(-2);
  return before && weeks.length > 1 ? { before: pick(before), when: 'a week ago', better: 'less' } : null;
};

const TodayWidget = ({ title }: { title: string }) => {
  const me = useSession();
  const brand = useBrand();
  const read = useFigures();
  const waiting = useRead('GET /dashboards/waiting', {});
  const waits = waiting.state.kind === 'loaded' ? waiting.state.data : null;
  return (
    <Widget title={title} read={read} ready={isCounted}>
      {(figures) => (
        <>
          <Numbers label="What needs you">
            <NumberLink
              to={peoplePath('overdue')}
              label={`of ${countOf(figures.people, 'person', 'people')} with overdue training`}
              count={figures.overdue}
              tone="danger"
              trend={weekBefore(figures, (w) => w.overdue)}
            />
            <NumberLink to={peoplePath('soon')} label="at risk: red within 30 days" count={figures.turn_red[0] ?? null} tone="warning" />
            {can(me, needOf('results-pending-by-type')) && (
              <NumberLink
                to={pathTo('results-pending-by-type', { type: 'all' })}
                label={['result to approve', 'results to approve']}
                count={waits?.results ?? null}
                tone="warning"
              />
            )}
            {can(me, needOf('care-certificate-overview')) && (
              <NumberLink
                to={pathTo('care-certificate-overview')}
                label={[`${brand.certificateGroupMenuName} to approve`, `${brand.certificateGroupMenuName}s to approve`]}
                count={waits?.certificates ?? null}
                tone="warning"
              />
            )}
            {can(me, needOf('devices')) && (
              <NumberLink
                to={pathTo('devices')}
                label={['device with unsent work', 'devices with unsent work']}
                count={waits?.devices?.unsent ?? null}
                tone="warning"
              />
            )}
            <NumberLink to={peoplePath('starters')} label={['new starter', 'new starters']} count={figures.starters} />
          </Numbers>
          <CountedAt at={figures.counted_at} />
        </>
      )}
    </Widget>
  );
};

const namesOf = ({ courses }: NeedyPerson): string => {
  const names = courses.slice(0, coursesNamed).map((c) => c.title);
  const more = courses.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
};
/** The actions on a person: write to them, record training. */
const ActionsFor = ({ person }: { person: NeedyPerson }) => {
  const me = useSession();
  const query = new URLSearchParams({ people: person.id, courses: person.courses.map((c) => c.id).join(',') });
  return (
    <>
      {can(me, needOf('messages')) && me?.uuid !== person.id && (
        <Button variant="default" component={Link} to={`${pathTo('messages')}?with=${person.id}`} aria-label={`Message ${person.name}`}>
          Message
        </Button>
      )}
      {can(me, needOf('results-historical-create')) && (
        <Button
          variant="default"
          component={Link}
          to={`${pathTo('results-historical-create')}?${query}`}
          aria-label={`Record training of ${person.name}`}
        >
          Record
        </Button>
      )}
    </>
  );
};
const peopleWidget = (need: PeopleNeed, none: string, about: (person: NeedyPerson) => string) => {
  const Shown = ({ title }: { title: string }) => {
    const read = useRead('GET /dashboards/people', { query: { need, per_page: shown } });
    return (
      <Widget title={title} read={read} all={{ to: peoplePath(need), label: 'All of them' }}>
        {(people) => (
          <Rows
            label={title}
            none={none}
            rows={people.map((person) => ({
              id: person.id,
              name: <Link to={pathTo('users-by-uuid', { uuid: person.id })}>{person.name}</Link>,
              about: about(person),
              actions: <ActionsFor person={person} />,
            }))}
          />
        )}
      </Widget>
    );
  };
  return Shown;
};

const ForecastWidget = ({ title }: { title: string }) => (
  <Widget title={title} read={useFigures()} ready={isCounted} all={{ to: forecastPath({}), label: 'Forecast' }}>
    {({ turn_red }) => (
      <Bars
        label={title}
        bars={forecastDays.map((days, i) => ({
          ...{ id: String(days), to: forecastPath({}, { days, group: 'red' }), label: `Within ${days} days`, tone: 'warning' as const },
          ...{ value: turn_red[i] ?? 0, words: countOf(turn_red[i] ?? 0, 'person', 'people') },
        }))}
      />
    )}
  </Widget>
);

const DevicesWidget = ({ title }: { title: string }) => (
  <Widget title={title} read={useRead('GET /dashboards/waiting', {})} all={{ to: pathTo('devices'), label: 'All devices' }}>
    {({ devices }) => (
      <Rows
        label={title}
        none="Every device has sent what was done on it."
        rows={(devices?.people ?? []).map(({ id, name }) => ({
          id,
          name: <Link to={pathTo('users-by-uuid', { uuid: id })}>{name}</Link>,
          about: devices?.oldest ? `The oldest unsent work on any device is from ${fromNow(devices.oldest)}.` : '',
        }))}
      />
    )}
  </Widget>
);

const views: WidgetViews<'manager-dashboard'> = {
  today: TodayWidget,
  overdue: peopleWidget('overdue', 'Nobody has overdue training.', namesOf),
  soon: peopleWidget('soon', 'Nobody turns red within 30 days.', namesOf),
  forecast: ForecastWidget,
  starters: peopleWidget('starters', 'Nobody is new.', (p) => `${startWords(p.started_on)} · ${countOf(p.courses.length, 'course')} to do`),
  sessions: SessionsWidget,
  devices: DevicesWidget,
  views: SavedViewsWidget,
};

/** Who needs the manager's attention today. */
export const Component = () => (
  <Dashboard id="manager-dashboard" title={dashboardTitles['manager-dashboard']} question={dashboardQuestions['manager-dashboard']} views={views} />
);
