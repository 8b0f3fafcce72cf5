import { seesCompliance } from '#contract/entities/dashboard.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import type { Need } from '#contract/can.ts';
import type { DashboardId } from '#contract/dashboard-titles.ts';
import { needOf } from '#contract/site-map.ts';

/** A part of a dashboard. `wide`: full width. `need`: the permission to see it, besides that for the dashboard. */
export type WidgetSpec = { id: string; title: string; wide?: true; need?: Need };

/**
 * Every dashboard, by route, and its widgets in the default order. Ids are stored in arrangements: an id is never reused for another
 * widget.
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
    { id: 'places', title: 'Place by place' },
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
