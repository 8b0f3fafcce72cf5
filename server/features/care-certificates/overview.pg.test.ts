import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Competence } from '#contract/entities/care-certificate.ts';
import type { OverviewRow, SampledRecord } from '#contract/entities/care-overview.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('the overview for approvers of care certificates', () => {
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
  afterAll(() => server.close());

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
    // The person who recorded it does not check it.
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) values (${demoId('user:trainer@willowbrook.test')}, 93) on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    const trainer = await as('trainer@willowbrook.test');
    expect((await check(trainer, one.id, false, 'Mine')).status).toBe(403);
    expect((await choose(50, trainer)).chosen).toBe(0);
  });

  it('notes in which standards somebody is competent: others they record, and do not decide; nobody notes their own', async () => {
    const trainerId = demoId('user:trainer@willowbrook.test');
    const trainer = await as('trainer@willowbrook.test');
    const learner = await as('learner@willowbrook.test');
    const note = (who: TestClient, id: string, competence: object[], anything?: boolean) =>
      who.json<{ data: Competence[] }>('POST', `/users/${id}/competence`, { competence, anything });
    const noted = [
      { standard: '11', basis: 'Registered nurse', until: null },
      { standard: '12', basis: 'First aid instructor', until: '2020-01-01' },
    ];
    // The trainer belongs to the group, and not to the manager's house.
    const admin = await as('admin@willowbrook.test');
    expect((await note(manager, trainerId, noted)).status).toBe(404);
    expect((await note(admin, trainerId, noted)).body.data).toEqual(noted);
    expect((await note(manager, demoId('user:manager@willowbrook.test'), noted)).status).toBe(403);
    expect((await note(learner, trainerId, [])).status).toBe(403);
    expect((await trainer.json<{ data: Competence[] }>('GET', `/users/${trainerId}/competence`)).body.data).toEqual(noted);
    expect((await learner.send('GET', `/users/${trainerId}/competence`)).statusCode).toBe(404);
    expect((await note(admin, trainerId, [noted[0] as object, noted[0] as object])).status).toBe(422);

    const daniel = (await read()).people.find((p) => p.user.name === 'Daniel Osei') as OverviewRow;
    const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command, args });
    const decide = async (criterion: string, outcome: string) => {
      const record = change('observation.record', {
        ...{ done_at: server.clock.now.toISOString(), method: 'questioning', setting: '', seen: 'Asked.', feedback: '' },
        criteria: [{ criterion, outcome, action: outcome === 'met' ? null : 'Read it again', due: null }],
      });
      const answer = await trainer.json<{ code?: string }>('PATCH', `/care-certificates/${daniel.id}`, {
        changes: [record, change('observation.decide', { criterion, outcome, observation_id: record.id, instead_of: null })],
      });
      return answer.body.code ?? 'decided';
    };
    expect(await decide('11.1a', 'met')).toBe('decided');
    expect(await decide('12.1a', 'not_yet_met')).toBe('decided');
    expect(await decide('13.1a', 'met')).toBe('not_competent');
    // What they saw is kept.
    const seen = await server.database.db.all(
      sql`select 1 from observations where certificate_id = ${daniel.id} and record -> 'criteria' -> 0 ->> 'criterion' = '13.1a' and assessor_id = ${trainerId}`,
    );
    expect(seen).toHaveLength(1);
    // Nor is it decided by correcting the earlier record.
    const [own] = await server.database.db.all<{ id: string; record: object }>(
      sql`select id, record from observations where certificate_id = ${daniel.id} and record -> 'criteria' -> 0 ->> 'criterion' = '12.1a' and assessor_id = ${trainerId} limit 1`,
    );
    const record = { ...own?.record, criteria: [{ criterion: '12.1a', outcome: 'met', action: null, due: null }] };
    const corrected = await trainer.json<{ code?: string }>('PATCH', `/care-certificates/${daniel.id}`, {
      changes: [change('observation.correct', { about: own?.id, reason: 'Seen again', record })],
    });
    expect(corrected.body.code).toBe('not_competent');
    // Empty boxes do not mean "everything": that has to be chosen.
    expect((await note(admin, trainerId, [])).status).toBe(422);
    expect((await note(admin, trainerId, [noted[0] as object], true)).status).toBe(422);
    expect(await decide('13.1c', 'met')).toBe('not_competent');
    expect((await note(admin, trainerId, [], true)).body.data).toEqual([]);
    expect(await decide('13.1b', 'met')).toBe('decided');
  });
});
