import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { dashboardIds } from '#contract/dashboard-titles.ts';
import {
  ArrangedWidgets,
  CourseFigures,
  DashboardLayout,
  Figures,
  MonthFigures,
  NeedyPerson,
  PlaceFigures,
  peopleNeeds,
  Waiting,
} from '#contract/entities/dashboard.ts';
import { Id, Slug } from '#contract/entities/fields.ts';

/** Dashboards: what they show that no other call returns. All of it is our addition to the specification. */
const common = { method: 'GET', ours: true, offline: 'online-only', errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] } as const;
/** The organisation, with all below it; absent: the caller’s. */
const entityQuery = { entity: z.optional(Slug) };
const counted = 'as it was counted last, at most ten minutes ago in a large organisation; 202 until it was counted once';

export const dashboardFigures = endpoint({
  ...{ ...common, id: 'dashboardFigures', path: '/dashboards/figures', access: ['dashboard.manager', 'dashboard.management', 'user.search'] },
  ...{ query: z.object(entityQuery), response: Figures },
  summary: `Returns how many people there are, are overdue, turn red and are new starters, how much is in date (with permission widget.entity_compliance), and the same of the last weeks as it was then: ${counted}.`,
});
export const dashboardPeople = endpoint({
  ...{ ...common, id: 'dashboardPeople', path: '/dashboards/people', access: ['dashboard.manager', 'user.search'] },
  ...{ query: z.object({ ...pageQuery, ...entityQuery, need: z._default(z.enum(peopleNeeds), 'overdue') }), response: z.array(NeedyPerson) },
  summary: `Lists the people behind a number of the figures, those with most courses first, with these courses as they stand now, the one that is due first before the others. Who they are is said ${counted}.`,
});
export const dashboardWaiting = endpoint({
  ...{ ...common, id: 'dashboardWaiting', path: '/dashboards/waiting', response: Waiting },
  access: ['dashboard.manager', 'record.update', 'care_certificate.approve'],
  summary:
    'Returns how many results and certificates wait for the approval of the caller, and on how many devices unsent work waits; null where that is not theirs to see.',
});
export const dashboardTrend = endpoint({
  ...{ ...common, id: 'dashboardTrend', path: '/dashboards/trend', access: ['dashboard.management'] },
  ...{ query: z.object(entityQuery), response: z.array(MonthFigures) },
  summary:
    'Returns how much was in date at the end of each of the last twelve months, as it was counted then, the oldest first. Needs permission widget.entity_compliance besides.',
});
export const dashboardPlaces = endpoint({
  ...{ ...common, id: 'dashboardPlaces', path: '/dashboards/places', access: ['dashboard.management'] },
  ...{ query: z.object(entityQuery), response: z.array(PlaceFigures) },
  summary: `Lists the organisations directly below one, each with all below it, the lowest score first: ${counted}. \`before\` is the score four weeks ago.`,
});
export const dashboardCourses = endpoint({
  ...{ ...common, id: 'dashboardCourses', path: '/dashboards/courses', access: ['dashboard.management'] },
  ...{ query: z.object({ ...entityQuery, per_page: pageQuery.per_page }), response: z.array(CourseFigures) },
  summary: `Lists the courses that are required of people, the one with the lowest score first: ${counted}.`,
});

const layout = { path: '/dashboards/{dashboard}/layout', params: z.object({ dashboard: z.enum(dashboardIds) }), access: 'signed-in' } as const;
const layoutErrors = [...common.errors, 'csrf_mismatch'] as const;
const whose = 'the caller’s own, or with `entity` and permission entity.update that of everybody at an organisation and below it';
export const getDashboardLayout = endpoint({
  ...{ ...common, ...layout, id: 'getDashboardLayout', offline: 'cached', response: DashboardLayout },
  summary:
    'Returns how a dashboard is arranged for the caller, of those that they may open: as they arranged it themselves, or the nearest organisation did. Widgets that they may not see are left out.',
});
export const updateDashboardLayout = endpoint({
  ...{ ...common, ...layout, id: 'updateDashboardLayout', method: 'PATCH', response: DashboardLayout, errors: [...layoutErrors, 'rev_mismatch'] },
  body: z.object({ widgets: ArrangedWidgets, rev: z.nullable(Id), entity: z.optional(Slug) }),
  summary: `Saves an arrangement: ${whose}. \`rev\` is that of the arrangement that it replaces; if it was changed since, 409. Saved for everybody where the caller is at home, it also takes the place of their own.`,
});
export const deleteDashboardLayout = endpoint({
  ...{ ...common, ...layout, id: 'deleteDashboardLayout', method: 'DELETE', query: z.object(entityQuery), status: 204, errors: layoutErrors },
  summary: `Deletes an arrangement: ${whose}. What an organisation above arranged holds again, or nothing.`,
});

export const dashboardEndpoints = [
  ...[dashboardFigures, dashboardPeople, dashboardWaiting, dashboardTrend, dashboardPlaces, dashboardCourses],
  ...[getDashboardLayout, updateDashboardLayout, deleteDashboardLayout],
] as const;
