import { afterEach, expect, it, vi } from 'vitest';
import { storageUsed } from '#src/offline/media/storage-used.ts';

afterEach(() => vi.unstubAllGlobals());

const folder = (...sizes: number[]) => ({
  values: async function* () {
    for (const size of sizes) yield { kind: 'file', getFile: async () => ({ size }) };
  },
});

it('measures private files instead of believing that an open one takes 4 GB', async () => {
  const estimate = async () => ({
    usage: 2 ** 32 + 20_000_000,
    quota: 1e11,
    usageDetails: { caches: 12_000_000, indexedDB: 3_000_000, fileSystem: 2 ** 32 },
  });
  vi.stubGlobal('navigator', { storage: { estimate, getDirectory: async () => folder(40_000, 2_000) } });
  expect(await storageUsed()).toBe(15_042_000);
});

it('takes the browser’s figure where it does not tell more, and says nothing where it tells nothing', async () => {
  vi.stubGlobal('navigator', { storage: { estimate: async () => ({ usage: 7, quota: 9 }) } });
  expect(await storageUsed()).toBe(7);
  vi.stubGlobal('navigator', { storage: {} });
  expect(await storageUsed()).toBeNull();
});
