import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf, type RouteId } from '#contract/site-map.ts';

/** Whether a signed-in person may open a route. The learner's dashboard also requires the organisation's new dashboards. */
export const mayEnter = (user: AuthUser, route: RouteId): boolean => {
  const need = needOf(route);
  return (need.length === 0 || can(user, need)) && (route !== 'learner-dashboard' || user.a_entity.can_see_new_dashboards);
};

/** Where a person is redirected who may not: from the learner's dashboard to the events page, its earlier form. */
export const insteadOf = (route: RouteId): string => (route === 'learner-dashboard' ? '/' : '/403');
