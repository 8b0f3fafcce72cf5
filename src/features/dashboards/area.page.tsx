import { Button } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { dashboardQuestions, dashboardTitles } from '#contract/dashboard-titles.ts';
import type { PlaceFigures } from '#contract/entities/dashboard.ts';
import { pathTo } from '#contract/site-map.ts';
import { areaPath, CoursesWidget, type Of, ScoreWidget, scoreWords, stays, TrendWidget, useBands } from '#src/features/dashboards/management.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { useRead } from '#src/screens/use-read.ts';
import { Dashboard, type WidgetViews } from '#src/screens/widgets/dashboard.tsx';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { IconBuilding, IconChevronLeft } from '#src/ui/icons.tsx';
import shapes from '#src/ui/shapes.module.css';
import { EmptyState } from '#src/ui/states.tsx';

const changeOf = ({ score, before }: PlaceFigures) => (score === null || before === null ? null : score - before);
const changeWords = (change: number | null) =>
  change === null ? '' : change === 0 ? 'As before' : `${change > 0 ? '+' : '−'}${Math.abs(change)} points`;
const columnsOf = (bandOf: (score: number | null) => Tone | undefined): readonly Column<PlaceFigures & { alone: boolean }>[] => [
  { id: 'name', header: 'Name', sort: true, value: (p) => (p.own && !p.alone ? `${p.entity.name} itself` : p.entity.name), width: 200, grow: 1.4 },
  { id: 'people', header: 'People', sort: true, value: (p) => p.people, width: 100, grow: 0.3, align: 'end' },
  { id: 'overdue', header: 'Overdue', sort: true, value: (p) => p.overdue, width: 110, grow: 0.3, align: 'end' },
  { id: 'required', header: 'Required', sort: true, value: (p) => p.required, width: 110, grow: 0.3, align: 'end' },
  { id: 'change', header: 'In four weeks', sort: true, order: changeOf, value: (p) => changeWords(changeOf(p)), width: 140, grow: 0.4 },
  {
    ...{ id: 'score', header: 'In date', sort: true, width: 150, grow: 0.3, keep: true },
    value: (p) => p.score,
    cell: (p) => <Badge tone={bandOf(p.score) ?? 'plain'}>{scoreWords(p.score)}</Badge>,
  },
];

/** The organisation of the page. */
const useArea = (): Of => {
  const slug = useSearchParams()[0].get('entity');
  return slug ? { entity: slug } : {};
};
const SideBySide = () => {
  const area = useArea();
  const bandOf = useBands();
  const { state, retry, outdated } = useRead('GET /dashboards/places', { query: area }, stays);
  return (
    <>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the figures" offline="The figures need a connection." />
      {state.kind === 'loaded' && (
        <div className={shapes.shown} aria-busy={outdated}>
          {state.data.length > 0 ? (
            <Table
              label={dashboardTitles['management-area']}
              name="places side by side"
              columns={columnsOf(bandOf)}
              rows={state.data.map((p) => ({ ...p, id: `${p.id}${p.own ? ' itself' : ''}`, alone: state.data.length === 1 }))}
              to={(p) => (p.own ? null : areaPath(p.entity.slug))}
            />
          ) : (
            <EmptyState icon={<IconBuilding size={36} />} title="Nothing below this to compare">
              Its own figures are on this page.
            </EmptyState>
          )}
        </div>
      )}
    </>
  );
};
const ofArea = (Shown: ComponentType<{ title: string; of?: Of }>) => {
  const OfArea = ({ title }: { title: string }) => <Shown title={title} of={useArea()} />;
  return OfArea;
};
const views: WidgetViews<'management-area'> = {
  places: SideBySide,
  score: ofArea(ScoreWidget),
  trend: ofArea(TrendWidget),
  courses: ofArea(CoursesWidget),
};

/** Organisations side by side, each with all below it; each links to those below it. */
export const Component = () => {
  const area = useArea();
  const whole = useRead('GET /dashboards/figures', { query: area }, stays);
  const name = whole.state.kind === 'loaded' ? whole.state.data.entity?.name : null;
  return (
    <Dashboard
      id="management-area"
      title={area.entity && name ? name : dashboardTitles['management-area']}
      question={dashboardQuestions['management-area']}
      views={views}
      tools={
        area.entity && (
          <Button variant="default" component={Link} to={pathTo('management-area')} leftSection={<IconChevronLeft size={20} />}>
            Everything
          </Button>
        )
      }
    />
  );
};
