import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { Delegate, Register, SessionRow } from '#contract/entities/training-session.ts';
import { addDays, dayIn, dayWords, instantOf } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { type PdfPart, printedOver, readPdf } from '#tests/support/read-pdf.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const session = demoId('session:moving');
const course = demoId('course:Moving and assisting people');
const delegate = (who: string) => demoId(`delegate:moving:${who}`);
const userId = (who: string) => demoId(`user:${who}@willowbrook.test`);
const drawn = { method: 'drawn', drawing: 'M10 10L90 40' } as const;

describe('a register', () => {
  let server: TestApp;
  let trainer: TestClient;
  let admin: TestClient;
  type Answer = { data: Register; code?: string; current?: Register; meta?: { outcomes: { outcome: string }[] }; errors?: Record<string, string[]> };
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const change = (command: string, args: object, id = randomUUID()) => ({ id, version: 1, at: server.clock.now.toISOString(), command, args });
  const send = (changes: object[], who = trainer, id = session) => who.json<Answer>('PATCH', `/training-sessions/${id}/register`, { changes });
  const mark = (who: string, more: object = {}) =>
    change('register.mark', {
      delegate_id: delegate(who),
      presence: 'present',
      arrived: null,
      left: null,
      outcome: 'passed',
      note: '',
      instead_of: null,
      ...more,
    });
  const complete = (marks: { id: string }[] = []) => change('register.complete', { marks: marks.map((m) => m.id), note: '', ...drawn });
  const read = async (who = trainer, id = session) => (await who.json<Answer>('GET', `/training-sessions/${id}`)).body.data;
  const of = (register: Register, name: string) => register.delegates.find((d) => d.name === name) as Delegate;
  const results = (who: string) =>
    server.database.db.all<{ completed_at: string; expires_at: string; type: string; delegate_id: string | null }>(
      sql`select completed_at, expires_at, type, delegate_id from current_results where user_id = ${userId(who)} and course_id = ${course} and delegate_id is not null`,
    );
  const post = (path: string, body: object, who = admin) => who.json<Answer>('POST', path, body);

  beforeEach(async () => {
    server = await startTestApp();
    trainer = await as('trainer@willowbrook.test');
    admin = await as('admin@willowbrook.test');
  });
  afterEach(() => server.close());

  it('puts the training into the records of who was there and passed, once, when it is finished', async () => {
    const marks = [
      mark('grace.adeyemi'),
      mark('liam.murphy', { arrived: '09:50', left: '12:00' }),
      mark('megan.davies', { outcome: 'not_yet' }),
      mark('daniel.osei', { presence: 'absent', outcome: null }),
    ];
    const taken = await send(marks);
    expect(taken.status).toBe(200);
    expect(of(taken.body.data, 'Liam Murphy').marks).toMatchObject([{ arrived: '09:50', left: '12:00', by: { name: 'Tomasz Zielinski' } }]);
    expect(await results('grace.adeyemi')).toEqual([]);
    const whole = complete(marks);
    expect((await send([whole])).body.data).toMatchObject({ completed: { by: { name: 'Tomasz Zielinski' } } });
    const noon = instantOf(dayIn(server.clock.now, 'Europe/London'), '12:00', 'Europe/London');
    for (const who of ['grace.adeyemi', 'liam.murphy'])
      expect(await results(who)).toMatchObject([{ completed_at: noon, type: 'face2face', expires_at: expect.any(String) }]);
    for (const who of ['megan.davies', 'daniel.osei']) expect(await results(who)).toEqual([]);
    // Everything again, as a device does that did not get the answer.
    expect((await send([...marks, whole])).status).toBe(200);
    expect(await results('grace.adeyemi')).toHaveLength(1);
    expect(of(await read(), 'Grace Adeyemi')).toMatchObject({ recorded: true, marks: [{ outcome: 'passed' }] });
  });

  it('is finished on the day, and not before: what was noted stays', async () => {
    const tomorrow = demoId('session:life-support');
    const seen = change('register.mark', {
      ...{ delegate_id: demoId('delegate:life-support:aisha.khan'), presence: 'present', arrived: null, left: null, outcome: 'passed', note: '' },
      instead_of: null,
    });
    expect((await send([seen], trainer, tomorrow)).status).toBe(200);
    const early = await send([complete([seen])], trainer, tomorrow);
    expect([early.status, early.body.code]).toEqual([422, 'session_to_come']);
    expect(await read(trainer, tomorrow)).toMatchObject({ completed: null });
    server.clock.now = new Date(server.clock.now.getTime() + 86_400_000);
    trainer = await as('trainer@willowbrook.test');
    expect((await send([complete([seen])], trainer, tomorrow)).body.data.completed).not.toBeNull();
  });

  it('lets the records follow what is changed after it was finished', async () => {
    const first = mark('grace.adeyemi');
    await send([first, complete([first])]);
    expect(await results('grace.adeyemi')).toHaveLength(1);
    const second = mark('grace.adeyemi', { outcome: 'not_yet', instead_of: first.id });
    const after = await send([second]);
    expect(of(after.body.data, 'Grace Adeyemi').marks.map((m) => m.outcome)).toEqual(['passed', 'not_yet']);
    expect(await results('grace.adeyemi')).toEqual([]);
    await send([mark('grace.adeyemi', { instead_of: second.id })]);
    expect(await results('grace.adeyemi')).toHaveLength(1);
  });

  it('asks where two have noted something else of one person, and keeps both', async () => {
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) values (${userId('manager')}, 128) on conflict do nothing`,
    );
    await server.database.db.run(sql`update training_sessions set entity_id = ${demoId('entity:home')} where id = ${session}`);
    const manager = await as('manager@willowbrook.test');
    const theirs = mark('grace.adeyemi', { presence: 'absent', outcome: null });
    expect((await send([theirs], manager)).status).toBe(200);
    const mine = mark('grace.adeyemi');
    const refused = await send([mine, mark('liam.murphy')]);
    expect(refused).toMatchObject({ status: 409, body: { code: 'marked_elsewhere' } });
    expect(of(refused.body.current as Register, 'Grace Adeyemi').marks).toMatchObject([{ id: theirs.id, by: { name: 'Helen Marsh' } }]);
    // The same mark is no conflict, and one that knows the other replaces it.
    expect((await send([mark('grace.adeyemi', { presence: 'absent', outcome: null })])).status).toBe(200);
    const known = of(await read(), 'Grace Adeyemi').marks.at(-1)?.id;
    expect((await send([mark('grace.adeyemi', { instead_of: known })])).status).toBe(200);
    expect(of(await read(), 'Grace Adeyemi').marks.map((m) => m.presence)).toEqual(['absent', 'absent', 'present']);
  });

  it('takes a register of a session that was cancelled meanwhile, and counts it when it is said that it took place', async () => {
    expect((await post(`/training-sessions/${session}/cancellation`, { notes: '' })).body.errors?.notes).toEqual(['Enter a reason.']);
    expect((await post(`/training-sessions/${session}/cancellation`, { notes: 'The hall is flooded.' })).status).toBe(201);
    const first = mark('grace.adeyemi');
    const sent = await send([first, complete([first])]);
    expect(sent).toMatchObject({ status: 200, body: { meta: { outcomes: [{ outcome: 'late' }, { outcome: 'late' }] } } });
    expect(sent.body.data).toMatchObject({ cancelled: { notes: 'The hall is flooded.', by: { name: 'Priya Raman' } }, held: null });
    expect(await results('grace.adeyemi')).toEqual([]);
    const mails = await server.database.db.all(sql`select recipient from outgoing_mail where subject like 'A register of a cancelled%'`);
    expect(mails).toEqual([{ recipient: 'admin@willowbrook.test' }]);
    expect((await post(`/training-sessions/${session}/held`, { held: true }, trainer)).status).toBe(403);
    expect((await post(`/training-sessions/${session}/held`, { held: true })).body.data).toMatchObject({ held: true });
    expect(await results('grace.adeyemi')).toHaveLength(1);
    expect((await post(`/training-sessions/${session}/held`, { held: false })).status).toBe(201);
    expect(await results('grace.adeyemi')).toEqual([]);
  });

  it('takes a register of a session that was moved meanwhile, and asks whether it took place on the day that it had', async () => {
    const [day, week] = [dayIn(server.clock.now, 'Europe/London'), addDays(dayIn(server.clock.now, 'Europe/London'), 7)];
    const move = (date: string) => admin.json<Answer>('PATCH', `/training-sessions/${session}`, { date });
    const held = (to: boolean) => post(`/training-sessions/${session}/held`, { held: to });
    expect((await move(week)).body.data).toMatchObject({ date: week, taken_on: null });
    expect((await held(true)).body.errors).toHaveProperty('held');
    const first = mark('grace.adeyemi');
    const sent = await send([first, complete([first])]);
    expect(sent).toMatchObject({ status: 200, body: { meta: { outcomes: [{ outcome: 'applied' }, { outcome: 'late' }] } } });
    expect(sent.body.data).toMatchObject({ date: week, taken_on: day, completed: { by: { name: 'Tomasz Zielinski' } } });
    expect(await results('grace.adeyemi')).toEqual([]);
    const asked = sql`select recipient from outgoing_mail where subject = 'A register of a moved session: Moving and assisting people'`;
    expect(await server.database.db.all(asked)).toEqual([{ recipient: 'admin@willowbrook.test' }]);
    // It did not: the register is open for its current day, and earlier entries stay.
    const open = (await held(false)).body.data;
    expect(open).toMatchObject({
      date: week,
      taken_on: null,
      completed: null,
      incomplete: { reason: expect.stringContaining('did not take place') },
    });
    expect(of(open, 'Grace Adeyemi').marks).toHaveLength(1);
    // Finished again by a device that still has the former day; it did take place.
    expect((await send([complete([first])])).body.data).toMatchObject({ taken_on: day });
    // A reopened register is no longer asked about.
    expect((await post(`/training-sessions/${session}/reopening`, { reason: 'By mistake.' })).body.data).toMatchObject({
      completed: null,
      taken_on: null,
    });
    await send([complete([first])]);
    // The people on the list, those who booked them and the trainer are notified once that it was held on that day; their calendars follow.
    const grace = await as('grace.adeyemi@willowbrook.test');
    await server.database.db.run(sql`update session_delegates set added_by = ${userId('manager')} where id = ${delegate('grace.adeyemi')}`);
    const own = async () => (await grace.json<{ data: OwnBooking[] }>('GET', '/bookings/own')).body.data.filter((b) => b.session_id === session);
    const [before] = await own();
    const noticesTo = async (who: string) =>
      (
        await server.database.db.all<{ message: string }>(
          sql`select message from messages where recipient_id = ${userId(who)} and by_product and message like '%was held on%'`,
        )
      ).map((m) => m.message);
    const mailed = async () =>
      (await server.database.db.all(sql`select 1 from outgoing_mail where recipient = 'grace.adeyemi@willowbrook.test'`)).length;
    const mails = await mailed();
    expect((await held(true)).body.data).toMatchObject({ date: day, taken_on: null, held: null });
    const was = `“Moving and assisting people” was held on ${dayWords(day)}, and not on ${dayWords(week)}.`;
    expect(await own()).toMatchObject([{ date: day, rev: (before?.rev ?? 0) + 1 }]);
    expect((await held(true)).status).toBe(422);
    const forDelegates = `${was} The date under Your bookings and in your calendar is put right.`;
    for (const who of ['grace.adeyemi', 'liam.murphy']) expect([who, await noticesTo(who)]).toEqual([who, [forDelegates]]);
    for (const who of ['manager', 'trainer']) expect([who, await noticesTo(who)]).toEqual([who, [was]]);
    expect(await mailed()).toBe(mails + 1);
    const noon = instantOf(day, '12:00', 'Europe/London');
    expect(await results('grace.adeyemi')).toMatchObject([{ completed_at: noon }]);
    expect((await move(week)).body.code).toBe('session_over');
  });

  it('has somebody who was taken off the list and came all the same as a walk-in; who did not come stays off', async () => {
    for (const who of ['grace.adeyemi', 'liam.murphy'])
      expect((await admin.json('DELETE', `/training-sessions/${session}/delegates/${delegate(who)}`)).status).toBe(200);
    const sent = await send([mark('grace.adeyemi'), mark('liam.murphy', { presence: 'absent', outcome: null }), complete()]);
    expect(sent.body.meta?.outcomes.map((o) => o.outcome)).toEqual(['late', 'late', 'applied']);
    expect(of(sent.body.data, 'Grace Adeyemi')).toMatchObject({ removed: null, walk_in: true, recorded: true });
    expect(of(sent.body.data, 'Liam Murphy')).toMatchObject({ removed: { by: { name: 'Priya Raman' } }, recorded: false });
  });

  it('adds walk-ins: somebody known, somebody put on the list meanwhile, and a name that is matched later', async () => {
    const aisha = change('register.walk_in', { user_id: userId('aisha.khan'), name: 'Aisha Khan', note: '' });
    const jade = change('register.walk_in', { user_id: userId('jade.robinson'), name: 'Jade Robinson', note: '' });
    const name = change('register.walk_in', { user_id: null, name: 'Sunny', note: 'agency' });
    expect((await post(`/training-sessions/${session}/delegates`, { user_ids: [userId('jade.robinson')] })).status).toBe(201);
    const marks = [aisha, jade, name].map((w) =>
      change('register.mark', { delegate_id: w.id, presence: 'present', arrived: null, left: null, outcome: 'passed', note: '', instead_of: null }),
    );
    const sent = await send([aisha, jade, name, ...marks, complete(marks)]);
    expect(sent.body.meta?.outcomes.map((o) => o.outcome)).toEqual(['applied', 'late', 'applied', 'applied', 'applied', 'applied', 'applied']);
    expect(sent.body.data.delegates.filter((d) => d.name === 'Jade Robinson')).toMatchObject([
      { also: [jade.id], recorded: true, marks: [{ id: marks[1]?.id }] },
    ]);
    expect(of(sent.body.data, 'Aisha Khan')).toMatchObject({ walk_in: true, recorded: true });
    expect(of(sent.body.data, 'Sunny')).toMatchObject({ user: null, note: 'agency', recorded: false });
    const match = (who: string) => trainer.json<Answer>('PATCH', `/training-sessions/${session}/delegates/${name.id}`, { user_id: userId(who) });
    expect((await match('aisha.khan')).body.errors?.user_id?.[0]).toMatch(/^Aisha Khan is on the list/);
    expect(of((await match('sunita.patel')).body.data, 'Sunita Patel')).toMatchObject({ id: name.id, recorded: true });
    expect(await results('sunita.patel')).toHaveLength(1);
    // A repeated change does nothing twice.
    expect((await send([aisha, jade, name])).body.data.delegates).toHaveLength(7);
  });

  it('binds signatures to a mark that is there, and adds only', async () => {
    const first = mark('grace.adeyemi');
    expect((await send([change('register.sign', { mark_id: first.id, ...drawn })])).body.code).toBe('not_found');
    await send([first]);
    const sign = change('register.sign', { mark_id: first.id, ...drawn });
    expect(of((await send([sign])).body.data, 'Grace Adeyemi').signature).toMatchObject({ mark_id: first.id, drawing: drawn.drawing });
    for (const statement of [
      sql`update register_marks set presence = 'absent'`,
      sql`delete from register_signatures`,
      sql`update register_completions set note = 'x'`,
    ])
      await expect(server.database.db.run(statement)).rejects.toThrow('only ever added to');
  });

  it('is planned, changed and called off by who may, and not after it is finished', async () => {
    const planned = {
      ...{ course_id: course, trainer_id: userId('trainer'), date: '2027-01-11', startTime: '09:00', endTime: '12:00', venue: ' Hall ', room: '' },
      ...{ aim: '', maxDelegates: 1, grading_method: 'attendance' },
    };
    expect((await post('/training-sessions', { ...planned, endTime: '08:00' })).body.errors?.endTime).toEqual(['The end is before the beginning.']);
    expect((await post('/training-sessions', { ...planned, course_id: randomUUID() })).body.errors).toHaveProperty('course_id');
    expect((await post('/training-sessions', { ...planned, trainer_id: demoId('user:admin@brightpath.test') })).body.errors).toHaveProperty(
      'trainer_id',
    );
    expect((await post('/training-sessions', { ...planned, trainer_id: userId('learner') })).body.errors?.trainer_id?.[0]).toMatch(
      /^They may not take registers/,
    );
    expect((await post('/training-sessions', planned, trainer)).status).toBe(403);
    const made = (await post('/training-sessions', planned)).body.data;
    expect(made).toMatchObject({ venue: 'Hall', entity: { name: 'Willowbrook Care Group' }, delegates: [] });
    const list = (users: string[]) => post(`/training-sessions/${made.id}/delegates`, { user_ids: users.map(userId) });
    expect((await list(['aisha.khan', 'jade.robinson'])).body.errors?.user_ids).toEqual(['There is room for 1: 0 are on the list already.']);
    expect((await list(['aisha.khan'])).body.data.delegates).toMatchObject([{ name: 'Aisha Khan', walk_in: false }]);
    expect((await list(['aisha.khan'])).status).toBe(201);
    const changed = await admin.json<Answer>('PATCH', `/training-sessions/${made.id}`, { startTime: '11:00' });
    expect(changed.body.data).toMatchObject({ startTime: '11:00', endTime: '12:00' });
    expect((await admin.json<Answer>('PATCH', `/training-sessions/${made.id}`, { startTime: '12:00' })).body.errors).toHaveProperty('endTime');
    await admin.json('PATCH', `/training-sessions/${made.id}`, {
      date: dayIn(server.clock.now, 'Europe/London'),
      startTime: '18:00',
      endTime: '19:00',
    });
    await send([complete()], trainer, made.id);
    for (const [method, path, body] of [
      ['PATCH', '', { venue: 'Elsewhere' }],
      ['POST', '/cancellation', { notes: 'No' }],
      ['POST', '/delegates', { user_ids: [userId('jade.robinson')] }],
    ] as const)
      expect((await admin.json<Answer>(method, `/training-sessions/${made.id}${path}`, body)).body.code).toBe('session_over');
  });

  it('is printed to be signed on paper: who is on it by name, with empty lines for others', async () => {
    await admin.json('DELETE', `/training-sessions/${session}/delegates/${delegate('daniel.osei')}`);
    await send([mark('megan.davies', { arrived: '09:50' })]);
    const printed = await trainer.send('GET', `/training-sessions/${session}/printed-register`);
    expect([printed.statusCode, printed.headers['content-type']]).toEqual([200, 'application/pdf']);
    const { pages, pieces, tagged } = await readPdf(printed.rawPayload);
    const partsOf = (parts: readonly PdfPart[] = []): PdfPart[] => parts.flatMap((part) => [part, ...partsOf(part.children)]);
    const rows = partsOf(pages.flat())
      .filter((part) => part.role === 'TBody')
      .flatMap((body) => body.children ?? [])
      .map((line) => line.children ?? []);
    const names = rows.flatMap(([name]) => (name?.text ? [name.text.split(' · ')[0]] : []));
    expect(names).toEqual(
      (await read()).delegates
        .filter((d) => d.removed === null)
        .map((d) => d.name)
        .toSorted((a, b) => a.localeCompare(b, 'en-GB')),
    );
    expect(names).not.toContain('Daniel Osei');
    expect(rows.find(([name]) => name?.text?.startsWith('Megan Davies'))?.[1]?.text).toBe('09:50');
    expect(rows.length).toBeGreaterThanOrEqual(names.length + 3);
    expect([tagged, printedOver(pieces)]).toEqual([true, []]);
    expect((await (await as('admin@brightpath.test')).send('GET', `/training-sessions/${session}/printed-register`)).statusCode).toBe(404);
    expect((await (await as('learner@willowbrook.test')).send('GET', `/training-sessions/${session}/printed-register`)).statusCode).toBe(403);
  });

  it('is seen by who gives it and who looks after its place; a trainer keeps those of the next days', async () => {
    const own = (await trainer.json<{ data: Register[] }>('GET', '/registers')).body.data;
    expect(own.map((r) => r.course.name)).toEqual(['Moving and assisting people', 'Basic life support', 'Safeguarding children']);
    const rows = (query: string, who = trainer) => who.json<{ data: SessionRow[] }>('GET', `/training-sessions${query}`);
    expect((await rows('')).body.data[0]).toMatchObject({ delegates: 4, present: 0, course: { name: 'Moving and assisting people' } });
    expect((await rows('?when=past')).body.data).toMatchObject([{ delegates: 3, present: 2, completed: { by: { name: 'Tomasz Zielinski' } } }]);
    expect((await rows('?search=head%20office')).body.data.map((r) => r.course.name)).toEqual(['Safeguarding children']);
    const learner = await as('learner@willowbrook.test');
    expect((await rows('', learner)).status).toBe(403);
    const outsider = await as('admin@brightpath.test');
    expect(new Set((await rows('', outsider)).body.data.map((r) => r.entity.slug))).toEqual(new Set(['brightpath']));
    expect((await outsider.json('GET', `/training-sessions/${session}`)).status).toBe(404);
    expect((await send([mark('grace.adeyemi')], outsider)).status).toBe(404);
  });
});
