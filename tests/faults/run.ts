import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Campaign } from '#tests/faults/campaign.ts';

/**
 * `npm run faults -- CAMPAIGN [--runs N] [--seed S]`: runs one campaign (or `all`), prints progress, and ends with `CAMPAIGN runs
 * N violations N`. A run that breaks a guarantee prints the command that reproduces it. `--ci` uses the number of runs for tests;
 * `--counts FILE` writes the results as JSON. With `all`, each campaign has its own process, because a device replaces its
 * process's `fetch` and a crash must not end the others. Two run in parallel, since each waits a lot; those that
 * measure times run alone. `--part waiting` takes those of `all` that wait most of the time and can run beside other tests,
 * `--part rest` the others.
 */
const folder = new URL('.', import.meta.url).pathname;
const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const wanted = process.argv[2] ?? '';
const ci = process.argv.includes('--ci');
const waits = (c: Campaign) => !c.alone && !c.busy;
const parts = { waiting: waits, rest: (c: Campaign) => !waits(c) };
const part = argument('part');
if (process.argv.includes('--part') && !(part && Object.hasOwn(parts, part))) {
  console.error(`--part takes ${Object.keys(parts).join(' or ')}, and not “${part ?? ''}”.`);
  process.exit(2);
}
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((f) => f.endsWith('.campaign.ts'))
  .sort((a, b) => Number(b.endsWith(`${wanted}.campaign.ts`)) - Number(a.endsWith(`${wanted}.campaign.ts`)) || (a < b ? -1 : 1));
const campaigns = new Map<string, Campaign>();
for (const file of files) {
  if (campaigns.has(wanted)) break;
  const { campaign, campaigns: several = [] } = (await import(join(folder, file))) as { campaign?: Campaign; campaigns?: Campaign[] };
  for (const c of campaign ? [campaign] : several) campaigns.set(c.name, c);
}
const chosen = campaigns.get(wanted);
if (!chosen && wanted !== 'all') {
  console.error(`There is no campaign “${wanted}”. There are: ${[...campaigns.keys()].join(', ')}, and all.`);
  process.exit(2);
}
/** Parses an integer of at least `least`, or exits with 2, so that a mistake cannot pass for success. */
const whole = (name: string, least: number): number | undefined => {
  if (!process.argv.includes(`--${name}`)) return undefined;
  const value = Number(argument(name) || Number.NaN);
  if (Number.isInteger(value) && value >= least) return value;
  console.error(`--${name} takes a whole number from ${least}, and not “${argument(name) ?? ''}”.`);
  process.exit(2);
};
const runsAsked = whole('runs', 1);
const seedAsked = whole('seed', 0);
/** `said`: the first violations, in words. */
type Count = { campaign: string; runs: number; violations: number; said: string[] };

const play = async (campaign: Campaign): Promise<Count> => {
  const runs = runsAsked ?? (ci ? campaign.runs.ci : campaign.runs.demand);
  const first = seedAsked ?? 1;
  const started = Date.now();
  let told = started;
  let violations = 0;
  const said: string[] = [];
  await campaign.prepare?.();
  let begun = 0;
  let done = 0;
  const playOn = async () => {
    while (begun < runs && violations <= 50) {
      const seed = first + begun++;
      const found = await campaign.once(seed).catch((error: Error) => [`the run ended with ${error.stack ?? error.message}`]);
      done++;
      violations += found.length;
      for (const violation of found.slice(0, 5)) {
        console.log(`  seed ${seed}: ${violation}`);
        if (said.length < 5) said.push(`seed ${seed}: ${violation}`);
      }
      if (found.length > 0) console.log(`  repeat it with: npm run faults -- ${campaign.name} --runs 1 --seed ${seed}`);
      if (Date.now() - told > 10_000) {
        told = Date.now();
        console.log(`  ${campaign.name}: ${done} of ${runs}, ${Math.round((told - started) / 1000)} s, violations ${violations}`);
      }
    }
  };
  await Promise.all(Array.from({ length: campaign.abreast ?? 1 }, playOn));
  await campaign.finish?.();
  const facts = campaign.facts?.();
  console.log(`  ${campaign.name}: ${((Date.now() - started) / 1000).toFixed(1)} s${facts ? `; ${facts}` : ''}`);
  console.log(`${campaign.name} runs ${runs} violations ${violations}`);
  return { campaign: campaign.name, runs, violations, said };
};

/** Runs a campaign in its own process and prints its output at the end. Ending without a result is a violation. */
const playApart = async ({ name }: Campaign): Promise<Count> => {
  const apart = mkdtempSync(join(tmpdir(), 'lantern-faults-'));
  const file = join(apart, 'counts.json');
  const notPassedOn = ['--counts', '--part'];
  const passedOn = process.argv.slice(3).filter((a, i, all) => !notPassedOn.includes(a) && !notPassedOn.includes(all[i - 1] as string));
  const player = spawn(process.execPath, [process.argv[1] as string, name, ...passedOn, '--counts', file]);
  const printed: Buffer[] = [];
  for (const stream of [player.stdout, player.stderr]) stream.on('data', (part: Buffer) => printed.push(part));
  await once(player, 'close');
  process.stdout.write(Buffer.concat(printed));
  try {
    const [count] = JSON.parse(readFileSync(file, 'utf8')) as [Count];
    return count;
  } catch {
    console.log(`  ${name} ended before it had counted`);
    return { campaign: name, runs: 0, violations: 1, said: ['it ended before it had counted'] };
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
};

const playAll = async (): Promise<Count[]> => {
  const counts: Count[] = [];
  const inLanes = async (lanes: number, waiting: Campaign[]) => {
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) counts.push(await playApart(next));
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  const all = [...campaigns.values()].filter(part ? parts[part as keyof typeof parts] : () => true);
  await inLanes(
    2,
    all.filter((c) => !c.alone),
  );
  await inLanes(
    1,
    all.filter((c) => c.alone),
  );
  return counts;
};

const counts: Count[] = chosen ? [await play(chosen)] : await playAll();
const countsFile = argument('counts');
if (countsFile) writeFileSync(countsFile, JSON.stringify(counts));
process.exit(counts.every((c) => c.violations === 0) ? 0 : 1);
