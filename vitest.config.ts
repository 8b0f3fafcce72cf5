import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** As many processors as the smallest machine that runs `npm test` has. */
const maxWorkers = 2;

/** Compare times that they measure themselves: nothing runs beside them. */
const timed = ['server/workers/worker-pool.test.ts', 'tests/contract/heavy-uploads.test.ts'];

/** Longer than a test takes: campaigns run beside these (`tools/test.mjs`). */
const testTimeout = 60_000;
const hookTimeout = 120_000;

const unit = { env: { TZ: 'UTC' }, setupFiles: ['tests/support/unit-setup.ts'], testTimeout, hookTimeout };

/**
 * These replace a module of the server, or what all of a process share, such as `fetch` and IndexedDB: each has a process of its own. Devices on
 * the embedded database are the matter of the campaigns `integration` and `proxy`.
 */
const replacing = ['tests/contract/second-net.pg.test.ts', 'tests/offline/**/*.pg.test.ts'];

const both = ['server/**/*.pg.test.ts', 'tests/contract/**/*.pg.test.ts'];
/**
 * What could differ on the embedded database: every call of the contract with every kind of caller, and whatever has transactions, locks and
 * jobs of its own. The rest is one SQL, and the same engine: `npm test` asks it on PostgreSQL, `npm run test:db` on both.
 */
const embedded = [
  'tests/contract/access.pg.test.ts',
  'server/{db,http,jobs,ledger}/**/*.pg.test.ts',
  'server/features/{jobs,learning}/**/*.pg.test.ts',
];

type Part = { name: string; include: string[]; exclude: string[]; apart?: true };
const db = (kind: 'pglite' | 'postgres', { name, include, exclude, apart }: Part) => ({
  test: {
    name: `${kind}${name}`,
    include,
    exclude,
    // The server is loaded once a worker, and not once a file: each test has an app and a database of its own.
    isolate: apart ?? false,
    globalSetup: ['tests/support/database-setup.ts'],
    // No test here ends a database: what a kill or a power cut leaves is the matter of server/db/open.test.ts and of the fault campaigns.
    env: { TZ: 'UTC', LANTERN_TEST_NO_FLUSH: 'true' },
    provide: { databaseKind: kind } as never,
    testTimeout,
    hookTimeout,
    maxWorkers,
  },
});

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...unit,
          name: 'unit',
          include: ['{contract,src,sw,server,tools}/**/*.test.{ts,tsx}', 'tests/{simulation,contract,packages}/**/*.test.ts'],
          exclude: ['**/*.pg.test.ts', ...timed],
          maxWorkers,
        },
      },
      { extends: true, test: { ...unit, name: 'timed', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      db('pglite', { name: '', include: embedded, exclude: replacing }),
      db('pglite', { name: '-features', include: both, exclude: [...embedded, ...replacing] }),
      db('pglite', { name: '-apart', include: replacing, exclude: [], apart: true }),
      db('postgres', { name: '', include: both, exclude: replacing }),
      db('postgres', { name: '-apart', include: replacing, exclude: [], apart: true }),
    ],
  },
});
