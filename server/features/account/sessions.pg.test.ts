import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Session = { id: string; device: string; current: boolean };

describe('where somebody is signed in', () => {
  let server: TestApp;
  let tablet: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    tablet = server.client();
    await tablet.signIn('learner@willowbrook.test');
  });
  afterAll(() => server.close());
  const list = async (client: TestClient) => (await client.json<{ data: Session[] }>('GET', '/auth/sessions')).body.data;

  it('is seen by them, and ended from elsewhere at once', async () => {
    const phone = server.client();
    await phone.send('GET', '/sanctum/csrf-cookie');
    await phone.json(
      'POST',
      '/login',
      { email: 'learner@willowbrook.test', password: 'Lantern-demo-1' },
      { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0.0.0 Safari/537.36' },
    );
    const seen = await list(tablet);
    expect(seen.map((s) => [s.device, s.current])).toEqual(expect.arrayContaining([['Chrome on Android', false]]));
    expect(seen.filter((s) => s.current)).toHaveLength(1);
    const other = seen.find((s) => !s.current) as Session;
    expect((await phone.json('GET', '/auth/user')).status).toBe(200);
    expect((await tablet.json('DELETE', `/auth/sessions/${other.id}`)).status).toBe(204);
    expect((await phone.json('GET', '/auth/user')).status).toBe(401);
    expect(await list(tablet)).toHaveLength(1);
    expect((await tablet.json('DELETE', `/auth/sessions/${other.id}`)).status).toBe(404);
  });
  it('is nobody else’s to see or to end', async () => {
    const outsider = server.client();
    await outsider.signIn('super@lantern.test');
    const [mine] = await list(tablet);
    expect((await outsider.json('DELETE', `/auth/sessions/${mine?.id}`)).status).toBe(404);
    expect((await tablet.json('GET', '/auth/user')).status).toBe(200);
  });
});
