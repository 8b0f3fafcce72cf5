import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

type Answer = { errors: { message: string }[] };

describe('the graph in production', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp({ NODE_ENV: 'production', DEMO: 'true' });
  });
  afterAll(() => server.close());

  it('tells nothing of its fields, arguments and types to who guesses them', async () => {
    const client = server.client();
    await client.signIn('manager@willowbrook.test');
    const ask = async (query: string, variables = {}) => (await client.json<Answer>('POST', '/graphql', { query, variables })).body.errors;
    const guesses = await Promise.all([
      ask('{ pathwys { total } }'),
      ask('{ pathways(pag: 1) { total } }'),
      ask('query ($a: PathwayInpt) { pathways { total } }'),
      ask('mutation ($input: PathwayInput!) { upsertPathway(input: $input) { id } }', { input: { nam: 'x' } }),
    ]);
    for (const errors of guesses) {
      expect(errors.length).toBeGreaterThan(0);
      for (const { message } of errors) expect(message).not.toMatch(/did you mean/i);
    }
  });

  it('works out what somebody has to do once for all the fields that ask for it, and again for the next request', async () => {
    const client = server.client();
    await client.signIn('learner@willowbrook.test');
    const all = vi.spyOn(server.database.db, 'all');
    const query = '{ eventCounts { completed } activeEvents(first: 3) { data { id } } completedEvents(first: 1) { paginatorInfo { total } } }';
    const ask = async () =>
      (
        await client.json<{ data: { eventCounts: { completed: number }; completedEvents: { paginatorInfo: { total: number } } } }>(
          'POST',
          '/graphql',
          { query },
        )
      ).body.data;
    for (let times = 1; times <= 2; times++) {
      const { eventCounts, completedEvents } = await ask();
      expect(eventCounts.completed).toBe(completedEvents.paginatorInfo.total);
      expect(all.mock.calls.filter(([statement]) => statement.text.includes('entity_focused_courses'))).toHaveLength(times);
    }
  });
});
