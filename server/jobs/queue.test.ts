import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { queueVersion } from '#server/jobs/queue.ts';

it('knows the version of the tables that the installed pg-boss works with', () => {
  const installed = JSON.parse(readFileSync(new URL('../../node_modules/pg-boss/package.json', import.meta.url), 'utf8')) as {
    pgboss: { schema: number };
  };
  expect(queueVersion).toBe(installed.pgboss.schema);
});
