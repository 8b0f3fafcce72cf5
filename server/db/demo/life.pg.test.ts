import { expect, it } from 'vitest';
import type { Figures, Waiting } from '#contract/entities/dashboard.ts';
import { fillWithLife } from '#server/db/demo/life.ts';
import { startTestApp } from '#tests/support/test-app.ts';

it('the demo shows who is to come, on which devices work waits, and how it was in the weeks before', async () => {
  const server = await startTestApp();
  await fillWithLife(server.database.db, server.clock.now);
  const admin = server.client();
  await admin.signIn('admin@willowbrook.test');
  const get = async <T>(path: string) => (await admin.json<{ data: T }>('GET', path)).body.data;
  const forecast = await get<{ figures: { starters: { people: number } }[] }>('/forecast');
  expect(forecast.figures.map((f) => f.starters.people)).toEqual([3, 3, 3]);
  expect((await get<Waiting>('/dashboards/waiting')).devices?.unsent).toBe(2);
  expect((await get<unknown[]>('/devices')).length).toBe(10);
  const { weeks, score, overdue, people } = await get<Figures>('/dashboards/figures');
  expect(weeks.length).toBeGreaterThanOrEqual(8);
  // The past leads to what is counted now.
  const last = weeks.at(-1);
  expect(Math.abs((last?.score ?? 0) - (score ?? 0))).toBeLessThanOrEqual(5);
  expect(Math.abs((last?.overdue ?? 0) / (last?.people ?? 1) - overdue / people)).toBeLessThan(0.15);
  await server.close();
});
