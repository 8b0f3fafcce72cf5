import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
