import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';

it('servers that start together on an empty database all come up, and one of them fills it', async () => {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'lantern-together-'));
  const servers = await Promise.all([1, 2, 3].map(() => RealServer.notStarted({ DATABASE_URL: postgres.url, DEMO: 'true' }, false, folder)));
  try {
    const began = await Promise.allSettled(servers.map((server) => server.start()));
    expect(began.map((b) => (b.status === 'rejected' ? String(b.reason) : 'up'))).toEqual(['up', 'up', 'up']);
    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query(`select count(*)::int as count from entities where slug = 'willowbrook'`);
    await client.end();
    expect(rows).toEqual([{ count: 1 }]);
    for (const server of servers) expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
