import { can } from '#contract/can.ts';
import type { CourseFigures, Figures, MonthFigures, PlaceFigures } from '#contract/entities/dashboard.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { countOf } from '#src/lib/format.ts';
import { forecastPath } from '#src/screens/forecast.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { PointsChart } from '#src/screens/widgets/points-chart.tsx';
import { Bars, CountedAt, NumberLink, Numbers, Widget } from '#src/screens/widgets/widget.tsx';
import type { Tone } from '#src/ui/badge.tsx';
import layout from '#src/ui/page.module.css';
import { scoreTones } from '#src/ui/traffic.ts';

/** The organisation, with all below it; default: the user's. */
export type Of = { entity?: string };
export const areaPath = (slug: string) => `${pathTo('management-area')}?entity=${encodeURIComponent(slug)}`;

/** The tone of a score by the bands of the organisation. */
export const useBands = () => {
  const { greenScoreBandLowerMargin: green, amberScoreBandLowerMargin: amber } = useBrand();
  return (score: number | null): Tone | undefined => (score === null ? undefined : scoreTones[scoreBand(score, { green, amber })]);
};
export const scoreWords = (score: number | null) => (score === null ? 'Nothing required' : `${score} %`);
const isCounted = (figures: Figures) => figures.counted_at !== null;
/** The numbers of one area stay visible, dimmed, until those of the next have loaded. */
export const stays = { keepShown: true };

export const ScoreWidget = ({ title, of = {} }: { title: string; of?: Of }) => {
  const me = useSession();
  const bandOf = useBands();
  const tone = (score: number | null) => {
    const band = bandOf(score);
    return band ? { tone: band } : {};
  };
  return (
    <Widget title={title} read={useRead('GET /dashboards/figures', { query: of }, stays)} ready={isCounted}>
      {(figures) => {
        const before = figures.weeks.at(-5)?.score;
        return (
          <>
            <Numbers label={title}>
              <NumberLink
                to={
                  can(me, needOf('reports-matrix'))
                    ? `${pathTo('reports-matrix')}?compliance_type=all${figures.entity ? `&entities=${figures.entity.id}` : ''}`
                    : undefined
                }
                count={figures.score}
                unit=" %"
                label={`in date: ${(figures.in_date ?? 0).toLocaleString('en-GB')} of ${(figures.required ?? 0).toLocaleString('en-GB')} required`}
                {...tone(figures.score)}
                trend={
                  typeof before === 'number' && figures.weeks.length > 4 ? { before, when: 'four weeks ago', better: 'more', unit: ' points' } : null
                }
              />
              <NumberLink
                to={
                  can(me, needOf('manager-dashboard-people'))
                    ? `${pathTo('manager-dashboard-people')}${of.entity ? `?entity=${encodeURIComponent(of.entity)}` : ''}`
                    : undefined
                }
                count={figures.overdue}
                label={`of ${countOf(figures.people, 'person', 'people')} with overdue training`}
                tone="danger"
              />
              <NumberLink
                to={forecastPath(of, { days: 90, group: 'red' })}
                count={figures.turn_red[2] ?? null}
                label={['person turns red within 90 days', 'people turn red within 90 days']}
                tone="warning"
              />
            </Numbers>
            <CountedAt at={figures.counted_at} />
          </>
        );
      }}
    </Widget>
  );
};

const monthWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** How much was in date at the end of each month; each links to the people behind it. */
export const TrendWidget = ({ title, of = {} }: { title: string; of?: Of }) => {
  const me = useSession();
  const figures = useRead('GET /dashboards/figures', { query: of }, stays).state;
  const area = of.entity && figures.kind === 'loaded' ? figures.data.entity?.id : null;
  const leads = can(me, needOf('reports-compliance')) && (!of.entity || area);
  const where = area ? `&entities=${area}&in=${area}` : '';
  return (
    <Widget<MonthFigures[]> title={title} read={useRead('GET /dashboards/trend', { query: of }, stays)}>
      {(months) =>
        months.length === 0 ? (
          <p className={layout.count}>The first month is counted when it is over.</p>
        ) : (
          <>
            <PointsChart
              label="In date at the end of each month, in per cent"
              heads={['Month', 'In date', 'Counted']}
              most={100}
              points={months.map(({ month, score, computed }) => ({
                ...{ id: month, name: monthWords.format(new Date(`${month}T00:00:00Z`)), value: score ?? 0, words: scoreWords(score) },
                more: [computed ? 'Afterwards' : 'When it ended'],
                to: leads ? `${pathTo('reports-compliance')}?compliance_type=all${where}&ended=${month.slice(0, 7)}#behind` : undefined,
              }))}
            />
            {months.some((m) => m.computed) && (
              <p className={layout.count}>Months from before this was kept were worked out afterwards from the training records.</p>
            )}
          </>
        )
      }
    </Widget>
  );
};

export const PlacesWidget = ({ title, of = {} }: { title: string; of?: Of }) => {
  const bandOf = useBands();
  return (
    <Widget<PlaceFigures[]>
      title={title}
      read={useRead('GET /dashboards/places', { query: of })}
      all={{ to: of.entity ? areaPath(of.entity) : pathTo('management-area'), label: 'Side by side' }}
    >
      {(places) =>
        places.length === 0 ? (
          <p className={layout.count}>There is nothing below this to compare.</p>
        ) : (
          <Bars
            label={title}
            of={100}
            bars={places.map(({ id, own, entity, score }) => ({
              id: `${id}${own}`,
              ...(own ? {} : { to: areaPath(entity.slug) }),
              ...{
                label: own && places.length > 1 ? `${entity.name} itself` : entity.name,
                value: score ?? 0,
                words: scoreWords(score),
                tone: bandOf(score),
              },
            }))}
          />
        )
      }
    </Widget>
  );
};

const worstShown = 6;
export const CoursesWidget = ({ title, of = {} }: { title: string; of?: Of }) => {
  const bandOf = useBands();
  return (
    <Widget<CourseFigures[]> title={title} read={useRead('GET /dashboards/courses', { query: { ...of, per_page: worstShown } }, stays)}>
      {(courses) =>
        courses.length === 0 ? (
          <p className={layout.count}>No course is required of anybody.</p>
        ) : (
          <Bars
            label={title}
            of={100}
            bars={courses.map((c) => ({
              ...{ id: c.id, to: forecastPath({ ...of, course_id: c.id }), label: c.title, value: c.score ?? 0, tone: bandOf(c.score) },
              words: `${scoreWords(c.score)}, ${c.overdue.toLocaleString('en-GB')} overdue`,
            }))}
          />
        )
      }
    </Widget>
  );
};

export const AheadWidget = ({ title, of = {} }: { title: string; of?: Of }) => (
  <Widget title={title} read={useRead('GET /dashboards/figures', { query: of })} ready={isCounted} all={{ to: forecastPath(of), label: 'Forecast' }}>
    {({ turn_red }) => (
      <Bars
        label={title}
        bars={([30, 60, 90] as const).map((days, i) => ({
          ...{ id: String(days), to: forecastPath(of, { days, group: 'red' }), label: `Within ${days} days`, tone: 'warning' as const },
          ...{ value: turn_red[i] ?? 0, words: countOf(turn_red[i] ?? 0, 'person', 'people') },
        }))}
      />
    )}
  </Widget>
);
