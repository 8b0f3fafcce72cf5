import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { queueVersion } from '#server/jobs/queue.ts';

it('the queue version matches the installed pg-boss', () => {
  const installed = JSON.parse(readFileSync(new URL('../../node_modules/pg-boss/package.json', import.meta.url), 'utf8')) as {
    pgboss: { schema: number };
  };
  expect(queueVersion).toBe(installed.pgboss.schema);
});
