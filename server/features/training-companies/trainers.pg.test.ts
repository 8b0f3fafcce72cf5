import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getTrainer, listTrainers } from '#contract/api/trainers.ts';
import type { Trainer, TrainerCheck } from '#contract/entities/trainer.ts';
import type { ClientInvitation, TrainingClient, TrainingProvider } from '#contract/entities/training-client.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; errors?: Record<string, string[]>; current?: Trainer };

let server: TestApp;
const clients: Record<string, TestClient> = {};
const signedIn = async (email: string) => {
  const client = server.client();
  await client.signIn(email);
  return client;
};
const as = async (email: string) => (clients[email] ??= await signedIn(email));
const [admin, other, learner] = ['admin@willowbrook.test', 'admin@brightpath.test', 'learner@willowbrook.test'] as const;
const send = async <T>(who: string, method: string, path: string, body?: object) => (await as(who)).json<Answer<T>>(method, path, body);
const userOf = (email: string) => demoId(`user:${email}`);
beforeAll(async () => {
  server = await startTestApp();
  // Like companies without clients and settings.
  await server.database.db.run(sql`delete from training_clients`);
  await server.database.db.run(sql`delete from training_company_settings`);
});
afterAll(() => server.close());

describe('trainers', () => {
  const trainer = userOf('trainer@willowbrook.test');
  const person = userOf(learner);
  const course = demoId('course:Moving and assisting people');
  const path = `/trainers/${trainer}`;
  const noted = { home_base: 'Leeds', course_ids: [course], hours: [{ day: 2, from: '09:00', to: '17:00' }], away: [] };
  /** A Tuesday some weeks from now. */
  const tuesday = () => {
    const from = addDays(dayIn(server.clock.now, 'Europe/London'), 28);
    const day = (new Date(`${from}T00:00:00Z`).getUTCDay() + 6) % 7;
    return addDays(from, (8 - day) % 7);
  };

  it('are those who are marked as one, and somebody becomes one by being added', async () => {
    const names = async (who: string = admin) => {
      const { body } = await send<{ id: string }[]>(who, 'GET', '/trainers?per_page=100');
      expect(listTrainers.response.safeParse(body.data).error).toBeUndefined();
      return body.data.map((t) => t.id);
    };
    expect(await names()).toContain(trainer);
    expect(await names()).not.toContain(person);
    expect(await names(other)).not.toContain(trainer);
    const added = await send<Trainer>(admin, 'POST', '/trainers', { user_id: person });
    expect([added.status, getTrainer.response.safeParse(added.body.data).error]).toEqual([201, undefined]);
    expect(await names()).toContain(person);
    // It is the same mark everywhere.
    expect((await send<{ is_trainer: boolean }>(admin, 'GET', `/users/${person}`)).body.data.is_trainer).toBe(true);
    expect((await send(admin, 'DELETE', `/trainers/${person}`)).status).toBe(204);
    expect(await names()).not.toContain(person);
    expect(Object.keys((await send(other, 'POST', '/trainers', { user_id: person })).body.errors ?? {})).toEqual(['user_id']);
    expect((await send(learner, 'POST', '/trainers', { user_id: person })).status).toBe(403);
  });

  it('have what is noted of them, which two do not overwrite', async () => {
    const changed = await send<Trainer>(admin, 'PATCH', path, { ...noted, rev: 0 });
    expect([changed.status, changed.body.errors]).toEqual([200, undefined]);
    expect(changed.body.data).toMatchObject({ home_base: 'Leeds', courses: [{ id: course }], hours: noted.hours, rev: 1 });
    const late = await send<Trainer>(admin, 'PATCH', path, { ...noted, home_base: 'York', rev: 0 });
    expect([late.status, late.body.code, late.body.current?.home_base]).toEqual([409, 'rev_mismatch', 'Leeds']);
    const wrong = { hours: [{ day: 1, from: '17:00', to: '09:00' }], away: [{ from: '2027-01-02', to: '2027-01-01', reason: '' }] };
    expect(Object.keys((await send(admin, 'PATCH', path, { ...noted, ...wrong, rev: 1 })).body.errors ?? {})).toEqual(['hours.0.to', 'away.0.to']);
    expect((await send(other, 'GET', path)).status).toBe(404);
    expect((await send(other, 'PATCH', path, { ...noted, rev: 1 })).status).toBe(404);
  });

  it('are not in two places: a session at the same time is refused, one after the other is not', async () => {
    const plan = { date: tuesday(), venue: 'Mill Lane', room: '', aim: '', maxDelegates: null, grading_method: 'attendance' };
    const make = (startTime: string, endTime: string, more: object = {}) =>
      send<Register>(admin, 'POST', '/training-sessions', { ...plan, course_id: course, trainer_id: trainer, startTime, endTime, ...more });
    const first = await make('10:00', '12:00');
    expect(first.status).toBe(201);
    const clash = await make('11:30', '13:00');
    expect([clash.status, clash.body.errors]).toEqual([422, { trainer_id: [expect.stringMatching(/^They give “Moving .*10:00 to 12:00\.$/)] }]);
    const second = await make('12:00', '13:00');
    expect(second.status).toBe(201);
    const move = (startTime: string) => send<Register>(admin, 'PATCH', `/training-sessions/${second.body.data.id}`, { startTime });
    expect(Object.keys((await move('11:00')).body.errors ?? {})).toEqual(['trainer_id']);
    // Other changes are possible, whatever else the trainer gives.
    await server.database.db.run(sql`update training_sessions set start_time = '11:00' where id = ${second.body.data.id}`);
    expect((await send(admin, 'PATCH', `/training-sessions/${second.body.data.id}`, { aim: 'Gloves.' })).status).toBe(200);
    await send(admin, 'POST', `/training-sessions/${first.body.data.id}/cancellation`, { notes: 'Ill.' });
    expect((await move('11:30')).status).toBe(200);
    // Of a session that the planner does not see, only the time.
    await server.database.db.run(sql`update training_sessions set entity_id = ${demoId('entity:brightpath')} where id = ${second.body.data.id}`);
    expect((await make('12:30', '14:00')).body.errors?.trainer_id).toEqual([expect.stringMatching(/^They give another session on/)]);
    // Both at once: one is planned.
    const both = await Promise.all([make('15:00', '16:00'), make('15:30', '16:30')]);
    expect(both.map((b) => b.status).toSorted()).toEqual([201, 422]);
    expect((await send(admin, 'DELETE', path)).body.code).toBe('in_use');
  });

  it('are checked before: their sessions, their hours, their days away and their competence', async () => {
    const check = async (query: Record<string, string>) =>
      (await send<TrainerCheck>(admin, 'GET', `${path}/check?${new URLSearchParams({ from: '09:30', to: '11:00', ...query })}`)).body.data;
    const day = addDays(tuesday(), 7);
    expect(await check({ date: day, course })).toEqual({ conflicts: [], warnings: [] });
    expect((await check({ date: tuesday(), from: '15:10', to: '16:00' })).conflicts).toHaveLength(1);
    expect((await check({ date: day, from: '08:00' })).warnings).toEqual([expect.stringMatching(/^On Tuesdays .+ works 09:00 to 17:00\.$/)]);
    expect((await check({ date: addDays(day, 1) })).warnings).toEqual([expect.stringMatching(/does not work on Wednesdays\.$/)]);
    expect((await check({ date: day, course: demoId('course:Fire safety') })).warnings).toEqual([expect.stringMatching(/not noted as competent/)]);
    const rev = (await send<Trainer>(admin, 'GET', path)).body.data.rev;
    await send(admin, 'PATCH', path, { ...noted, rev, away: [{ from: addDays(day, -1), to: day, reason: 'Holiday' }] });
    expect((await check({ date: day })).warnings).toEqual([expect.stringMatching(/is away from .+: Holiday\.$/)]);
    expect((await send(other, 'GET', `${path}/check?date=${day}&from=09:00&to=10:00`)).status).toBe(404);
    // The room they would have, where another trainer has it.
    const room = demoId('room:Lounge');
    const plan = {
      date: tuesday(),
      venue: 'x',
      room: 'x',
      venue_id: demoId('venue:home'),
      room_id: room,
      aim: '',
      maxDelegates: null,
      grading_method: 'attendance',
    };
    const there = await send<Register>(admin, 'POST', '/training-sessions', {
      ...{ ...plan, course_id: course, trainer_id: demoId(`user:${admin}`), startTime: '13:30', endTime: '14:30' },
    });
    expect(there.status).toBe(201);
    const inRoom = async (from: string, to: string, more: Record<string, string> = {}) =>
      (await check({ date: tuesday(), from, to, room, ...more })).warnings;
    expect(await inRoom('14:00', '14:45')).toEqual([expect.stringMatching(/^“Moving .+” is in this room from 13:30 to 14:30 that day\.$/)]);
    expect(await inRoom('14:00', '14:45', { session: there.body.data.id })).toEqual([]);
    expect(await inRoom('14:30', '14:45')).toEqual([]);
  });
});

