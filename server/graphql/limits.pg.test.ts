import { afterAll, beforeAll, expect, it } from 'vitest';
import { withinScope } from '#server/db/scope.ts';
import { sql, sqlState } from '#server/db/sql.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

it('refuses a search that is longer than any title, and a query that is longer than any screen asks', async () => {
  const client = server.client();
  await client.signIn('learner@willowbrook.test');
  const ask = (search: string) =>
    client.json<{ errors?: { extensions: { code: string } }[] }>('POST', '/graphql', {
      query: 'query($search: String) { courses(search: $search) { data { id } } }',
      variables: { search },
    });
  expect((await ask('fire')).body.errors).toBeUndefined();
  expect((await ask('%_'.repeat(5000))).body.errors?.[0]?.extensions.code).toBe('invalid_input');
  expect((await ask('x'.repeat(300_000))).status).toBe(413);
});

it('ends what a request asks of the database after a while, and not what the server does by itself', async () => {
  const shown = async () => (await server.database.db.one<{ t: string }>(sql`select current_setting('statement_timeout') as t`))?.t;
  const nobody = '00000000-0000-4000-8000-000000000000';
  expect(await withinScope({ user: nobody, home: nobody, place: nobody }, shown)).toBe('20s');
  expect(await shown()).toBe('0');
  if (server.database.kind === 'postgres') {
    const slow = server.database.db.tx(async (tx) => {
      await tx.run(sql`set local statement_timeout = 50`);
      await tx.one(sql`select pg_sleep(5)`);
    });
    expect(sqlState(await slow.catch((error: unknown) => error))).toBe('57014');
  }
});
