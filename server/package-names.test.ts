import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFolder, treeFile } from '#contract/package-addresses.ts';
import { readConfig } from '#server/config.ts';
import { createContentOrigin } from '#server/content-origin.ts';
import { writeTree } from '#server/features/packages/package-trees.ts';
import { createFileStore } from '#server/files/file-store.ts';

it('serves the list of a package beside a file of its own with the former name of the list, and names in either form of a character', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-origin-'));
  const files = createFileStore(join(folder, 'files'));
  const own = Buffer.from('{"own":true}');
  const composed = 'Übung.html'.normalize('NFC');
  const entry = [await files.put(own), own.length] as [string, number];
  const withOwn = await writeTree(files, { 'package-tree.json': entry, [composed]: entry });
  const without = await writeTree(files, { [composed]: entry });
  const site = await createContentOrigin({ config: readConfig({ NODE_ENV: 'test', DATA_DIR: folder }), files, playerFolder: folder });
  const get = async (tree: string, name: string) => {
    const answer = await site.inject({ url: packageFolder(tree) + encodeURIComponent(name) });
    return answer.statusCode === 200 ? answer.body : answer.statusCode;
  };
  try {
    for (const { tree } of [withOwn, without]) {
      expect(JSON.parse(String(await get(tree, treeFile))).files).toHaveProperty([composed]);
      expect(await get(tree, composed)).toBe('{"own":true}');
      expect(await get(tree, composed.normalize('NFD'))).toBe('{"own":true}');
      expect(await get(tree, 'Übing.html')).toBe(404);
    }
    expect(await get(withOwn.tree, 'package-tree.json')).toBe('{"own":true}');
    // A device with an older player still finds the list there.
    expect(JSON.parse(String(await get(without.tree, 'package-tree.json'))).files).toHaveProperty([composed]);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
});
