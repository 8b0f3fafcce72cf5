import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { withinScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import type { Actor } from '#server/actor.ts';
import { checkDatabase } from '#server/operator/check-database.ts';
import { house, sweepOf, token } from '#tests/support/tenancy-sweep.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const off = vi.hoisted(() => ({ entityIds: [] as string[] }));
/** The application's own checks are off: every caller is treated as somebody who sees and may do everything, everywhere. */
vi.mock('#server/actor.ts', () => ({
  asActor: (actor: Actor | null, work: (actor: Actor | null) => Promise<unknown>) =>
    actor
      ? withinScope({ user: actor.user.uuid, home: actor.user.primary_entity.id, place: actor.place.id }, () =>
          work({ ...actor, seesAll: true, entityIds: off.entityIds, user: { ...actor.user, super_admin: true } }),
        )
      : work(actor),
}));

/** Tables without data of an organisation, or whose rows are only hashes. */
const ofNobody = [
  'brand_pictures',
  'care_standards',
  'entity_below',
  'help_articles',
  'mail_files',
  'media',
  'migrations',
  'outgoing_mail',
  'sign_in_failures',
];

describe('with the checks of the application off, the database', () => {
  let server: TestApp;
  let tenancy: ReturnType<typeof sweepOf>;
  const outsiders = ['gareth.pugh@willowbrook.test', 'admin@brightpath.test'];
  beforeAll(async () => {
    server = await startTestApp();
    tenancy = sweepOf(server);
    await tenancy.prepare();
    for (const email of outsiders) await tenancy.giveEverything(email);
    off.entityIds = (await server.database.db.all<{ id: string }>(sql`select id from entities`)).map((e) => e.id);
  }, 120_000);
  afterAll(() => server.close());

  it('gives nothing of an organisation to another one, and lets it change nothing, whatever is asked for', async () => {
    const before = await tenancy.ownRows();
    for (const email of outsiders) {
      const client = server.client();
      await client.signIn(email);
      expect([email, await tenancy.sweep({ name: email, client, headers: {}, outside: true })]).toEqual([email, 0]);
    }
    expect(await tenancy.ownRows()).toEqual(before);
  }, 300_000);

  it('is asked for something: who is taken for a super administrator gets what lies below their own organisation', async () => {
    const client = server.client();
    await client.signIn('admin@brightpath.test');
    const { body } = await client.json<{ data: { slug: string }[] }>('GET', '/entities?per_page=100');
    expect(body.data.map((e) => e.slug)).toContain('brightpath');
    expect(body.data.map((e) => e.slug)).not.toContain('willowbrook');
  });

  it('finds nobody of another organisation, by whichever part of a name', async () => {
    const client = server.client();
    await client.signIn('admin@brightpath.test');
    const found = async (search: string) => (await client.json<{ data: { name: string }[] }>('GET', `/users?search=${search}`)).body.data;
    expect(await found(token)).toEqual([]);
    expect((await found('brightpath')).length).toBeGreaterThan(0);
  });

  it('has a policy for every table but those that hold nothing of an organisation', async () => {
    const { db } = server.database;
    const open = await db.all<{ name: string }>(sql`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' and not c.relrowsecurity order by 1`);
    expect(open.map((t) => t.name)).toEqual(ofNobody);
    // A view of its owner sees everything: only names, for rows that may be seen, and the ids of what is one's own or of one's own people.
    const owners = await db.all<{ name: string }>(sql`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'v' and not coalesce(c.reloptions::text like '%security_invoker=true%', false) order by 1`);
    expect(owners.map((v) => v.name)).toEqual([
      ...['content_titles', 'course_titles', 'entity_names', 'person_names'],
      ...['recorded_delegates', 'scope_attempts', 'scope_certificates', 'scope_people', 'scope_roles', 'scope_sessions'],
    ]);
  });

  it('opens a new table only to the rows that its migration says, and for nothing more', async () => {
    const { db } = server.database;
    const ours = { user: randomUUID(), home: house, place: house };
    await db.run(sql`create table rooms (id uuid primary key, entity_id uuid not null)`);
    await db.run(sql`insert into rooms values (${randomUUID()}, ${house}), (${randomUUID()}, ${demoId('entity:brightpath')})`);
    const seen = () => withinScope(ours, () => db.all<{ entity_id: string }>(sql`select entity_id from rooms`));
    await expect(seen()).rejects.toThrow('permission denied');
    await db.all(sql`select protect('rooms', 'exists (select 1 from scope_own s where s.id = entity_id)', 'select')`);
    expect(await seen()).toEqual([{ entity_id: house }]);
    await expect(withinScope(ours, () => db.run(sql`delete from rooms`))).rejects.toThrow('permission denied');
    await expect(withinScope(ours, () => db.all(sql`select protect('rooms', 'true')`))).rejects.toThrow('permission denied');
    await db.run(sql`drop table rooms`);
  });

  it('shows who was behind a month only where that month is seen, and lets nobody write it', async () => {
    const { db } = server.database;
    const [canary, tag, course] = [randomUUID(), randomUUID(), demoId('course:Fire safety')];
    const months = { [house]: randomUUID(), [demoId('entity:brightpath')]: randomUUID() };
    for (const [entity, month] of Object.entries(months)) {
      await db.run(sql`insert into compliance_months (id, entity_id, month, final, listed, people, counted_at)
        values (${month}, ${entity}, '2001-02-01', true, true, 1, '2001-03-01')`);
      await db.run(sql`insert into compliance_people (month_id, role_id, held, new_starter, people, courses, types, states)
        values (${month}, null, '{}', false, ${[canary]}, ${[course]}, ${['primary']}, '\\x01')`);
      await db.run(sql`insert into compliance_tags (month_id, tag_id, people) values (${month}, ${tag}, ${[canary]})`);
    }
    for (const [place, month] of Object.entries(months)) {
      const scoped = <T>(work: () => Promise<T>) => withinScope({ user: randomUUID(), home: place, place }, work);
      const only = [{ month_id: month }];
      expect(await scoped(() => db.all(sql`select month_id from compliance_people where ${canary}::uuid = any(people)`))).toEqual(only);
      expect(await scoped(() => db.all(sql`select month_id from compliance_tags where tag_id = ${tag}`))).toEqual(only);
      for (const table of [sql`compliance_people`, sql`compliance_tags`])
        await expect(scoped(() => db.run(sql`delete from ${table} where month_id = ${month}`))).rejects.toThrow('permission denied');
    }
    await db.run(sql`delete from compliance_months where id = any(${Object.values(months)}::uuid[])`);
    expect(await db.all(sql`select month_id from compliance_tags where tag_id = ${tag}`)).toEqual([]);
  });

  it('shows nothing to nobody, and a mailbox to none', async () => {
    const { db } = server.database;
    const nobody = { user: randomUUID(), home: randomUUID(), place: randomUUID() };
    for (const table of [sql`entities`, sql`users`, sql`results`, sql`courses`, sql`contents`, sql`audit_log`, sql`messages`, sql`packages`])
      expect(await withinScope(nobody, () => db.all(sql`select 1 as row from ${table}`))).toEqual([]);
    await expect(withinScope(nobody, () => db.all(sql`select 1 as row from outgoing_mail`))).rejects.toThrow('permission denied');
    // The next statement of the same connection is the server's own again.
    expect((await db.all(sql`select 1 as row from users`)).length).toBeGreaterThan(50);
  });

  it('follows an organisation that moves, with all below it', async () => {
    const { db } = server.database;
    const branch = demoId('entity:branch');
    const seen = (place: string) =>
      withinScope({ user: randomUUID(), home: place, place }, async () =>
        (await db.all<{ id: string }>(sql`select id from entities where id in (select id from scope_below)`)).map((e) => e.id),
      );
    const brightpath = demoId('entity:brightpath');
    const [added, below] = [randomUUID(), randomUUID()];
    await db.run(
      sql`insert into entities (id, name, slug, level, parent_id) values (${below}, 'Lower', 'lower', 'B', ${added}), (${added}, 'Upper', 'upper', 'B', ${branch})`,
    );
    expect(await seen(branch)).toEqual(expect.arrayContaining([added, below]));
    await db.run(sql`update entities set parent_id = ${brightpath} where id = ${added}`);
    expect(await seen(branch)).not.toContain(below);
    expect(await seen(brightpath)).toEqual(expect.arrayContaining([added, below]));
    const expected = await db.all(sql`select a as above, e.id as below from entities e cross join lateral entity_and_above(e.id) a order by 1, 2`);
    expect(await db.all(sql`select above, below from entity_below order by 1, 2`)).toEqual(expected);
    expect(await seen(house)).toEqual([house]);
    // If it is ever off, the operator is told.
    const findings = async () =>
      (await checkDatabase(db, createFileStore(`${server.folder}/files`))).findings
        .filter((f) => f.check.startsWith('the list of organisations below'))
        .map((f) => f.problem);
    expect(await findings()).toEqual([]);
    await db.run(sql`update entity_below set above = ${house} where above = ${added} and below = ${below}`);
    expect(await findings()).toEqual(['Lower is missing from or wrongly included in that list.']);
    await db.run(sql`update entity_below set above = ${added} where above = ${house} and below = ${below}`);
  });

  it('lets nobody move to another organisation, take theirs there, make themselves more than they are, or read a secret', async () => {
    const { db } = server.database;
    const [me, home, brightpath] = [demoId('user:manager@willowbrook.test'), house, demoId('entity:brightpath')];
    const scoped = <T>(work: () => Promise<T>) => withinScope({ user: me, home, place: home }, work);
    for (const statement of [
      sql`update users set primary_entity_id = ${brightpath} where id = ${me}`,
      sql`update entities set parent_id = ${brightpath} where id = ${home}`,
      sql`insert into entities (id, name, slug, level, parent_id) values (${randomUUID()}, 'X', 'x', 'B', ${brightpath})`,
    ])
      await expect(scoped(() => db.run(statement))).rejects.toThrow('row-level security');
    await expect(scoped(() => db.run(sql`update users set super_admin = true where id = ${me}`))).rejects.toThrow('only the server');
    expect(await scoped(() => db.all(sql`select key from settings`))).toEqual([{ key: 'data_epoch' }]);
    expect(await scoped(() => db.run(sql`update settings set value = 'x'`))).toBe(0);
  });

  it('holds a transaction to the scope that it was begun in', async () => {
    const { db } = server.database;
    const scope = { user: randomUUID(), home: house, place: house };
    await expect(db.tx((tx) => withinScope(scope, () => tx.all(sql`select 1 as row from users`)))).rejects.toThrow('stays in the scope');
  });
});
