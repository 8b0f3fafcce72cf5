import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formerTreeFile, packageFolder, treeFile } from '#contract/package-addresses.ts';
import { dropList, isKept, keptList } from '#player/kept-packages.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async (url: string) => (kept.has(url) ? new Response(kept.get(url)) : undefined),
      delete: async (url: string) => kept.delete(url),
    }),
  });
});
afterEach(() => vi.unstubAllGlobals());

const listed = (salt: string) => {
  const list = JSON.stringify({ salt, files: { 'package-tree.json': ['a'.repeat(64), 12] } });
  return { list, tree: createHash('sha256').update(list).digest('hex') };
};

it.each([treeFile, formerTreeFile])('finds the list of a kept package as %s, and takes it away', async (name) => {
  const { list, tree } = listed(name);
  kept.set(packageFolder(tree) + name, list);
  expect(await isKept(tree)).toBe(true);
  expect(await keptList(tree)).toHaveProperty(['package-tree.json']);
  await dropList(tree);
  expect(await isKept(tree)).toBe(false);
});

it('does not take a file of the package’s own for its list', async () => {
  const { list, tree } = listed('own');
  kept.set(packageFolder(tree) + formerTreeFile, '{"own":true}');
  expect(await isKept(tree)).toBe(false);
  expect(await keptList(tree)).toBeNull();
  kept.set(packageFolder(tree) + treeFile, list);
  expect(await isKept(tree)).toBe(true);
  await dropList(tree);
  expect([...kept.values()]).toEqual(['{"own":true}']);
});
