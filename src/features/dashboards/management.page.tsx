import { dashboardQuestions, dashboardTitles } from '#contract/dashboard-titles.ts';
import { AheadWidget, CoursesWidget, PlacesWidget, ScoreWidget, TrendWidget } from '#src/features/dashboards/management.tsx';
import { Dashboard, type WidgetViews } from '#src/screens/widgets/dashboard.tsx';
import { SavedViewsWidget } from '#src/screens/widgets/saved-views-widget.tsx';

const views: WidgetViews<'management-dashboard'> = {
  score: ScoreWidget,
  trend: TrendWidget,
  places: PlacesWidget,
  courses: CoursesWidget,
  ahead: AheadWidget,
  views: SavedViewsWidget,
};

/** Whether the group is in order. */
export const Component = () => (
  <Dashboard
    id="management-dashboard"
    title={dashboardTitles['management-dashboard']}
    question={dashboardQuestions['management-dashboard']}
    views={views}
  />
);
