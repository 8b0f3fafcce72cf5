import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf, type RouteId } from '#contract/site-map.ts';

/** Whether somebody who is signed in may open a route. The learner's dashboard needs its organisation's new dashboards besides. */
export const mayEnter = (user: AuthUser, route: RouteId): boolean => {
  const need = needOf(route);
  return (need.length === 0 || can(user, need)) && (route !== 'learner-dashboard' || user.a_entity.can_see_new_dashboards);
};

/** Where somebody goes who may not: from the learner's dashboard to the events, which are the learner's page without it. */
export const insteadOf = (route: RouteId): string => (route === 'learner-dashboard' ? '/' : '/403');
