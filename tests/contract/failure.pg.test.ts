import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('a failure of the server', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());

  it('is told as ours, without its reason, and with the time to come again', async () => {
    const client = server.client();
    await client.signIn('learner@willowbrook.test');
    await server.database.db.run(sql`alter table whitelabels rename to gone`);
    const answer = await client.json<{ code: string; message: string }>('GET', '/whitelabel?slug=willowbrook');
    await server.database.db.run(sql`alter table gone rename to whitelabels`);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'internal' });
    expect(answer.body.message).not.toContain('whitelabels');
    expect(answer.headers['x-lantern']).toBe('1');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});
