import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const db = (kind: 'pglite' | 'postgres') => ({
  test: {
    name: kind,
    include: ['server/**/*.pg.test.ts', 'tests/contract/**/*.pg.test.ts', 'tests/offline/**/*.pg.test.ts'],
    globalSetup: ['tests/support/database-setup.ts'],
    env: { TZ: 'UTC' },
    provide: { databaseKind: kind } as never,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
});

export default defineConfig({
  plugins: [react()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,src,sw,server,tools}/**/*.test.{ts,tsx}', 'tests/{simulation,contract,packages}/**/*.test.ts'],
          exclude: ['**/*.pg.test.ts'],
          env: { TZ: 'UTC' },
          setupFiles: ['tests/support/unit-setup.ts'],
        },
      },
      db('pglite'),
      db('postgres'),
    ],
  },
});
