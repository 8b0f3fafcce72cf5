import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StoredMatrix } from '#contract/matrix/stored-matrix.ts';
import { packRows } from '#contract/matrix/sheet.ts';
import { protocol } from '#contract/protocol.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { standingBytes } from '#server/features/results/standings.rows.ts';
import type { MatrixKeeper } from '#src/device/kept-matrix.ts';
import { type WatchedMatrix, watchMatrix } from '#src/features/matrix/watch-matrix.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('a matrix that a device has had', () => {
  let server: TestApp;
  let url: string;
  beforeAll(async () => {
    server = await startTestApp();
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    url = `ws://127.0.0.1:${(server.app.server.address() as AddressInfo).port}${protocol.apiPrefix}/matrix-socket`;
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });

  it('sends at most 2 % of the bytes the next day, where 1 % of the rows have changed: the same as fetched whole', async () => {
    const { db } = server.database;
    const [people, courses] = [200, 200];
    const role = randomUUID();
    await db.run(sql`insert into roles (id, name, entity_id) values (${role}, 'Many courses', ${demoId('entity:home')})`);
    await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, started_on)
      select gen_random_uuid(), 'Person ' || n, 'm' || n || '@many.test', ${demoId('entity:home')}, ${role}, current_date - 1000 from generate_series(1, ${people}::int) n`);
    await db.run(sql`with made as (insert into courses (id, title, short_title, entity_id)
        select gen_random_uuid(), 'Many ' || n, 'M' || n, ${demoId('entity:home')} from generate_series(1, ${courses}::int) n returning id)
      insert into compliance (id, role_id, course_id, type) select gen_random_uuid(), ${role}, id, 'primary' from made`);
    const nos = (await db.all<{ no: number }>(sql`select no from courses where title like 'Many %'`)).map((c) => c.no);
    const day = 86_400;
    const today = Math.floor(server.clock.now.getTime() / 1000);
    const packed = (person: number) => {
      const cells = Buffer.alloc(nos.length * standingBytes.cell);
      nos.forEach((no, i) => {
        cells.writeUInt32BE(no * 256, i * standingBytes.cell);
        cells.writeUInt32BE(today - day * (50 + ((person * 7 + i * 13) % 300)), i * standingBytes.cell + standingBytes.completed);
        cells.writeUInt32BE(today + day * (40 + ((person * 11 + i * 5) % 700)), i * standingBytes.cell + standingBytes.expires);
      });
      return cells.toString('hex');
    };
    const ids = (await db.all<{ id: string }>(sql`select id from users where role_id = ${role} order by name`)).map((u) => u.id);
    const stand = (some: readonly string[], from: number) =>
      db.run(sql`insert into standings (user_id, cells) select u, decode(c, 'hex')
        from unnest(${[...some]}::uuid[], ${some.map((_, i) => packed(from + i))}::text[]) as x (u, c) on conflict (user_id) do update set cells = excluded.cells`);
    await stand(ids, 0);

    const client = server.client();
    await client.signIn('admin@willowbrook.test');
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const travelled = { bytes: 0 };
    vi.stubGlobal('fetch', async (path: string, { method, body }: { method: string; body?: string }) => {
      const answer = await client.send(method, path.slice(protocol.apiPrefix.length), body && JSON.parse(body));
      return new Response(answer.body || null, { status: answer.statusCode, headers: answer.headers as Record<string, string> });
    });
    const Real = WebSocket;
    class Counted extends Real {
      constructor(_url: string, protocols: string[]) {
        super(url, { protocols, headers: { cookie } } as never);
        this.addEventListener('message', ({ data }) => {
          travelled.bytes += typeof data === 'string' ? data.length : data.byteLength;
        });
      }
      override send(data: string): void {
        travelled.bytes += data.length;
        super.send(data);
      }
    }
    vi.stubGlobal('WebSocket', Counted);
    const looked = async (keeper?: MatrixKeeper) => {
      travelled.bytes = 0;
      const view = await new Promise<WatchedMatrix>((resolve, reject) => {
        const { stop } = watchMatrix(
          { roles: [role] },
          (state) => {
            if (state.kind === 'error' || state.kind === 'offline') reject(new Error(JSON.stringify(state)));
            if (state.kind !== 'loaded' || !state.view.complete) return;
            resolve(state.view);
            stop();
          },
          keeper,
        );
      });
      // The list of courses is sent each time, and no cells.
      return { view, bytes: travelled.bytes - JSON.stringify(view.courses).length };
    };
    let has: StoredMatrix | null = null;
    const device: MatrixKeeper = { read: async () => has, forget: () => undefined, keep: (matrix) => (has = matrix) };
    const first = await looked(device);
    expect([first.view.users.length, first.view.courses.length]).toEqual([people, courses]);
    // As sent over a connection that is not slow: otherwise it is deflated.
    const all = Array.from({ length: people }, (_, row) => row);
    const plain = JSON.stringify(first.view.users).length + packRows(first.view.sheet, all).length;
    expect(plain).toBeGreaterThan(people * courses * 5);
    await stand(ids.slice(100, 102), 1000);
    const next = await looked(device);
    const whole = await looked();
    expect(next.view.sheet).toEqual(whole.view.sheet);
    expect(next.view.users).toEqual(whole.view.users);
    expect(next.view.sheet).not.toEqual(first.view.sheet);
    expect(next.bytes / plain).toBeLessThan(0.02);
  });
});