describe('clients of a training company', () => {
  const [provides, books] = ['/entities/brightpath/training-clients', '/entities/willowbrook/training-providers'];
  type Listed = { clients: TrainingClient[]; invitations: ClientInvitation[] };
  const listed = async () => (await send<Listed>(other, 'GET', provides)).body.data;
  const invite = async (name: string, email: string | null = null) =>
    (await send<{ code: string }>(other, 'POST', `${provides}/invitations`, { name, email })).body.data.code;
  const providers = async (who: string = admin, path = books) => (await send<TrainingProvider[]>(who, 'GET', path)).body.data;

  it('become one by a code, which says whose it is and is used once', async () => {
    const code = await invite('Willowbrook', 'office@willowbrook.test');
    expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
    const { db } = server.database;
    const mail = await db.one<{ body: string }>(
      sql`select body from outgoing_mail where recipient = 'office@willowbrook.test' order by at desc limit 1`,
    );
    expect(mail?.body).toContain(code);
    expect((await listed()).invitations).toMatchObject([{ name: 'Willowbrook', email: 'office@willowbrook.test', accepted_at: null }]);
    expect(JSON.stringify(await listed())).not.toContain(code.replaceAll('-', ''));
    const read = await send(admin, 'POST', `${books}/invitation`, { code: code.toLowerCase() });
    expect(read.body.data).toMatchObject({ provider: { slug: 'brightpath' } });
    expect((await listed()).clients).toEqual([]);
    const accepted = await send<TrainingProvider>(admin, 'POST', books, { code });
    expect([accepted.status, accepted.body.data.provider.slug]).toEqual([201, 'brightpath']);
    expect(await listed()).toMatchObject({ clients: [{ client: { slug: 'willowbrook' }, ended_at: null }], invitations: [] });
    expect(Object.keys((await send(admin, 'POST', books, { code })).body.errors ?? {})).toEqual(['code']);
    // Organisations below a client may book there too.
    expect(
      (await providers('manager@willowbrook.test', '/entities/willowbrook-house/training-providers'))?.map((p) => p.provider.slug) ?? [],
    ).toEqual(['brightpath']);
  });

  it('are not found by guessing, not one’s own, and no code of old or of a withdrawn invitation opens anything', async () => {
    const tries = async (code: string, who: string = admin, path = books) => (await send(who, 'POST', path, { code })).body.errors?.code?.[0];
    expect(await tries('AAAA-BBBB-CCCC')).toMatch(/^No invitation has this code/);
    expect(await tries('what')).toMatch(/^Enter the code/);
    expect(await tries(await invite('Again'))).toMatch(/is a client of .+ already/);
    expect(await tries(await invite('Oneself'), other, '/entities/brightpath/training-providers')).toMatch(/books with it without an invitation/);
    const withdrawn = await invite('Withdrawn');
    const { invitations } = await listed();
    const id = invitations.find((i) => i.name === 'Withdrawn')?.id;
    expect((await send(admin, 'DELETE', `/entities/willowbrook/training-clients/invitations/${id}`)).status).toBe(404);
    expect((await send(other, 'DELETE', `${provides}/invitations/${id}`)).status).toBe(204);
    expect(await tries(withdrawn)).toMatch(/^No invitation/);
    const old = await invite('Old');
    await server.database.db.run(sql`update training_client_invitations set expires_at = created_at where name = 'Old'`);
    expect(await tries(old)).toMatch(/^No invitation/);
    // An organisation that trains only its own people has none.
    expect(
      (await send(admin, 'POST', '/entities/willowbrook/training-clients/invitations', { name: 'X', email: null })).body.errors?.name?.[0],
    ).toMatch(/is not a training company/);
    expect((await send(admin, 'GET', provides)).status).toBe(404);
    expect((await send(learner, 'POST', '/entities/willowbrook-house/training-providers', { code: old })).status).toBe(403);
  });

  it('go by the settings of the provider while they are clients, and see that it has ended; either side ends it', async () => {
    const { db } = server.database;
    const { id } = (await listed()).clients[0] as TrainingClient;
    expect((await send(admin, 'DELETE', `${provides}/${id}`)).status).toBe(404);
    expect((await send(other, 'DELETE', `/entities/brightpath/training-providers/${id}`)).status).toBe(404);
    expect((await send(admin, 'DELETE', `${books}/${id}`)).status).toBe(204);
    expect((await listed()).clients[0]?.ended_at).not.toBeNull();
    expect(await providers()).toMatchObject([{ provider: { slug: 'brightpath' }, ended_at: expect.any(String) }]);
    await send(admin, 'POST', books, { code: await invite('Once more') });
    expect((await listed()).clients).toMatchObject([{ id, ended_at: null }]);
    expect((await send(other, 'DELETE', `${provides}/${id}`)).status).toBe(204);
    expect(await providers()).toMatchObject([{ id, ended_at: expect.any(String) }]);
    const noted = await db.all<{ action: string }>(
      sql`select action from audit_log where subject_kind = 'training_provider' and entity_id = ${demoId('entity:group')} order by at, id`,
    );
    expect(noted.map((n) => n.action).toSorted()).toEqual(['created', 'created', 'deleted']);
  });
});
