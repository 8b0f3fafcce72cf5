import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OverviewRow, SampledRecord } from '#contract/entities/care-overview.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('the overview of whoever approves care certificates', () => {
  let server: TestApp;
  let manager: TestClient;
  type Overview = { data: { people: OverviewRow[]; more: boolean; samples: SampledRecord[] } };
  const read = async (who = manager) => (await who.json<Overview>('GET', '/care-certificates/overview')).body.data;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  type Chosen = { data: { chosen: number; of: number; samples: SampledRecord[] } };
  const choose = async (share: number, who = manager) => (await who.json<Chosen>('POST', '/care-samples', { share, days: 90 })).body.data;
  const check = (who: TestClient, id: string, agrees: boolean, note = '') =>
    who.json<{ data: SampledRecord; errors?: Record<string, string[]> }>('PATCH', `/care-samples/${id}`, { agrees, note });

  beforeAll(async () => {
    server = await startTestApp();
    manager = await as('manager@willowbrook.test');
  });

  it('tells who is where, when they will be done, and why they do not get on; nobody else’s people', async () => {
    const { people, more } = await read();
    expect(more).toBe(false);
    expect(people.map((p) => p.user.name)).toEqual(['Daniel Osei', 'Megan Davies', 'Rhys Evans']);
    const [daniel, megan, rhys] = people as [OverviewRow, OverviewRow, OverviewRow];
    expect(rhys).toMatchObject({ waiting: true, reasons: ['unsigned'] });
    expect(megan).toMatchObject({ waiting: false, reasons: ['quiet', 'behind'], indirect: [] });
    expect(daniel).toMatchObject({ waiting: false, standards_met: 9, indirect: ['1', '2', '3', '4', '5'] });
    expect(daniel.forecast).not.toBeNull();
    expect((await manager.json('GET', '/care-certificates/overview')).status).toBe(200);
    const outsider = await as('admin@brightpath.test');
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) values (${demoId('user:admin@brightpath.test')}, 93) on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    expect((await read(outsider)).people).toEqual([]);
    const learner = await as('learner@willowbrook.test');
    expect((await learner.send('GET', '/care-certificates/overview')).statusCode).toBe(403);
  });

  it('says why one was sent back until something new is recorded', async () => {
    const rhys = (await read()).people.find((p) => p.user.name === 'Rhys Evans') as OverviewRow;
    await manager.json('POST', `/care-certificates/${rhys.id}/approval`, { approved: false, reason: 'Ask him about medicines.' });
    const after = (await read()).people.find((p) => p.id === rhys.id);
    expect(after).toMatchObject({ sent_back: 'Ask him about medicines.', reasons: ['sent_back', 'unsigned'] });
  });

  it('chooses a share of the records at random, each once; one says whether one would have decided so', async () => {
    const first = await choose(10);
    expect(first.of).toBeGreaterThan(10);
    expect(first.chosen).toBe(Math.ceil(first.of / 10));
    expect(first.samples).toHaveLength(first.chosen);
    const second = await choose(50);
    expect(second.of).toBe(first.of - first.chosen);
    expect(new Set(second.samples.map((s) => s.record_id)).size).toBe(first.chosen + second.chosen);
    const [one, other] = second.samples as [SampledRecord, SampledRecord];
    expect((await check(manager, one.id, true)).body.data).toMatchObject({ agrees: true, checked_by: { name: 'Helen Marsh' } });
    const silent = await check(manager, other.id, false);
    expect([silent.status, silent.body.errors]).toEqual([422, { note: ['Say what is not right.'] }]);
    expect((await check(manager, other.id, false, 'I was there.')).body.data).toMatchObject({ agrees: false, note: 'I was there.' });
    expect((await check(manager, randomUUID(), true)).status).toBe(404);
    // Whoever recorded it does not look at it again.
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) values (${demoId('user:trainer@willowbrook.test')}, 93) on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    const trainer = await as('trainer@willowbrook.test');
    expect((await check(trainer, one.id, false, 'Mine')).status).toBe(403);
    expect((await choose(50, trainer)).chosen).toBe(0);
  });
});
