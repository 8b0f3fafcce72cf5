import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companySettings as call } from '#contract/api/training-companies.ts';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]>; current?: CompanySettings };

describe('the settings of a training company', () => {
  let server: TestApp;
  let admin: TestClient;
  let outsider: TestClient;
  let learner: TestClient;
  const path = '/entities/brightpath/training-company';
  const read = async (client = admin, at = path) => (await client.json<Answer<CompanySettings>>('GET', at)).body.data;
  const change = (body: object, client = admin) => client.json<Answer<CompanySettings>>('PATCH', path, body);
  beforeAll(async () => {
    server = await startTestApp();
    [admin, outsider, learner] = [server.client(), server.client(), server.client()];
    await admin.signIn('admin@brightpath.test');
    await outsider.signIn('admin@willowbrook.test');
    await learner.signIn('learner@willowbrook.test');
    // Like a company without settings.
    await server.database.db.run(sql`delete from training_company_settings`);
  });
  afterAll(() => server.close());

  it('are the standard ones at first, and then what was decided; each change is in the audit log', async () => {
    const first = await read();
    expect(call.response.safeParse(first).error).toBeUndefined();
    expect(first).toMatchObject({ rev: 0, inherited_from: null, auto_release_certificates: true, delegate_auto_accept_period: 0 });
    const text = 'Dear {name}, you are booked on {course}.';
    const changed = await change({
      rev: 0,
      ...{ auto_release_certificates: false, practical_max_delegates: 8, bookings_organiser_reference_prefix: ' bp-' },
      communication_preferences_json: [
        { kind: 'booked', email: false, text },
        { kind: 'moved', email: true, text: null },
      ],
    });
    expect([changed.status, changed.body.errors]).toEqual([200, undefined]);
    // A message kind equal to the default is not stored.
    expect(await read()).toMatchObject({
      ...{ rev: 1, auto_release_certificates: false, practical_max_delegates: 8, bookings_organiser_reference_prefix: 'BP-' },
      communication_preferences_json: [{ kind: 'booked', email: false, text }],
    });
    const log = await server.database.db.one<{ after: Record<string, unknown> }>(
      sql`select after from audit_log where subject_kind = 'training_company' and entity_id = ${demoId('entity:brightpath')}`,
    );
    expect(Object.keys(log?.after ?? {}).toSorted()).toEqual([
      ...['auto_release_certificates', 'bookings_organiser_reference_prefix', 'communication_preferences_json', 'practical_max_delegates'],
    ]);
  });

  it('are not overwritten where somebody else saved in the meantime', async () => {
    const late = await change({ rev: 0, delegate_removal_cutoff_hours: 48 });
    expect([late.status, late.body.code, late.body.current?.rev]).toEqual([409, 'rev_mismatch', 1]);
    expect((await read()).delegate_removal_cutoff_hours).toBe(0);
  });

  it.each([
    ['practical_min_delegates', { practical_min_delegates: 9 }],
    ['theory_min_delegates', { theory_min_delegates: 9, theory_max_delegates: 4 }],
    ['theory_max_delegates', { theory_max_delegates: 0 }],
    ['delegate_removal_cutoff_hours', { delegate_removal_cutoff_hours: 721 }],
    ['delegate_auto_accept_period', { delegate_auto_accept_period: 1.5 }],
    ['bookings_organiser_reference_prefix', { bookings_organiser_reference_prefix: 'B P' }],
    ['communication_preferences_json.0.text', { communication_preferences_json: [{ kind: 'booked', email: true, text: '{reason}' }] }],
    ['communication_preferences_json.0.text', { communication_preferences_json: [{ kind: 'joining_link', email: true, text: 'Join.' }] }],
    ['logo', { logo: `/api/whitelabel/pictures/${'0'.repeat(64)}.png` }],
  ])('are refused at %s', async (field, body) => {
    const { status, body: answer } = await change({ rev: 1, ...body });
    expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
    expect((await read()).rev).toBe(1);
  });

  it('have a logo, which is a picture', async () => {
    const form = (bytes: Buffer) =>
      Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="logo"; filename="logo.svg"\r\nContent-Type: image/svg+xml\r\n\r\n'),
        bytes,
        Buffer.from('\r\n--b--\r\n'),
      ]);
    const send = (bytes: Buffer) => admin.send('POST', `${path}/logo`, form(bytes), { 'content-type': 'multipart/form-data; boundary=b' });
    const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="teal"/></svg>');
    const { logo } = (await send(picture)).json<Answer<{ logo: string }>>().data;
    expect((await change({ rev: 1, logo })).body.data.logo).toBe(logo);
    expect((await admin.send('GET', logo.slice(4))).headers['content-type']).toBe('image/png');
    expect(Object.keys((await send(Buffer.from('nothing'))).json<Answer<unknown>>().errors ?? {})).toEqual(['logo']);
    expect((await change({ rev: 2, logo: null })).body.data.logo).toBeNull();
  });

  it('hold for the organisations below, until these have their own', async () => {
    const house = '/entities/willowbrook-house/training-company';
    const group = await outsider.json<Answer<CompanySettings>>('PATCH', '/entities/willowbrook/training-company', {
      ...{ rev: 0, delegate_removal_cutoff_hours: 24 },
    });
    expect(group.status).toBe(200);
    expect(await read(outsider, house)).toMatchObject({ rev: 0, delegate_removal_cutoff_hours: 24, inherited_from: { slug: 'willowbrook' } });
    await outsider.json('PATCH', house, { rev: 0, theory_max_delegates: 20 });
    expect(await read(outsider, house)).toMatchObject({
      ...{ rev: 1, delegate_removal_cutoff_hours: 24, theory_max_delegates: 20, inherited_from: null },
    });
  });

  it('are not there for other organisations, nor for who may not change them', async () => {
    expect((await outsider.json('GET', path)).status).toBe(404);
    expect((await change({ rev: 3, auto_release_certificates: true }, outsider)).status).toBe(404);
    expect((await learner.json('GET', '/entities/willowbrook-house/training-company')).status).toBe(403);
  });

  it('are read and changed by GraphQL as well', async () => {
    const id = demoId('entity:brightpath');
    const ask = async (client: TestClient, query: string, variables: object) =>
      (
        await client.json<{ data: Record<string, Partial<CompanySettings>> | null; errors?: { extensions: { code: string; errors?: object } }[] }>(
          'POST',
          '/graphql',
          { query, variables },
        )
      ).body;
    const mutation = `mutation ($input: TrainingCompanyInput!) { updateTrainingCompany(input: $input) { rev theory_min_delegates
      communication_preferences_json { kind email text } entity { slug } } }`;
    const { rev } = await read();
    const preferences = [{ kind: 'removed', email: false, text: null }];
    const input = { id, rev, theory_min_delegates: 3, communication_preferences_json: preferences };
    expect((await ask(admin, mutation, { input })).data?.updateTrainingCompany).toEqual({
      ...{ rev: rev + 1, theory_min_delegates: 3, communication_preferences_json: preferences, entity: { slug: 'brightpath' } },
    });
    expect((await ask(admin, mutation, { input })).errors?.[0]?.extensions.code).toBe('rev_mismatch');
    expect((await ask(admin, mutation, { input: { id, theory_min_delegates: 999 } })).errors?.[0]?.extensions.code).toBe('invalid_input');
    expect((await ask(admin, mutation, { input: { id, theory_min_delegates: null } })).data?.updateTrainingCompany?.theory_min_delegates).toBeNull();
    expect((await ask(outsider, mutation, { input })).errors?.[0]?.extensions.code).toBe('not_found');
    expect((await ask(learner, mutation, { input })).errors?.[0]?.extensions.code).toBe('forbidden');
    const query = 'query ($id: ID!) { trainingCompany(id: $id) { theory_min_delegates inherited_from { slug } } }';
    expect((await ask(admin, query, { id })).data?.trainingCompany).toEqual({ theory_min_delegates: null, inherited_from: null });
  });
});
