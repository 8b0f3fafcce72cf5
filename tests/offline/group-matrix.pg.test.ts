import 'fake-indexeddb/auto';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cellAt, dayOfNumber } from '#contract/matrix/sheet.ts';
import { dayIn } from '#contract/rules/days.ts';
import { newDataKey } from '#contract/rules/seal.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithGroup } from '#server/db/demo/group.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.rows.ts';
import type { MatrixKeeper } from '#src/device/kept-matrix.ts';
import { type MatrixState, type WatchedMatrix, watchMatrix } from '#src/features/matrix/watch-matrix.ts';
import { holdDataKey } from '#src/offline/keys/unlocked.ts';
import { keepMatrix, keptMatrix } from '#src/offline/store/kept-matrices.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/** More people than the server reads at once (250), and more than a device asks for first (60). */
const people = 600;

describe(`the matrix of a group of ${people} people, as a device has it in the end`, { timeout: 300_000 }, () => {
  let server: TestApp;
  let admin: TestClient;
  const RealSocket = globalThis.WebSocket;
  const realFetch = globalThis.fetch;
  beforeAll(async () => {
    server = await startTestApp();
    await fillWithGroup(server.database.db, server.clock.now, { people });
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    const headers = () => ({ cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
      const sent = new Headers(init.headers);
      sent.set('cookie', headers().cookie);
      sent.set('x-xsrf-token', admin.cookies.get('XSRF-TOKEN') ?? '');
      return realFetch(new URL(path, origin), { ...init, headers: sent });
    });
    vi.stubGlobal(
      'WebSocket',
      class extends RealSocket {
        constructor(url: string, protocols: string[]) {
          const { pathname } = new URL(url);
          super(`${origin.replace('http', 'ws')}${pathname}`, { protocols, headers: headers() } as never);
        }
      },
    );
  }, 300_000);
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });

  const loaded = async (keeper?: MatrixKeeper): Promise<WatchedMatrix> =>
    new Promise((resolve, reject) => {
      const watch = watchMatrix(
        { compliance_type: 'all' },
        (state: MatrixState) => {
          if (state.kind === 'error' || state.kind === 'offline' || (state.kind === 'loaded' && state.connection !== null))
            reject(new Error(JSON.stringify(state.kind)));
          if (state.kind !== 'loaded' || !state.view.complete) return;
          watch.stop();
          resolve(state.view);
        },
        keeper,
      );
    });
  /** Every cell, by the rule that home pages, records and reminders follow. */
  const expectTheRule = async ({ users, courses, sheet, loaded: rows }: WatchedMatrix) => {
    expect(rows.every((row) => row === 1)).toBe(true);
    const ids = users.map((u) => u?.id ?? '');
    const events = new Map<string, LearnerEvent>();
    for (let from = 0; from < ids.length; from += 500)
      for (const e of await eventsOf(server.database.db, ids.slice(from, from + 500), server.clock.now)) events.set(`${e.user_id} ${e.course_id}`, e);
    const wrong: unknown[] = [];
    let required = 0;
    for (const [row, id] of ids.entries())
      for (const [column, course] of courses.entries()) {
        const event = events.get(`${id} ${course.id}`);
        const { type, status, completed, expires } = cellAt(sheet, row, column);
        const cell = { type, status: type === 'none' ? null : status, completed: dayOfNumber(completed), expires: dayOfNumber(expires) };
        const isAsked = event !== undefined && event.compliance_type !== null;
        const day = (at: string | null | undefined) => (at ? dayIn(at, 'Europe/London') : null);
        const right = {
          ...{ type: isAsked ? event.compliance_type : 'none', status: isAsked ? event.compliance : null },
          ...{ completed: day(event?.completed_at), expires: day(event?.expires_at) },
        };
        if (isAsked) required++;
        if (JSON.stringify(cell) !== JSON.stringify(right)) wrong.push({ person: users[row]?.name, course: course.title, cell, right });
      }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(required).toBeGreaterThan(people * 10);
  };

  it('is whole and right from a fresh browser, over a web socket and over plain requests', async () => {
    const overSocket = await loaded();
    expect(overSocket.users.length).toBeGreaterThan(people);
    await expectTheRule(overSocket);
    vi.stubGlobal('localStorage', { getItem: () => String(Date.now()), setItem: () => undefined, removeItem: () => undefined });
    const overRequests = await loaded();
    vi.stubGlobal('localStorage', undefined);
    expect(overRequests.users).toEqual(overSocket.users);
    expect(overRequests.sheet).toEqual(overSocket.sheet);
  });

  it('is whole and right again from what the device has stored, after results were recorded', async () => {
    const place = { person: demoId('user:admin@willowbrook.test'), place: demoId('entity:group'), filter: 'group' };
    holdDataKey(place.person, newDataKey());
    let storing: Promise<unknown> = Promise.resolve();
    const keeper: MatrixKeeper = {
      read: () => keptMatrix(place, Date.now()),
      keep: (matrix) => {
        storing = keepMatrix(place, matrix, Date.now());
      },
      forget: () => undefined,
    };
    await loaded(keeper);
    await storing;
    expect((await keeper.read())?.users.length).toBeGreaterThan(people);
    const { db } = server.database;
    const changed = await db.run(sql`insert into results (id, user_id, course_id, type, origin, completed_at, expires_at)
      select gen_random_uuid(), u.id, k.course_id, 'historical', 'manual', date_trunc('second', now() - interval '1 hour'), date_trunc('second', now() + interval '300 days')
      from users u join compliance k on k.role_id = u.role_id where u.email like 'p%.7@willowbrook.test'`);
    expect(changed).toBeGreaterThan(20);
    const again = await loaded(keeper);
    await expectTheRule(again);
  });
});
