import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, OpenEngine } from '#tests/engines/engine.ts';
import { openFirefox } from '#tests/engines/firefox.ts';
import { learner } from '#tests/engines/learner.ts';
import { installing } from '#tests/engines/install.ts';
import { leaveAtOnce } from '#tests/engines/leave-at-once.ts';
import { lostStorage } from '#tests/engines/lost-storage.ts';
import { privateWindow } from '#tests/engines/private-window.ts';
import { screenOf } from '#tests/engines/screen.ts';
import type { Story } from '#tests/engines/story.ts';
import { trainer } from '#tests/engines/trainer.ts';
import { openWebkit } from '#tests/engines/webkit.ts';
import { demoTemplate } from '#tests/support/demo-folder.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * `npm run engines [-- webkit|firefox] [--story WORDS]`: tells the offline stories in WebKit and in Firefox, each against a real server that is
 * really stopped. `--ci` takes those that belong to `npm test`; `--counts FILE` writes what came of it. SCREENSHOTS names a
 * folder for pictures; where a story fails its last screen lies in test-results/engines.
 */
const root = new URL('../../', import.meta.url).pathname;
type Play = { engine: 'webkit' | 'firefox'; variant: string | null; stories: readonly Story[]; ci: readonly Story[] };
const open: Record<Play['engine'], OpenEngine> = { webkit: openWebkit, firefox: openFirefox };
const plays: readonly Play[] = [
  { engine: 'webkit', variant: 'ipad', stories: [learner, trainer, leaveAtOnce], ci: [learner] },
  { engine: 'webkit', variant: null, stories: [learner, trainer, installing], ci: [] },
  { engine: 'firefox', variant: null, stories: [learner, trainer, lostStorage, installing], ci: [trainer] },
  { engine: 'firefox', variant: 'files-by-worker', stories: [lostStorage], ci: [] },
  { engine: 'firefox', variant: 'private', stories: [privateWindow], ci: [] },
];

const play = async ({ engine: name, variant }: Play, story: Story): Promise<string | null> => {
  const started = Date.now();
  const profile = mkdtempSync(join(tmpdir(), 'lantern-engine-'));
  const label = variant ? `${name}-${variant}` : name;
  const server = await RealServer.create();
  let engine: Engine;
  try {
    engine = await open[name](join(profile, 'profile'), variant);
  } catch (error) {
    await server.close();
    throw error;
  }
  const picture = async (folder: string | undefined, what: string) => {
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${label}-${what}.png`), await engine.screenshot());
  };
  let failed: string | null = null;
  try {
    await story.tell({ screen: screenOf(engine), server, hasFiles: name === 'firefox', picture: (what) => picture(process.env.SCREENSHOTS, what) });
  } catch (error) {
    failed = (error as Error).stack ?? String(error);
    await picture(join(root, 'test-results', 'engines'), 'failed').catch(() => undefined);
  }
  await engine.quit();
  await server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  console.log(
    `${failed ? 'failed' : 'passed'}  ${engine.version}${variant ? `, ${variant}` : ''}: ${story.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (failed) console.log(failed.replaceAll(/^/gm, '  '));
  return failed;
};

/** A story takes half a minute; one that takes this much longer is stuck. */
const longestStoryMs = 240_000;

const argument = (flag: string): string | undefined => {
  const at = process.argv.indexOf(`--${flag}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
// Told alone: which engine, and which of its stories. Each has a process of its own, and one that ends it does not take the others with it.
const told = argument('tell')?.split('.').map(Number);
if (told) {
  const [at, story] = told as [number, number];
  const each = plays[at] as Play;
  process.exit((await play(each, each.stories[story] as Story)) === null ? 0 : 1);
}
const only = process.argv[2]?.startsWith('--') ? undefined : process.argv[2];
if (only && !(only in open)) {
  console.error(`There is no engine “${only}”. There are: ${Object.keys(open).join(', ')}.`);
  process.exit(2);
}
let passed = 0;
let failed = 0;
await demoTemplate();
/** Runs the chosen stories of one engine, one after another. */
const tellAll = async (name: Play['engine']): Promise<void> => {
  for (const [at, { engine, stories, ci }] of plays.entries())
    for (const [i, story] of stories.entries()) {
      if (engine !== name || !story.name.includes(argument('story') ?? '') || (process.argv.includes('--ci') && !ci.includes(story))) continue;
      const tell = async (again = false): Promise<boolean> => {
        if (again) console.log(`${engine}: ${story.name}: told once more`);
        const teller = spawn(process.execPath, [process.argv[1] as string, '--tell', `${at}.${i}`], { stdio: 'inherit', timeout: longestStoryMs });
        const [status, signal] = (await once(teller, 'exit')) as [number | null, NodeJS.Signals | null];
        if (signal) console.log(`failed  ${engine}: ${story.name}: its process ended with ${signal}`);
        return status === 0;
      };
      // Engine drivers crash occasionally. Only a second failure counts.
      if ((await tell()) || (await tell(true))) passed++;
      else failed++;
    }
};
// In parallel: their times are not measured, and both wait a lot.
await Promise.all((Object.keys(open) as Play['engine'][]).filter((name) => !only || name === only).map(tellAll));
if (passed + failed === 0) {
  console.error(`There is no story with “${argument('story')}” in its name.`);
  process.exit(2);
}
const countsFile = argument('counts');
if (countsFile) writeFileSync(countsFile, JSON.stringify({ passed, failed }));
console.log(`engines: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
