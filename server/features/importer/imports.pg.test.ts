import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Import, ImportRow } from '#contract/entities/import.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { addressInUse, answersADay, tooManyInUse } from '#server/features/users/addresses-in-use.service.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';
import { workbook } from '#tests/support/workbook.ts';

type Answer = { data: Import; code: string; message: string; errors: Record<string, string[]> };

describe('an import', () => {
  let server: TestApp;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  const upload = (kind: string, table: string | Buffer, more: { organisation?: string; client?: TestClient } = {}) =>
    (more.client ?? admin).json<Answer>(
      'POST',
      `/importer/imports?kind=${kind}&organisation=${more.organisation ?? 'willowbrook'}&file_name=staff.csv`,
      Buffer.from(table),
      { 'content-type': 'application/octet-stream' },
    );
  const rows = async (id: string, query = '') =>
    (await admin.json<{ data: ImportRow[] }>('GET', `/importer/imports/${id}/rows?per_page=100${query}`)).body.data;
  const look = async (id: string) => (await admin.json<Answer>('GET', `/importer/imports/${id}`)).body.data;
  const run = async (id: string) => {
    expect((await admin.json('POST', `/importer/imports/${id}/run`)).status).toBe(202);
    await expect.poll(async () => (await look(id)).state, { timeout: 45_000 }).toBe('done');
    return look(id);
  };
  const person = (email: string) =>
    server.database.db.one<{ name: string; place: string; role: string | null; type: string | null; started_on: string; gone: boolean }>(
      sql`select u.name, e.slug as place, r.name as role, t.name as type, u.started_on, u.disabled_at is not null as gone from users u join entities e on e.id = u.primary_entity_id
        left join roles r on r.id = u.role_id left join types t on t.id = u.type_id where u.email = ${email}`,
    );

  it('adds, changes, deactivates and leaves alone, and says so before anything is done', async () => {
    const { status, body } = await upload(
      'people',
      [
        'First name;Surname;E-mail address;Site;Job title;Start date;Leaver',
        'Zoë;Müller;ZOE@example.org;Willowbrook House;Care assistant;01/11/2026;no',
        'Amara;Okafor-Bell;learner@willowbrook.test;;;;',
        'Liam;Murphy;liam.murphy@willowbrook.test;;;;yes',
        'Gone;Before;gone@example.org;;;;yes',
      ].join('\n'),
    );
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      state: 'planned',
      counts: { create: 1, update: 1, deactivate: 1, skip: 1 },
      unresolved: 0,
      format: 'CSV, UTF-8, separated by a semicolon',
    });
    expect(body.data.mapping).toEqual({ first_name: 0, last_name: 1, email: 2, organisation: 3, role: 4, started_on: 5, left: 6 });
    expect(await person('zoe@example.org')).toBeUndefined();
    const done = await run(body.data.id);
    expect(done).toMatchObject({ done: 4, unresolved: 0 });
    expect(await person('zoe@example.org')).toEqual({
      name: 'Zoë Müller',
      place: 'willowbrook-house',
      role: 'Care assistant',
      type: null,
      started_on: '2026-11-01',
      gone: false,
    });
    expect((await person('learner@willowbrook.test'))?.name).toBe('Amara Okafor-Bell');
    expect((await person('liam.murphy@willowbrook.test'))?.gone).toBe(true);
    expect(await server.database.db.one(sql`select count(*)::int as n from audit_log where subject_kind = 'user'`)).toEqual({ n: 3 });
    // The same table again changes nothing.
    const again = await upload('people', 'email,name,left\nzoe@example.org,Zoë Müller,no\n');
    expect(again.body.data.counts).toEqual({ same: 1 });
  });

  it('deactivates who is suspended or deleted, whichever of the two a system says', async () => {
    const table = (values: string[]) => ['email,name,deleted,suspended', ...values].join('\n');
    const first = await upload('people', table(['s1@example.org,One,0,0', 's2@example.org,Two,0,0', 's3@example.org,Three,0,0']));
    expect(first.body.data.mapping).toEqual({ email: 0, name: 1, left: 2, suspended: 3 });
    await run(first.body.data.id);
    const then = await upload('people', table(['s1@example.org,One,0,1', 's2@example.org,Two,1,0', 's3@example.org,Three,0,0']));
    expect(then.body.data.counts).toEqual({ deactivate: 2, same: 1 });
    await run(then.body.data.id);
    expect([(await person('s1@example.org'))?.gone, (await person('s2@example.org'))?.gone]).toEqual([true, true]);
    const back = await upload('people', table(['s1@example.org,One,0,0', 's2@example.org,Two,1,0']));
    expect(back.body.data.counts).toEqual({ restore: 1, same: 1 });
  });

  it('adds no organisation that is deleted, and deletes none', async () => {
    const { body } = await upload('organisations', 'code,name,deleted\nD1,Open Door,0\nD2,Closed Door,1\nD3,Willowbrook House,1\n');
    expect(body.data.counts).toEqual({ create: 1, skip: 1, refused: 1 });
    expect((await rows(body.data.id, '&action=refused'))[0]?.problems[0]).toMatchObject({ column: 'deleted' });
  });

  it('answers others while it reads a workbook that unpacks to much, and refuses it', async () => {
    const sheet = `<worksheet><sheetData>${'<row><c><v>1</v></c></row>'.repeat(600_000)}</sheetData></worksheet>`;
    const uploaded = upload(
      'people',
      Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': [strToU8(sheet), { level: 1 }], 'xl/workbook.xml': strToU8('<workbook/>') })),
    );
    let [longest, waiting] = [0, true];
    const answered = uploaded.finally(() => {
      waiting = false;
    });
    while (waiting) {
      const asked = performance.now();
      expect((await admin.json('GET', '/check')).status).toBe(200);
      longest = Math.max(longest, performance.now() - asked);
    }
    expect([(await answered).status, (await answered).body.code]).toEqual([422, 'table_refused']);
    expect(longest).toBeLessThan(3000);
  });

  it('names every problem by row and column, does the rest, and lets a person say that one is dealt with', async () => {
    const { body } = await upload(
      'people',
      [
        'email,name,organisation,role,started_on,left,trainer',
        'no address,Ann,,,,,',
        'twice@example.org,Ann,,,,,',
        'TWICE@example.org,Ann Two,,,,,',
        'admin@harbourview.test,Foreign,,,,,',
        'learner@harbourview.test,Foreign,,,,,',
        'far@example.org,Far,Harbour View,,,,',
        'role@example.org,Role,,Astronaut,,,',
        'day@example.org,Day,,,31/02/2026,,',
        'flag@example.org,Flag,,,,perhaps,',
        'noname@example.org,,,,,,',
        'extra@example.org,Extra,,,,,,what',
        'good@example.org,Good,,,,,',
      ].join('\n'),
    );
    const refused = (await rows(body.data.id, '&action=refused')).map((r) => [r.no, r.problems[0]?.column, r.problems[0]?.problem]);
    expect(refused).toEqual([
      [2, 'email', '“no address” is not a valid value.'],
      [4, 'email', 'Row 3 has the same e-mail address.'],
      [7, 'organisation', 'There is no organisation “Harbour View” here.'],
      [8, 'role', 'There is no job role “Astronaut” here.'],
      [9, 'started_on', '“31/02/2026” is not a valid date.'],
      [10, 'left', '“perhaps” is not yes or no.'],
      [11, 'name', 'This cell is empty.'],
      [12, null, 'This row has more cells than there are columns.'],
    ]);
    // Planned again it has the same problems, also that of the row with too many cells.
    const again = await admin.json<Answer>('PATCH', `/importer/imports/${body.data.id}`, {
      mapping: body.data.mapping,
      ...{ update_existing: true, send_welcome_email: false },
    });
    expect(again.body.data.counts).toEqual({ create: 4, refused: 8 });
    const done = await run(body.data.id);
    expect(done).toMatchObject({ counts: { create: 3, refused: 9 }, unresolved: 9 });
    // That an address is in use elsewhere is found by adding the person, not by a plan.
    expect((await rows(body.data.id, '&action=refused')).find((r) => r.no === 6)?.problems[0]).toMatchObject({ problem: addressInUse });
    expect(await person('good@example.org')).toMatchObject({ name: 'Good', place: 'willowbrook' });
    expect((await admin.json('POST', `/importer/imports/${body.data.id}/rows/2/resolve`)).body.data).toEqual({ unresolved: 8 });
    expect((await admin.json('POST', `/importer/imports/${body.data.id}/rows/13/resolve`)).status).toBe(404);
  });

  it('tells an organisation of few addresses a day that they belong to somebody elsewhere, however they are asked for', async () => {
    await server.database.db.run(sql`delete from sign_in_failures`);
    const people = await server.database.db.all<{ email: string }>(sql`insert into users (id, name, email, primary_entity_id, started_on, created_at)
      select gen_random_uuid(), 'Guessed ' || n, 'guessed' || n || '@harbourview.test', e.id, '2026-01-01', now()
      from generate_series(1, 60) n, entities e where e.slug = 'harbour-view' returning email`);
    const { body } = await upload('people', ['email,name', ...people.map((p) => `${p.email},Guess`), 'nobody@guess.test,Guess'].join('\n'));
    expect(body.data.counts).toEqual({ create: 61 });
    await run(body.data.id);
    const problems = (await rows(body.data.id, '&action=refused')).map((r) => r.problems[0]?.problem);
    expect(problems.filter((p) => p === addressInUse)).toHaveLength(answersADay);
    expect(problems.filter((p) => p === tooManyInUse)).toHaveLength(61 - answersADay);
    // As often for single people, and then nobody for a day.
    const byHand = async (email: string | undefined) => {
      const { status, body: said } = await admin.json<Answer>('POST', '/users', { email, name: 'Guess', primary_entity_id: body.data.entity.id });
      return [status, said.code];
    };
    for (const { email } of people.slice(0, answersADay)) expect(await byHand(email)).toEqual([422, 'invalid_input']);
    expect(await byHand(people[0]?.email)).toEqual([429, 'too_many_attempts']);
    await server.database.db.run(sql`delete from sign_in_failures`);
  });

  it('is planned again with other columns, which are remembered for the next table like it', async () => {
    const table = 'Payroll,Who,Write to\n1,Ann Lee,ann.lee@example.org\n';
    const { body } = await upload('people', table);
    expect(body.data.counts).toEqual({ refused: 1 });
    expect((await rows(body.data.id))[0]?.problems.map((p) => p.problem)).toEqual(['No column holds “E-mail address”.', 'No column holds “Name”.']);
    const options = { update_existing: true, send_welcome_email: true };
    const bad = await admin.json<Answer>('PATCH', `/importer/imports/${body.data.id}`, { mapping: { email: 9 }, ...options });
    expect([bad.status, bad.body.errors.mapping]).toEqual([422, ['There is no such column.']]);
    const planned = await admin.json<Answer>('PATCH', `/importer/imports/${body.data.id}`, { mapping: { email: 2, name: 1 }, ...options });
    expect(planned.body.data.counts).toEqual({ create: 1 });
    await run(body.data.id);
    expect(await server.database.db.one(sql`select subject from outgoing_mail where recipient = 'ann.lee@example.org'`)).toEqual({
      subject: 'Welcome: choose your password',
    });
    expect((await upload('people', table)).body.data).toMatchObject({ mapping: { email: 2, name: 1 }, counts: { same: 1 } });
    expect((await admin.json<Answer>('PATCH', `/importer/imports/${body.data.id}`, { mapping: {}, ...options })).body.code).toBe('import_begun');
    expect((await admin.json<Answer>('POST', `/importer/imports/${body.data.id}/run`)).body.code).toBe('import_begun');
  });

  it('brings a tree of organisations in any order, and tells a ring', async () => {
    const { body } = await upload(
      'organisations',
      'code,name,parent,level\nW3,Oak Wing,W2,B\nW2,Oak House,willowbrook,B\nR1,Ring One,R2,B\nR2,Ring Two,R1,B\n',
    );
    expect(body.data.counts).toEqual({ create: 2, refused: 2 });
    expect((await rows(body.data.id, '&action=refused'))[0]?.problems[0]?.problem).toBe('The organisation would belong to itself: rows 4 → 5 → 4.');
    await run(body.data.id);
    expect(
      await server.database.db.all(
        sql`select e.name, p.name as parent from entities e join entities p on p.id = e.parent_id where e.code in ('W2', 'W3') order by e.code`,
      ),
    ).toEqual([
      { name: 'Oak House', parent: 'Willowbrook Care Group' },
      { name: 'Oak Wing', parent: 'Oak House' },
    ]);
  });

  it('brings job roles and courses, also from a workbook', async () => {
    const roles = await upload(
      'roles',
      workbook([
        ['Job role', 'Inspectable'],
        ['Night porter', 'no'],
        ['Care assistant', 'yes'],
      ]),
    );
    expect(roles.body.data).toMatchObject({ counts: { create: 1, same: 1 }, format: 'Excel workbook, sheet “Staff”' });
    await run(roles.body.data.id);
    const courses = await upload('courses', 'fullname,shortname,months\nBed rails,Rails,12\nToo long,TL,500\n');
    expect(courses.body.data.counts).toEqual({ create: 1, refused: 1 });
    await run(courses.body.data.id);
    expect(await server.database.db.one(sql`select short_title, renewal_months, published from courses where title = 'Bed rails'`)).toEqual({
      short_title: 'Rails',
      renewal_months: 12,
      published: false,
    });
  });

  it('can do nothing that its importer could not do by hand', async () => {
    // An administrator of the group may not give anybody more than they have themselves.
    await server.database.db.run(
      sql`insert into types (id, entity_id, name) values (${demoId('type:keys')}, ${demoId('entity:group')}, 'Holder of keys')`,
    );
    await server.database.db.run(sql`insert into type_permissions (type_id, permission_id) values (${demoId('type:keys')}, 133)`);
    await server.database.db.run(sql`delete from type_permissions where type_id = ${demoId('type:group:administrator')} and permission_id = 133`);
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    const { body } = await upload('people', 'email,name,user type\nkeys@example.org,Keys,Holder of keys\n');
    expect(body.data.counts).toEqual({ create: 1 });
    expect((await run(body.data.id)).counts).toEqual({ refused: 1 });
    expect((await rows(body.data.id))[0]?.problems[0]?.problem).toMatch(/may do things that you may not/);
    expect(await person('keys@example.org')).toBeUndefined();
    const [trainer, outsider] = [server.client(), server.client()];
    await trainer.signIn('manager@willowbrook.test');
    await outsider.signIn('admin@brightpath.test');
    expect((await upload('people', 'email\nx@x.org\n', { client: trainer })).status).toBe(403);
    const far = await upload('people', 'email\nx@x.org\n', { client: outsider });
    expect([far.status, far.body.errors.organisation]).toEqual([422, ['Choose an organisation that you can see.']]);
    expect((await outsider.json('GET', `/importer/imports/${body.data.id}`)).status).toBe(404);
    expect((await outsider.json<{ data: unknown[] }>('GET', '/importer/imports')).body.data).toEqual([]);
  });

  it('brings the training of somebody who comes from another system: they are overdue with none of it', async () => {
    await run((await upload('people', 'email,name,job role\nstarter@example.org,New Starter,Care assistant\n')).body.data.id);
    const overdue = async () => {
      const found = await admin.json<{ data: { id: string }[] }>('GET', '/users?search=starter%40example.org');
      const id = found.body.data[0]?.id as string;
      const rows = await server.database.db.all<{ n: number }>(
        sql`select count(*)::int as n from required_of(${id}, null) q where not exists (select 1 from results r where r.user_id = ${id} and r.course_id = q.course_id)`,
      );
      return { id, missing: rows[0]?.n ?? 0 };
    };
    const { id, missing } = await overdue();
    expect(missing).toBeGreaterThan(0);
    const titles = await server.database.db.all<{ title: string }>(
      sql`select k.title from required_of(${id}, null) q join courses k on k.id = q.course_id order by k.title`,
    );
    const lines = titles.map(({ title }) => `starter@example.org;"${title}";01/10/2026`);
    const table = ['username;course;date completed', ...lines].join('\n');
    const odd = `${table}\nstarter@example.org;Juggling;01/10/2026\nnobody@example.org;Fire safety;01/10/2026\nstarter@example.org;Fire safety;01/10/2099\n${lines[0]}\n`;
    const { body } = await upload('training', odd);
    expect(body.data.mapping).toEqual({ email: 0, course: 1, completed_on: 2 });
    expect((await rows(body.data.id, '&action=refused')).map((r) => r.problems[0]?.problem)).toEqual([
      'There is no course “Juggling” here.',
      'Nobody has this e-mail address.',
      'This date is in the future.',
      'Row 2 is the same.',
    ]);
    expect(body.data.counts).toEqual({ create: titles.length, refused: 4 });
    expect((await run(body.data.id)).counts).toEqual({ create: titles.length, refused: 4 });
    expect((await overdue()).missing).toBe(0);
    expect(
      await server.database.db.one(
        sql`select count(*)::int as n, count(*) filter (where type = 'historical')::int as past, min(completed_at)::text as first from results where user_id = ${id}`,
      ),
    ).toEqual({ n: titles.length, past: titles.length, first: expect.stringMatching(/^2026-10-01/) });
    // The same table again changes nothing.
    expect((await upload('training', table)).body.data.counts).toEqual({ same: titles.length });
    const manager = server.client();
    await manager.signIn('learner@willowbrook.test');
    expect((await upload('training', table, { client: manager })).status).toBe(403);
  });

  it('stands under who ran it, also where somebody else uploaded it', async () => {
    const { body } = await upload('people', 'email,name\nby.other@example.org,By Other\n');
    const other = server.client();
    await other.signIn('super@lantern.test');
    expect((await other.json('POST', `/importer/imports/${body.data.id}/run`)).status).toBe(202);
    await expect.poll(async () => (await look(body.data.id)).state, { timeout: 45_000 }).toBe('done');
    const done = await look(body.data.id);
    expect(done.run_by?.id).not.toBe(done.actor.id);
    const noted = await server.database.db.all<{ kind: string; actor_id: string }>(
      sql`select subject_kind as kind, actor_id from audit_log where subject_name in ('By Other', 'staff.csv') order by no desc limit 2`,
    );
    expect(noted).toEqual([
      { kind: 'user', actor_id: done.run_by?.id },
      { kind: 'import', actor_id: done.run_by?.id },
    ]);
  });

  it('goes on after a server has stopped in the middle, and does nothing twice', async () => {
    const table = ['email,name', ...Array.from({ length: 450 }, (_, i) => `many${i}@example.org,Many ${i}`)].join('\n');
    const { body } = await upload('people', table);
    const { id } = body.data;
    // The state after a crash: begun, partly done, and not running.
    await server.database.db.run(sql`update imports set state = 'running' where id = ${id}`);
    await server.database.db.run(sql`update import_rows set done_at = now() where import_id = ${id} and no <= 100`);
    const { now } = server.clock;
    await server.database.db.run(sql`insert into jobs (kind, key, state, run_id, next_at, asked_at, started_at, changed_at)
      values ('import', ${id}, 'running', gen_random_uuid(), ${now}, ${now}, ${now}, ${now})`);
    const other = await createApp({
      config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder }),
      ...{ db: server.database.db, secretKey: 'test-key', now: () => server.clock.now },
    });
    await other.ready();
    await expect.poll(async () => (await look(id)).state, { timeout: 45_000 }).toBe('done');
    await other.close();
    expect(await server.database.db.one(sql`select count(*)::int as n from users where email like 'many%'`)).toEqual({ n: 351 });
  });

  it('stops on request, and continues on request', async () => {
    const table = ['email,name', ...Array.from({ length: 300 }, (_, i) => `stop${i}@example.org,Stop ${i}`)].join('\n');
    const { id } = (await upload('people', table)).body.data;
    await server.database.db.run(sql`update imports set state = 'stopped' where id = ${id}`);
    expect((await run(id)).counts).toEqual({ create: 300 });
    expect((await admin.json<Answer>('POST', `/importer/imports/${id}/stop`)).body.data.state).toBe('done');
  });

  it('refuses what is no table with a sentence', async () => {
    const { status, body } = await upload('people', Buffer.from('89504e470d0a1a0a00000000', 'hex'));
    expect([status, body.code]).toEqual([422, 'table_refused']);
    expect(body.message).toMatch(/neither a CSV file nor an Excel workbook/);
  });
});
