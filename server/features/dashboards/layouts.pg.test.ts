import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/entities/audit.ts';
import type { DashboardLayout } from '#contract/entities/dashboard.ts';
import { permissionIdOf } from '#contract/permissions.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('arrangements of dashboards', () => {
  let server: TestApp;
  const people: Record<string, TestClient> = {};
  beforeAll(async () => {
    server = await startTestApp();
    for (const [name, email] of Object.entries({
      manager: 'manager@willowbrook.test',
      admin: 'admin@willowbrook.test',
      rival: 'admin@brightpath.test',
      learner: 'learner@willowbrook.test',
    })) {
      const client = server.client();
      await client.signIn(email);
      people[name] = client;
    }
  });
  afterAll(() => server.close());

  type Answer = { data: DashboardLayout; code?: string };
  const path = '/dashboards/manager-dashboard/layout';
  const ask = (who: string, method: string, body?: object, at = path) => (people[who] as TestClient).json<Answer>(method, at, body);
  const get = async (who: string, at = path) => (await ask(who, 'GET', undefined, at)).body.data;
  const ids = ({ widgets }: DashboardLayout) => widgets.map((w) => `${w.hidden ? '-' : ''}${w.id}`).join(' ');
  const standard = 'today overdue soon forecast starters devices views';
  const backwards = (layout: DashboardLayout) => layout.widgets.toReversed().map((w) => ({ ...w, hidden: w.id === 'forecast' }));
  const reversed = 'views devices starters -forecast soon overdue today';

  it('are a person’s own, before that of the nearest organisation, before none', async () => {
    const before = await get('manager');
    expect([ids(before), before.from, before.organisation, before.rev]).toEqual([standard, 'standard', null, null]);
    const saved = await ask('manager', 'PATCH', { widgets: backwards(before), rev: null });
    expect([saved.status, ids(saved.body.data), saved.body.data.from]).toEqual([200, reversed, 'person']);
    expect((await get('admin')).from).toBe('standard');
    // The group arranges it for everybody below without a layout of their own.
    const office = await get('admin');
    expect(office.shared).toMatchObject({ entity: { slug: 'willowbrook' }, rev: null });
    const shared = [
      { id: 'forecast', hidden: false },
      { id: 'today', hidden: true },
      { id: 'not there any more', hidden: false },
    ];
    const all = await ask('admin', 'PATCH', { widgets: shared, rev: null, entity: 'willowbrook' });
    expect(all.body.data.from).toBe('organisation');
    expect(ids(await get('manager'))).toBe(reversed);
    expect((await ask('manager', 'DELETE')).status).toBe(204);
    const now = await get('manager');
    const expected = 'forecast starters devices views -today overdue soon';
    expect([ids(now), now.from, now.organisation?.name]).toEqual([expected, 'organisation', 'Willowbrook Care Group']);
    // A house may have another, which is nearer.
    await ask('admin', 'PATCH', { widgets: [{ id: 'views', hidden: false }], rev: null, entity: 'willowbrook-house' });
    expect((await get('manager')).organisation?.name).toBe('Willowbrook House');
    expect((await ask('admin', 'DELETE', undefined, `${path}?entity=willowbrook-house`)).status).toBe(204);
    expect((await get('manager')).organisation?.name).toBe('Willowbrook Care Group');
    const { body } = await (people.admin as TestClient).json<{ data: AuditEntry[] }>('GET', '/audit-log?kind=dashboard');
    expect(body.data.map((e) => [e.action, e.subject.name, e.entity.slug])).toEqual([
      ['deleted', 'Manager dashboard', 'willowbrook-house'],
      ['created', 'Manager dashboard', 'willowbrook-house'],
      ['created', 'Manager dashboard', 'willowbrook'],
    ]);
    expect(body.data[2]?.after).toEqual({ shown: ['People who turn red if nothing is done'], hidden: ['Today'] });
  });

  it('are not overwritten unseen by another tab', async () => {
    const [one, two] = [await get('manager'), await get('manager')];
    const first = await ask('manager', 'PATCH', { widgets: backwards(one), rev: one.rev });
    const late = await ask('manager', 'PATCH', { widgets: two.widgets, rev: two.rev });
    expect([first.status, late.status, late.body.code]).toEqual([200, 409, 'rev_mismatch']);
    expect(ids(await get('manager'))).toBe(ids(first.body.data));
    // Read again, the later one replaces it.
    expect((await ask('manager', 'PATCH', { widgets: two.widgets, rev: first.body.data.rev })).status).toBe(200);
    await ask('manager', 'DELETE');
    expect((await ask('manager', 'PATCH', { widgets: [], rev: first.body.data.rev })).status).toBe(409);
    const atOnce = await Promise.all([1, 2, 3].map(() => ask('manager', 'PATCH', { widgets: [], rev: null })));
    expect(atOnce.map((a) => a.status).sort()).toEqual([200, 409, 409]);
  });

  it('show nobody what they may not see, and take what their administrator saves for all', async () => {
    const { db } = server.database;
    const before = await get('admin');
    await ask('admin', 'PATCH', { widgets: [], rev: before.rev });
    expect((await get('admin')).from).toBe('person');
    const all = await ask('admin', 'PATCH', { widgets: backwards(before), rev: before.shared?.rev, entity: 'willowbrook' });
    expect([all.status, all.body.data.from]).toEqual([200, 'organisation']);
    const learners = '/dashboards/learner-dashboard/layout';
    const has = permissionIdOf('message.dashboard');
    const without = sql`id = (select type_id from users where email = 'learner@willowbrook.test')`;
    expect(ids(await get('learner', learners))).toBe('next year dates messages');
    await db.run(sql`delete from type_permissions where permission_id = ${has} and type_id in (select id from types where ${without})`);
    await db.run(sql`delete from entity_permissions where permission_id = ${has}`);
    server.clock.now = new Date(server.clock.now.getTime() + 6000);
    expect(ids(await get('learner', learners))).toBe('next year dates');
  });

  it('belong to who may open the dashboard, and for everybody to who may change the organisation', async () => {
    expect((await ask('learner', 'GET')).status).toBe(403);
    expect((await ask('learner', 'PATCH', { widgets: [], rev: null })).status).toBe(403);
    expect((await ask('manager', 'GET', undefined, '/dashboards/nothing/layout')).status).toBe(422);
    expect((await ask('rival', 'PATCH', { widgets: [], rev: null, entity: 'willowbrook' })).status).toBe(404);
    expect((await ask('rival', 'DELETE', undefined, `${path}?entity=willowbrook`)).status).toBe(404);
    expect((await get('rival')).organisation).toBeNull();
    const { body, status } = await ask('learner', 'PATCH', { widgets: [], rev: null, entity: 'willowbrook' }, '/dashboards/learner-dashboard/layout');
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });
});
