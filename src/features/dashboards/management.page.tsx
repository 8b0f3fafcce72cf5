import { needOf } from '#contract/site-map.ts';
import { AheadWidget, CoursesWidget, PlacesWidget, ScoreWidget, TrendWidget } from '#src/features/dashboards/management.tsx';
import { Dashboard, type DashboardWidget } from '#src/screens/widgets/dashboard.tsx';
import { SavedViewsWidget } from '#src/screens/widgets/saved-views-widget.tsx';
import { dashboardTitles } from '#src/screens/widgets/dashboards.ts';

const widgets: readonly DashboardWidget[] = [
  { id: 'score', title: 'How we stand', wide: true, Component: ScoreWidget },
  { id: 'trend', title: 'Month by month', Component: TrendWidget },
  { id: 'places', title: 'House by house', Component: PlacesWidget },
  { id: 'courses', title: 'Courses that need most', Component: CoursesWidget },
  { id: 'ahead', title: 'People who turn red if nothing is done', Component: AheadWidget },
  { id: 'views', title: 'Saved views', need: needOf('reports-presets'), Component: SavedViewsWidget },
];

/** Whether the group is in order. */
export const Component = () => <Dashboard title={dashboardTitles['management-dashboard']} question="Is the group in order?" widgets={widgets} />;
