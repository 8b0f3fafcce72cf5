import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportPreset } from '#contract/api/report-presets.ts';
import { permissionIdOf, type PermissionSlug } from '#contract/permissions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('presets of reports', () => {
  let server: TestApp;
  const people: Record<string, TestClient> = {};
  const accounts = {
    manager: 'manager@willowbrook.test',
    office: 'admin@willowbrook.test',
    sibling: 'gareth.pugh@willowbrook.test',
    colleague: 'daniel.osei@willowbrook.test',
    stranger: 'admin@brightpath.test',
  };
  const allow = (email: string, ...slugs: PermissionSlug[]) =>
    server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${slugs.map(permissionIdOf)}::int[]) from users where email = ${email} on conflict do nothing`,
    );
  beforeAll(async () => {
    server = await startTestApp();
    for (const [name, email] of Object.entries(accounts)) {
      await allow(email, 'care_certificate.report');
      const client = server.client();
      await client.signIn(email);
      people[name] = client;
    }
  });
  afterAll(() => server.close());

  type Answer<D> = { data: D; code?: string; message?: string; errors?: Record<string, string[]> };
  const ask = async <D = ReportPreset>(who: string, method: string, path: string, body?: object) => {
    const { status, body: answer } = await (people[who] as TestClient).json<Answer<D>>(method, `/reports/presets${path}`, body);
    return { status, ...answer };
  };
  const names = async (who: string, query = '') => (await ask<ReportPreset[]>(who, 'GET', query)).data.map((p) => p.name);
  const choices = { includeApproved: true, includeAwaitingApproval: false, includeOutstanding: false, includeWorkingTowards: true };
  const preset = (name: string, more: object = {}) => ({ name, report_type: 'care-certificate', ...choices, ...more });

  it('keeps the choices beside its name, and changes some of them', async () => {
    const unknown = await ask('manager', 'POST', '', preset('Mine', { unknown: 1 }));
    expect([unknown.status, Object.keys(unknown.errors ?? {}).length]).toEqual([422, 1]);
    const made = await ask('manager', 'POST', '', preset('Mine'));
    expect(made).toMatchObject({ status: 201, data: { ...preset('Mine'), shared: false, is_default: false, can_change: true, names: {}, gone: [] } });
    const changed = await ask('manager', 'PATCH', `/${made.data.id}`, { name: 'Still mine', includeApproved: false });
    expect(changed.data).toMatchObject({ ...preset('Still mine'), includeApproved: false });
    expect((await ask('manager', 'POST', '', preset(' ', { includeApproved: 'yes' }))).status).toBe(422);
    expect((await ask('manager', 'POST', '', { name: 'Mine', report_type: 'nothing' })).status).toBe(422);
    expect((await ask('manager', 'PATCH', `/${made.data.id}`, { includeApproved: 3 })).errors).toHaveProperty('includeApproved');
    expect((await ask('manager', 'DELETE', `/${made.data.id}`)).status).toBe(204);
    expect(await ask('manager', 'GET', `/${made.data.id}`)).toMatchObject({ status: 404, message: 'Failed to fetch report preset.' });
  });

  it('is one’s own until it is shared: then those at the organisation see it, and nobody else', async () => {
    const { id } = (await ask('manager', 'POST', '', preset('House'))).data;
    expect([await names('manager'), await names('colleague')]).toEqual([['House'], []]);
    expect((await ask('colleague', 'GET', `/${id}`)).status).toBe(404);
    await ask('manager', 'PATCH', `/${id}`, { shared: true });
    expect([await names('colleague'), await names('sibling'), await names('stranger')]).toEqual([['House'], [], []]);
    for (const who of ['sibling', 'stranger'])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect([who, (await ask(who, method, `/${id}`, method === 'PATCH' ? { name: 'Taken' } : undefined)).status]).toEqual([who, 404]);
    // It is changed by its owner, or by an administrator of the organisation.
    expect((await ask('colleague', 'PATCH', `/${id}`, { name: 'Taken' })).status).toBe(403);
    expect((await ask('colleague', 'DELETE', `/${id}`)).status).toBe(403);
    await allow(accounts.colleague, 'entity.update');
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    expect((await ask('colleague', 'PATCH', `/${id}`, { name: 'Ours' })).data).toMatchObject({ name: 'Ours', owner: { name: 'Helen Marsh' } });
    expect((await ask('colleague', 'PATCH', `/${id}`, { shared: false })).errors).toHaveProperty('shared');
    const log = await server.database.db.all<{ after: object }>(sql`select after from audit_log where subject_id = ${id} order by at`);
    expect(log).toEqual([{ after: { shared: true } }, { after: { name: 'Ours' } }]);
    // One shared from above reaches those below; one of a house does not reach the office.
    await ask('office', 'POST', '', preset('Group', { shared: true }));
    expect([await names('manager'), await names('office')]).toEqual([['Group', 'Ours'], ['Group']]);
    expect(await names('manager', '?report_type=care-certificate&actingAs=willowbrook-house')).toEqual(['Group', 'Ours']);
    expect(await names('manager', '?actingAs=brightpath')).toEqual([]);
  });

  it('tells who saves second what the first one saved, and overwrites nothing', async () => {
    const { id, rev } = (await ask('manager', 'POST', '', preset('Ward', { shared: true }))).data;
    const change = (who: string, body: object) => ask(who, 'PATCH', `/${id}`, body);
    expect((await change('colleague', { includeApproved: false, rev })).data).toMatchObject({ rev: rev + 1, includeApproved: false });
    const late = await (people.manager as TestClient).json<{ code: string; current: ReportPreset }>('PATCH', `/reports/presets/${id}`, {
      ...{ includeOutstanding: true, rev },
    });
    expect([late.status, late.body.code]).toEqual([409, 'rev_mismatch']);
    expect(late.body.current).toMatchObject({ id, rev: rev + 1, name: 'Ward', includeApproved: false, includeOutstanding: false, names: {} });
    expect((await ask('manager', 'GET', `/${id}`)).data).toMatchObject({ includeApproved: false, includeOutstanding: false });
    expect((await change('manager', { includeOutstanding: true, rev: rev + 1 })).data).toMatchObject({ rev: rev + 2, includeApproved: false });
    // Sharing it and making it one's default do not make a new version.
    expect((await change('manager', { shared: false })).data.rev).toBe(rev + 2);
    expect((await change('manager', { is_default: true, rev })).data.rev).toBe(rev + 2);
    expect((await change('manager', { name: 'Wards' })).data.rev).toBe(rev + 3);
    expect((await ask('manager', 'DELETE', `/${id}`)).status).toBe(204);
  });

  it('is the default of one person for one report', async () => {
    const [first, second] = await Promise.all(
      ['One', 'Two'].map(async (name) => (await ask('office', 'POST', '', preset(name, { is_default: true }))).data.id),
    );
    await ask('office', 'PATCH', `/${first}`, { is_default: true });
    const defaults = async () => (await ask<ReportPreset[]>('office', 'GET', '')).data.filter((p) => p.is_default).map((p) => p.id);
    expect(await defaults()).toEqual([first]);
    await ask('office', 'PATCH', `/${second}`, { is_default: true });
    expect(await defaults()).toEqual([second]);
    // Everybody has a default of their own, also among those shared with them.
    const shared = (await ask<ReportPreset[]>('manager', 'GET', '')).data.find((p) => p.name === 'Group');
    expect((await ask('manager', 'PATCH', `/${shared?.id}`, { is_default: true })).data.is_default).toBe(true);
    expect(await defaults()).toEqual([second]);
    await ask('office', 'PATCH', `/${second}`, { is_default: false });
    expect(await defaults()).toEqual([]);
  });

  it('is saved at an organisation that one sees, and for a report that one may read', async () => {
    const at = { acting_as_id: demoId('entity:home'), shared: true };
    const made = await ask('office', 'POST', '', preset('For the house', at));
    expect([made.status, made.data.organisation.id]).toEqual([201, demoId('entity:home')]);
    expect(await names('colleague')).toContain('For the house');
    expect((await ask('manager', 'POST', '', preset('There', { acting_as_id: demoId('entity:brightpath') }))).errors).toHaveProperty('acting_as_id');
    expect((await ask('manager', 'GET', `/${randomUUID()}`)).status).toBe(404);
    await server.database.db.run(
      sql`delete from user_permissions where permission_id = ${permissionIdOf('care_certificate.report')} and user_id = (select id from users where email = ${accounts.colleague})`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    // Of the reports that are left to them, it is none.
    expect(await names('colleague')).not.toContain('For the house');
    expect((await ask('colleague', 'GET', `/${made.data.id}`)).status).toBe(404);
    expect((await ask('colleague', 'POST', '', preset('Mine'))).status).toBe(403);
  });
});
