import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Register } from '#contract/entities/training-session.ts';
import type { Venue } from '#contract/api/venues.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('a session at a venue', () => {
  let server: TestApp;
  let office: TestClient;
  const path = `/training-sessions/${demoId('session:children')}`;
  type Answer<D> = { data: D; code?: string; message?: string; errors?: Record<string, string[]> };
  const change = async (fields: object) => (await office.json<Answer<Register>>('PATCH', path, fields)).body;
  const [home, lounge] = [demoId('venue:home'), demoId('room:Lounge')];
  beforeAll(async () => {
    server = await startTestApp();
    office = server.client();
    await office.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());

  it('takes the names of what was chosen, and forgets the choice where another place is typed', async () => {
    const typed = { venue: 'Anything', room: 'Anything' };
    expect((await change({ ...typed, venue_id: home, room_id: lounge })).data).toMatchObject({
      ...{ venue: 'Willowbrook House', room: 'Lounge', venue_id: home, room_id: lounge },
    });
    expect((await change({ aim: 'Kept' })).data).toMatchObject({ venue_id: home, room_id: lounge });
    expect((await change({ room: 'Garden' })).data).toMatchObject({ venue_id: home, room: 'Garden', room_id: null });
    expect((await change({ venue: 'Village hall' })).data).toMatchObject({ venue: 'Village hall', venue_id: null, room_id: null });
  });

  it('is not at a venue of another organisation, nor in a room of another venue', async () => {
    const elsewhere = demoId('venue:elsewhere');
    await server.database.db.run(sql`insert into venues (id, entity_id, name, address, step_free, hearing_loop, parking, access_notes)
      values (${elsewhere}, ${demoId('entity:brightpath')}, 'Foreign', '', true, true, true, '')`);
    expect(Object.keys((await change({ venue_id: elsewhere })).errors ?? {})).toEqual(['venue']);
    expect(Object.keys((await change({ venue_id: demoId('venue:head office'), room_id: lounge })).errors ?? {})).toEqual(['room']);
    await change({ venue_id: demoId('venue:head office') });
    expect(Object.keys((await change({ room_id: lounge })).errors ?? {})).toEqual(['room']);
    await change({ venue: 'Village hall' });
    expect((await change({ room_id: lounge })).data).toMatchObject({ venue_id: null, room_id: null });
  });

  it('keeps its venue from being deleted until it is over; then it keeps the name', async () => {
    await change({ venue_id: home, room_id: lounge });
    const remove = () => office.json<Answer<Venue>>('DELETE', `/venues/${home}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'in_use' } });
    await server.database.db.run(sql`update training_sessions set date = '2020-01-01' where venue_id = ${home}`);
    expect((await remove()).status).toBe(204);
    const { body } = await office.json<Answer<Register>>('GET', path);
    expect(body.data).toMatchObject({ venue: 'Willowbrook House', room: 'Lounge', venue_id: null, room_id: null });
  });
});
