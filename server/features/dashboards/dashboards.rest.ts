import type { dashboardEndpoints } from '#contract/api/dashboards.ts';
import { dashboardsOf } from '#server/features/dashboards/dashboards.service.ts';
import { layoutsOf } from '#server/features/dashboards/layouts.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const dashboardHandlers = (services: Services): HandlersOf<typeof dashboardEndpoints> => {
  const dashboards = dashboardsOf(services);
  const layouts = layoutsOf(services);
  return {
    dashboardFigures: async ({ query, actor }) => {
      const data = await dashboards.figures(actor, query);
      return { data, status: data.counted_at === null ? 202 : 200 };
    },
    dashboardPeople: ({ query, actor }) => dashboards.people(actor, query),
    dashboardWaiting: async ({ actor }) => ({ data: await dashboards.waiting(actor) }),
    dashboardTrend: ({ query, actor }) => dashboards.trend(actor, query),
    dashboardPlaces: ({ query, actor }) => dashboards.places(actor, query),
    dashboardCourses: ({ query, actor }) => dashboards.courses(actor, query),
    getDashboardLayout: async ({ params, actor }) => ({ data: await layouts.get(actor, params.dashboard) }),
    updateDashboardLayout: async ({ params, body, ...by }) => ({ data: await layouts.save(by, params.dashboard, body) }),
    deleteDashboardLayout: ({ params, query, ...by }) => layouts.remove(by, params.dashboard, query.entity),
  };
};
