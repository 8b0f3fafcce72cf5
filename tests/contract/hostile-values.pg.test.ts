import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { permissions } from '#contract/permissions.ts';
import { sql } from '#server/db/sql.ts';
import { schemaOf } from '#server/http/open-api.ts';
import { hostile, hostileFrom, hostileTimes, type Json } from '#tests/support/hostile.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/**
 * Every call of the contract with values that its schema is made for, one of them hostile: whatever a client sends, the
 * server never answers that it is the server's fault. The seed makes it the same on each run.
 */
const seed = 19;
const hostileTurns = 8;
/** Excluded: calls that end sessions or stream files; sign-in is throttled and costs a hash each time. */
const apart = new Set(['mobileLogout', 'logout', 'lockSession', 'login', 'mobileLogin', 'unlockSession', 'jobEvents']);

describe('whatever is sent', () => {
  let server: TestApp;
  let client: TestClient;
  const { random, pick, fitting, placesIn, withValueAt } = hostileFrom(seed);
  const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'x')).slice(0, 3000).toWellFormed();
  const jsonSchema = (schema: NonNullable<Endpoint['body']>) => schemaOf(schema, 'input') as Json;

  beforeAll(async () => {
    server = await startTestApp();
    client = server.client();
    await client.signIn('admin@willowbrook.test');
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${permissions.map((p) => p.id)}::int[]) from users where email = 'admin@willowbrook.test' on conflict do nothing`,
    );
  });
  afterAll(() => server.close());

  const all = (endpoints as readonly Endpoint[]).filter((e) => !e.upload && !apart.has(e.id));
  it(`is never the server's fault: ${all.length} calls`, { timeout: 300_000 * hostileTimes }, async () => {
    const wrong: string[] = [];
    for (const e of all) {
      const query = e.query ? jsonSchema(e.query) : null;
      const body = e.body ? jsonSchema(e.body) : null;
      const params = e.params ? jsonSchema(e.params) : null;
      for (let turn = 0; turn < hostileTurns * hostileTimes; turn++) {
        const asked: { params: unknown; query: unknown; body: unknown } = {
          params: params ? fitting(params, '') : {},
          query: query ? fitting(query, '') : {},
          body: body ? fitting(body, '') : undefined,
        };
        // A number in the address is tried with one that the database does not hold, each time the call is made.
        const numbers = Object.entries(query?.properties ?? {}).flatMap(([name, of]) =>
          /integer|number/.test(JSON.stringify(of)) ? [['query', name]] : [],
        );
        const places = placesIn(asked).filter((p) => p.length > 1 || (p.length === 1 && p[0] === 'body' && body));
        const place =
          turn === 1 && numbers.length > 0
            ? pick(numbers)
            : turn === 0 || places.length === 0
              ? null
              : pick(places.filter((p) => body === null || p[0] === 'body' || random() < 0.3));
        const value = turn === 1 && numbers.length > 0 ? 2_147_483_648 : pick(hostile);
        const sent = (place ? withValueAt(asked, place, value) : asked) as typeof asked;
        const path = e.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText((sent.params as Record<string, unknown>)?.[name])));
        const search = new URLSearchParams(
          Object.entries((sent.query as object) ?? {}).flatMap(([k, v]) => (v === undefined || v === null ? [] : [[k, asText(v)]])),
        );
        const answer = await client.send(e.method, `${path}?${search}`, body ? JSON.stringify(sent.body) : undefined);
        if (answer.statusCode >= 500 && answer.statusCode !== 503)
          wrong.push(`${e.id} answers ${answer.statusCode} to ${(JSON.stringify(value) ?? '').slice(0, 60)} at ${place?.join('.') ?? 'nothing'}`);
        if (answer.statusCode === 401) await client.signIn('admin@willowbrook.test').catch(() => undefined);
      }
    }
    expect(wrong).toEqual([]);
  });
});
