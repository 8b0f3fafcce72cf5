import { type FromKeeper, ToKeeper } from '#contract/bridge.ts';
import { contentFolder, packageFolder, treeFile } from '#contract/package-addresses.ts';
import { openChannel } from './channel.ts';
import { fetched, isWhole, keepFile, put, Stopped } from './keep-file.ts';
import { forgetLastWord, lastWords } from './last-words.ts';
import { ownWorkerOnly, tidy } from './tidy.ts';
import { addressOf, dropList, isKept, keptList, noteList, openCache } from './kept-packages.ts';

/**
 * Stores packages for offline use: every file under the URL by which a course requests it, verified against the package's list,
 * and the list last. Intact files are not fetched again.
 */
const running = new Map<string, AbortController>();

const listOf = async (tree: string, signal: AbortSignal) => {
  const kept = await keptList(tree);
  if (kept) return kept;
  const list = await noteList(tree, await (await fetched(packageFolder(tree) + treeFile, signal)).arrayBuffer());
  if (!list) throw new Stopped('damaged');
  return list;
};

const keep = async (tree: string, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<boolean> => {
  const cache = await openCache();
  const files = await listOf(tree, signal);
  for (const [path, [hash, bytes]] of Object.entries(files)) {
    if (signal.aborted) throw new Stopped('stopped');
    const url = addressOf(tree, path);
    await keepFile(cache, { url, hash, bytes }, signal, onBytes);
  }
  await put(cache, packageFolder(tree) + treeFile, await fetched(packageFolder(tree) + treeFile, signal));
  return true;
};

const check = async (tree: string): Promise<number> => {
  const cache = await openCache();
  const files = await keptList(tree);
  if (!files) return 1;
  let broken = 0;
  for (const [path, [hash]] of Object.entries(files)) {
    const url = addressOf(tree, path);
    if (await isWhole(cache, url, hash)) continue;
    broken++;
    await cache.delete(url);
  }
  // Without its list a package counts as not stored until it is completed.
  if (broken > 0) await dropList(tree);
  return broken;
};

const drop = async (tree: string): Promise<boolean> => {
  const cache = await openCache();
  const folder = new URL(packageFolder(tree), location.origin).href;
  for (const { url } of await cache.keys()) if (url.startsWith(folder)) await cache.delete(url);
  return true;
};

const { say } = openChannel(
  async (data) => {
    const parsed = ToKeeper.safeParse(data);
    if (!parsed.success) return;
    if ('type' in parsed.data) {
      forgetLastWord(parsed.data.session_id, parsed.data.ticks);
      return;
    }
    if (parsed.data.ask === 'tidy') {
      await tidy(parsed.data.trees);
      return;
    }
    const { id, ask, tree } = parsed.data;
    const control = new AbortController();
    try {
      if (ask === 'stop') running.get(tree)?.abort();
      if (ask === 'keep') running.set(tree, control);
      const result =
        ask === 'keep'
          ? await keep(tree, control.signal, (bytes) => say({ type: 'bytes', id, bytes } satisfies FromKeeper))
          : ask === 'check'
            ? await check(tree)
            : ask === 'has'
              ? await isKept(tree)
              : ask === 'drop'
                ? await drop(tree)
                : true;
      say({ type: 'done', id, result } satisfies FromKeeper);
    } catch (error) {
      say({ type: 'failed', id, why: error instanceof Stopped ? error.why : 'unreachable' } satisfies FromKeeper);
    } finally {
      if (running.get(tree) === control) running.delete(tree);
    }
  },
  () => {
    for (const left of lastWords()) say({ type: 'left', ...left } satisfies FromKeeper);
    return navigator.serviceWorker
      .register(`${contentFolder}content-sw.js`, { scope: contentFolder, type: 'classic' })
      .then(() => ownWorkerOnly())
      .then(() => navigator.serviceWorker.ready);
  },
);
