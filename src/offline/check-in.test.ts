import { beforeEach, describe, expect, it, vi } from 'vitest';
import { greeterFor } from '#src/offline/check-in.ts';
import { startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { neverCame, seenNeverCame } from '#src/offline/store/never-came.ts';
import { personDb } from '#src/offline/store/person-db.ts';

describe('check-ins of a device', () => {
  let told: { waiting: number; needs_person: number }[];
  let givenUp: unknown[];
  let line: boolean;
  /** What a server answers beside the rest, and the further parts of the check-ins. */
  let answers: { missing?: { id: string; reported_at: string }[]; unknown?: string[] };
  let asked: { unsent?: { ids: string[]; complete: boolean }; accounted?: string[] }[];
  beforeEach(() => {
    answers = {};
    asked = [];
    told = [];
    givenUp = [];
    line = true;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      if (!line) throw new TypeError('no line');
      if (url.endsWith('/check-in')) {
        const body = JSON.parse(init.body as string) as { report: (typeof told)[0]; given_up?: unknown };
        told.push(body.report);
        givenUp.push(body.given_up);
        asked.push(body as never);
      }
      return new Response(
        JSON.stringify({ data: { epoch: 'e', server_time: new Date().toISOString(), unknown: [], organisation_key: null, ...answers } }),
        {
          headers: { 'X-Lantern': '1', 'Content-Type': 'application/json', 'X-XSRF-TOKEN': 't' },
        },
      );
    });
  });

  it('say which courses are whole on the device, and their versions', async () => {
    const db = personDb(crypto.randomUUID());
    const pack = { bytes: 1, loaded: 1, hashes: [], at: new Date().toISOString() };
    const [whole, half] = [crypto.randomUUID(), crypto.randomUUID()];
    await db.packs.bulkPut([
      { ...pack, content_id: whole, version: 3, state: 'ready' },
      { ...pack, content_id: half, version: 1, state: 'loading' },
    ]);
    await greeterFor(db).greet();
    expect(told).toMatchObject([{ kept: [{ content_id: whole, version: 3 }] }]);
  });

  it('are repeated by any tab once waiting work has been sent, and not if nothing changed', async () => {
    const db = personDb(crypto.randomUUID());
    const greeter = greeterFor(db);
    // Nothing is reported before the first check-in, which contains more.
    await greeter.report?.();
    expect(told).toEqual([]);
    const course = { id: crypto.randomUUID(), title: 'Fire safety' };
    await startAttempt(db, { uuid: db.personId }, { ...course, version: 1, course, lessons: [] } as never);
    await greeter.greet();
    expect(told).toMatchObject([{ waiting: 1, needs_person: 0 }]);
    await greeter.report?.();
    expect(told).toHaveLength(1);

    const entry = await db.outbox.toCollection().first();
    await db.outbox.update(entry?.n as number, { state: 'needs-person' });
    await greeter.report?.();
    expect(told.at(-1)).toMatchObject({ waiting: 0, needs_person: 1 });

    await db.outbox.clear();
    line = false;
    await greeter.report?.();
    line = true;
    await greeterFor(db).report?.();
    expect(told.at(-1)).toMatchObject({ waiting: 0, needs_person: 0 });
    expect(told).toHaveLength(3);
  });

  it('name what waits, and list what the server never received and the device no longer has', async () => {
    const db = personDb(crypto.randomUUID());
    const course = { id: crypto.randomUUID(), title: 'Fire safety' };
    await startAttempt(db, { uuid: db.personId }, { ...course, version: 1, course, lessons: [] } as never);
    const entry = await db.outbox.toCollection().first();
    const waits = String(entry?.id);
    const [lost, aside] = [crypto.randomUUID(), crypto.randomUUID()];
    await db.settled.put({ ...(entry as object), id: aside, settled_at: new Date().toISOString(), outcome: 'discarded' } as never);
    const reported_at = '2026-01-02T03:04:05.000Z';
    answers = { missing: [lost, aside, waits].map((id) => ({ id, reported_at })), unknown: [lost] };
    await greeterFor(db).greet();
    expect(asked[0]?.unsent).toEqual({ ids: [waits], complete: true });
    expect(asked.map((a) => a.accounted)).toEqual([undefined, [aside]]);
    expect(await neverCame(db.personId)).toEqual([{ id: lost, at: reported_at, seen: false }]);
    // It has been read; then it turns up after all, for example in a sealed copy.
    await seenNeverCame(db.personId);
    await greeterFor(db).greet();
    expect(await neverCame(db.personId)).toEqual([{ id: lost, at: reported_at, seen: true }]);
    answers = {};
    await greeterFor(db).greet();
    expect(await neverCame(db.personId)).toEqual([]);
  });

  it('report the changes given up because the server fails on them, without their content', async () => {
    const db = personDb(crypto.randomUUID());
    const course = { id: crypto.randomUUID(), title: 'Fire safety' };
    await startAttempt(db, { uuid: db.personId }, { ...course, version: 1, course, lessons: [] } as never);
    const entry = await db.outbox.toCollection().first();
    const since = Date.parse('2026-01-02T03:04:05.000Z');
    const put = async (state: 'waiting' | 'needs-person', times: number) => {
      await db.outbox.update(entry?.n as number, { state, failing: { since, times } });
      await greeterFor(db).greet();
      return givenUp.at(-1);
    };
    expect(await put('waiting', 12)).toBeUndefined();
    expect(await put('needs-person', 3)).toBeUndefined();
    expect(await put('needs-person', 12)).toEqual([{ id: entry?.id, command: 'attempt.start', times: 12, since: '2026-01-02T03:04:05.000Z' }]);
  });
});
