import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocol } from '#contract/protocol.ts';
import { sql } from '#server/db/sql.ts';
import { house, operations, sweepOf, type Who } from '#tests/support/tenancy-sweep.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/**
 * Tenant isolation of every call of the contract and every field of the graph. Each is called with valid input that names the
 * things of Willowbrook House, by every kind of outsider and insider, with all permissions. All texts of the House carry a
 * token: no outsider receives a byte of it, and nothing of the House is changed. docs/generated/tenancy.md records what each call
 * answered to whom, so a call cannot be added without its row, and no answer can change
 * unnoticed.
 */
describe('the things of an organisation', () => {
  let server: TestApp;
  let tenancy: ReturnType<typeof sweepOf>;
  const names: string[] = [];
  const sweep = (who: Who) => {
    names.push(who.name);
    return tenancy.sweep(who);
  };

  beforeAll(async () => {
    server = await startTestApp();
    tenancy = sweepOf(server);
    await tenancy.prepare();
    for (const email of [
      'admin@willowbrook.test',
      'manager@willowbrook.test',
      'gareth.pugh@willowbrook.test',
      'admin@brightpath.test',
      'doreen.baxter@willowbrook.test',
    ])
      await tenancy.giveEverything(email);
  }, 120_000);
  afterAll(() => server.close());

  it('reach no outsider, and are changed by none, whatever they ask for with every permission there is', async () => {
    const signedIn = async (email: string) => {
      const client = server.client();
      await client.signIn(email);
      return client;
    };
    const former = await signedIn('doreen.baxter@willowbrook.test');
    await server.database.db.run(sql`update users set disabled_at = now() where email = 'doreen.baxter@willowbrook.test'`);
    const anonymous = server.client();
    await anonymous.send('GET', '/sanctum/csrf-cookie');
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    const place = { [protocol.actingAsHeader]: house };
    const [sibling, unrelated] = [await signedIn('gareth.pugh@willowbrook.test'), await signedIn('admin@brightpath.test')];
    const outsiders: Who[] = [
      { name: 'anonymous', client: anonymous, headers: {}, outside: true },
      { name: 'former member', client: former, headers: {}, outside: true },
      { name: 'sibling', client: sibling, headers: {}, outside: true },
      { name: 'unrelated', client: unrelated, headers: {}, outside: true },
      { name: 'sibling, acting as forged', client: sibling, headers: place, outside: true },
      { name: 'unrelated, acting as forged', client: unrelated, headers: place, outside: true },
    ];
    const before = await tenancy.ownRows();
    expect(before.length).toBeGreaterThan(100);
    for (const who of outsiders) expect([who.name, await sweep(who)]).toEqual([who.name, 0]);
    expect(await tenancy.ownRows()).toEqual(before);
  }, 300_000);

  it('are there for those inside, so that what was asked above asks for something', async () => {
    const parent = server.client();
    await parent.signIn('admin@willowbrook.test');
    const seen = await sweep({ name: 'parent', client: parent, headers: { [protocol.actingAsHeader]: house }, outside: false });
    expect(seen).toBeGreaterThan(45);
  }, 120_000);

  it('are written down for each call', async () => {
    const rows = operations.map((e) => `| ${e.method} ${e.path} | ${(tenancy.answers.get(e.id) ?? []).join(' | ')} |`);
    const text = [
      '# Who gets at the things of an organisation',
      '',
      'Made and compared by `tests/contract/tenancy.pg.test.ts`: every call with input that is right in form and names the things of one',
      'organisation, made by others with every permission there is. ● stands where the answer held a text of that organisation.',
      'A list that answers 200 without it shows the asker’s own things. The last column is an administrator from above who acts for it.',
      '',
      `| call | ${names.join(' | ')} |`,
      `|---|${names.map(() => '---|').join('')}`,
      ...rows,
      '',
    ].join('\n');
    await expect(text).toMatchFileSnapshot('../../docs/generated/tenancy.md');
  });
});
