import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntityScore } from '#contract/entities/entity.ts';
import { percentOf } from '#contract/rules/percent.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('the score of an organisation', () => {
  let server: TestApp;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  const ask = (slug: string, kind = 'primary', client = admin) =>
    client.json<{ data: EntityScore; code: string }>('GET', `/entities/${slug}/score/${kind}`);

  it('is counted on request, reused for ten minutes, and counted again', async () => {
    const first = await ask('willowbrook-house');
    expect([first.status, first.body.data.ready]).toEqual([202, false]);
    await expect.poll(async () => (await ask('willowbrook-house')).status, { timeout: 45_000 }).toBe(200);
    const { data } = (await ask('willowbrook-house')).body;
    expect(data.required).toBeGreaterThan(data.in_date);
    expect(data.score).toBe(percentOf(data.in_date, data.required));
    // Something expires: seen after ten minutes, not before.
    await server.database.db.run(
      sql`update results set expires_at = completed_at where user_id in (select id from users where primary_entity_id = ${demoId('entity:home')})`,
    );
    expect((await ask('willowbrook-house')).body.data).toEqual(data);
    server.clock.now = new Date(server.clock.now.getTime() + 601_000);
    expect((await ask('willowbrook-house')).status).toBe(202);
    await expect.poll(async () => (await ask('willowbrook-house')).body.data.score, { timeout: 45_000 }).toBeLessThan(data.score as number);
  });
  it('is null where nothing has to be done, and is there only for those who see the organisation', async () => {
    await ask('brightpath', 'secondary');
    const outsider = server.client();
    await outsider.signIn('admin@brightpath.test');
    await expect.poll(async () => (await ask('brightpath', 'secondary', outsider)).status, { timeout: 45_000 }).toBe(200);
    expect((await ask('brightpath', 'secondary', outsider)).body.data.score).toBeNull();
    expect((await ask('willowbrook-house', 'primary', outsider)).status).toBe(404);
    expect((await ask('willowbrook-house', 'both')).status).toBe(422);
  });
});
