import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthoredTopic } from '#contract/entities/authored-parts.ts';
import { type OtherAuthor, presenceTimes } from '#contract/entities/presence.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('who else is editing', () => {
  let server: TestApp;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());
  const later = (ms: number) => {
    server.clock.now = new Date(server.clock.now.getTime() + ms);
  };

  it('is seen by those who can change the same, until they leave or say nothing for a while', async () => {
    const [author, tab, other] = [await signedIn('admin@willowbrook.test'), randomUUID(), randomUUID()];
    const topic = (await author.json<{ data: AuthoredTopic }>('POST', '/topics', { title: 'Why' })).body.data;
    const tell = async (by: TestClient, body: object) => {
      const answer = await by.json<{ data: OtherAuthor[] }>('POST', '/content-presence', { kind: 'topic', id: topic.id, ...body });
      return answer.status === 200 ? answer.body.data.map(({ name, you, since }) => ({ name, you, since })) : answer.status;
    };
    const colleague = await signedIn('super@lantern.test');
    const began = server.clock.now.toISOString();
    expect(await tell(author, { tab })).toEqual([]);
    later(presenceTimes.everyMs);
    const [seen] = (await tell(colleague, { tab: other })) as OtherAuthor[];
    expect(seen).toMatchObject({ you: false, since: began });
    expect(await tell(author, { tab })).toMatchObject([{ you: false, since: server.clock.now.toISOString() }]);
    // Another tab of one’s own; somebody else’s tab is not closed by its id.
    expect(await tell(author, { tab: other })).toMatchObject([{ you: false }, { you: true }]);
    expect(await tell(author, { tab: other, leaving: true })).toMatchObject([{ you: false }, { you: true }]);
    expect(await tell(author, { tab })).toMatchObject([{ you: false }]);
    // Gone when they leave, and when they go silent.
    expect(await tell(colleague, { tab: other, leaving: true })).toMatchObject([{ you: false }]);
    expect(await tell(author, { tab })).toEqual([]);
    // An earlier message may arrive after leaving.
    await tell(colleague, { tab: other });
    expect(await tell(author, { tab })).toEqual([]);
    await tell(colleague, { tab: randomUUID() });
    expect(await tell(author, { tab })).toMatchObject([{ you: false }]);
    later(presenceTimes.goneAfterMs);
    expect(await tell(author, { tab })).toEqual([]);
    expect(await server.database.db.one(sql`select count(*)::int as n from presences`)).toEqual({ n: 1 });
    // People who cannot change it learn nothing, and are not shown.
    expect(await tell(await signedIn('admin@brightpath.test'), { tab: other })).toBe(404);
    expect(await tell(await signedIn('learner@willowbrook.test'), { tab: other })).toBe(403);
    expect(await tell(author, { tab, kind: 'lesson' })).toBe(404);
  });
});
