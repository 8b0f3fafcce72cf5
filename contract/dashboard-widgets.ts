import { seesCompliance } from '#contract/entities/dashboard.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import type { Need } from '#contract/can.ts';
import type { DashboardId } from '#contract/dashboard-titles.ts';
import { needOf } from '#contract/site-map.ts';

/** A part of a dashboard. `wide`: over the whole width. `need`: who sees it, of those who may open its dashboard. */
export type WidgetSpec = { id: string; title: string; wide?: true; need?: Need };

/**
 * Every dashboard, by its route, and the widgets that it is made of, in the order that holds where nobody has arranged them. Ids are kept
 * in arrangements: one that is here is never given to another widget.
 */
export const dashboardWidgets = {
  'learner-dashboard': [
    { id: 'next', title: 'Do next', wide: true },
    { id: 'year', title: 'My year' },
    { id: 'dates', title: 'Dates to keep' },
    { id: 'messages', title: 'Messages', need: 'message.dashboard' },
  ],
  'manager-dashboard': [
    { id: 'today', title: 'Today', wide: true },
    { id: 'overdue', title: 'Overdue' },
    { id: 'soon', title: 'At risk' },
    { id: 'forecast', title: 'People who turn red if nothing is done' },
    { id: 'starters', title: 'New starters' },
    { id: 'sessions', title: 'Next sessions', need: seesSessions },
    { id: 'devices', title: 'Unsent work', need: needOf('devices') },
    { id: 'views', title: 'Saved views', need: needOf('reports-presets') },
  ],
  'management-dashboard': [
    { id: 'score', title: 'How we stand', wide: true, need: seesCompliance },
    { id: 'trend', title: 'Month by month', need: seesCompliance },
    { id: 'places', title: 'House by house' },
    { id: 'courses', title: 'Courses that need most' },
    { id: 'ahead', title: 'People who turn red if nothing is done' },
    { id: 'views', title: 'Saved views', need: needOf('reports-presets') },
  ],
  'management-area': [
    { id: 'places', title: 'Side by side', wide: true },
    { id: 'score', title: 'In all', wide: true, need: seesCompliance },
    { id: 'trend', title: 'Month by month', need: seesCompliance },
    { id: 'courses', title: 'Courses that need most' },
  ],
  'active-users': [
    { id: 'sign-ins', title: 'Sign-ins', wide: true },
    { id: 'over-time', title: 'Sign-ins over time', wide: true },
  ],
} as const satisfies Record<DashboardId, readonly WidgetSpec[]>;

export type WidgetId<D extends DashboardId> = (typeof dashboardWidgets)[D][number]['id'];
export const widgetsOf = (dashboard: DashboardId): readonly WidgetSpec[] => dashboardWidgets[dashboard];
