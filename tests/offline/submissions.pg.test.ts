import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { explain } from '#src/offline/kinds/explain.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import { setAside } from '#src/offline/outbox/resolve.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { lineTo } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const learnerEmail = 'grace.adeyemi@willowbrook.test';

describe('a certificate from elsewhere, on a device', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());
  const decide = async (id: string, decision: 'approve' | 'reject') => {
    const manager = server.client();
    await manager.signIn('admin@willowbrook.test');
    expect((await manager.json('POST', '/results/decide', { ids: [id], decision, reason: 'Checked' })).status).toBe(200);
  };
  const course = { id: demoId('course:Fire safety'), title: 'Fire safety' };
  const withTablet = async (test: (tablet: RealDevice) => Promise<void>) => {
    const tablet = new RealDevice(lineTo(server.app));
    await tablet.open(await tablet.signIn(learnerEmail));
    await test(tablet).finally(() => tablet.forget());
  };
  const there = (id: string) => server.database.db.all<{ status: string }>(sql`select status from results where id = ${id}`);

  it('is shown until it is on the record, and withdrawn where it was never sent without a trace on the server', () =>
    withTablet(async (tablet) => {
      const [kept, taken] = [await tablet.submit(course, 300_000), await tablet.submit(course, 40)];
      await tablet.withdraw(taken);
      expect((await tablet.db.submissions.toArray()).map((s) => [s.id, s.course.title, s.status])).toEqual([[kept, 'Fire safety', null]]);
      expect((await tablet.db.settled.get(taken))?.outcome).toBe('discarded');
      await tablet.send();
      expect([await tablet.db.outbox.count(), await there(kept), await there(taken)]).toEqual([0, [{ status: 'pending' }], []]);
      expect((await tablet.db.submissions.get(kept))?.status).toBe('pending');
      await tablet.withdraw(kept);
      await tablet.withdraw(kept);
      expect(await tablet.db.outbox.count()).toBe(1);
      await tablet.send();
      expect([await tablet.db.outbox.count(), await there(kept)]).toEqual([0, [{ status: 'deleted' }]]);
      expect(await tablet.db.submissions.count()).toBe(0);
    }));

  it('whose answer was lost is sent once, and withdrawn on the server', () =>
    withTablet(async (tablet) => {
      const id = await tablet.submit(course, 40);
      const line = tablet.line;
      tablet.line = async (path, init) => {
        const answer = await line(path, init);
        if (path.includes('/submissions/')) throw new TypeError('the answer was lost');
        return answer;
      };
      await tablet.send();
      tablet.line = line;
      await tablet.withdraw(id);
      expect(await tablet.db.outbox.count()).toBe(2);
      await tablet.drain();
      expect(await there(id)).toEqual([{ status: 'deleted' }]);
    }));

  it('is explained where it was decided before it could be withdrawn, or cannot be accepted, and then set aside', () =>
    withTablet(async (tablet) => {
      const id = await tablet.submit(course, 40);
      await tablet.send();
      await tablet.withdraw(id);
      await decide(id, 'approve');
      await tablet.send();
      const [asked] = (await tablet.db.outbox.toArray()).map(entryToShow);
      expect(asked && explain(asked)).toBe('Somebody has decided on this in the meantime. What they decided stands.');
      if (asked) await setAside(tablet.db, asked);
      expect([await tablet.db.outbox.count(), (await tablet.db.submissions.get(id))?.status]).toEqual([0, 'approved']);
      const gone = await tablet.submit({ id: randomUUID(), title: 'A course that is gone' }, 40);
      await tablet.send();
      const [refused] = (await tablet.db.outbox.toArray()).map(entryToShow);
      expect([refused?.lane, refused?.state]).toEqual([laneName('submission', gone), 'needs-person']);
      expect(refused && explain(refused)).toMatch(/^Your organisation no longer has this course/);
      if (refused) await setAside(tablet.db, refused);
      expect([await tablet.db.outbox.count(), await tablet.db.submissions.get(gone)]).toEqual([0, undefined]);
    }));
});
