import { describe, expect, it } from 'vitest';
import type { AuthUser } from '#contract/entities/user.ts';
import { insteadOf, mayEnter } from '#src/app/may-enter.ts';

const person = ({ flag = true, slugs = ['dashboard.learner'], admin = false }) =>
  ({ super_admin: admin, permissions: slugs.map((slug) => ({ slug })), a_entity: { can_see_new_dashboards: flag } }) as unknown as AuthUser;

describe('a route', () => {
  it.each([
    ['with the permission and the organisation’s dashboards', person({}), true],
    ['without the organisation’s dashboards', person({ flag: false }), false],
    ['without the permission', person({ slugs: ['dashboard.manager'] }), false],
    ['without the organisation’s dashboards, whatever else one may do', person({ admin: true, flag: false }), false],
  ])('of the learner’s dashboard %s', (_who, user, may) => {
    expect(mayEnter(user, 'learner-dashboard')).toBe(may);
    expect(insteadOf('learner-dashboard')).toBe('/');
  });

  it('of another page needs its permission alone, and leads to the page that says so', () => {
    const manager = person({ flag: false, slugs: ['dashboard.manager'] });
    expect([mayEnter(manager, 'manager-dashboard'), mayEnter(manager, 'active-users')]).toEqual([true, false]);
    expect([mayEnter(manager, 'learner-events'), insteadOf('active-users')]).toEqual([true, '/403']);
  });
});
