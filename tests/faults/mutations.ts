import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Mutation, mutations } from '#tests/faults/mutation-list.ts';

/**
 * `npm run mutations [number …]`: reintroduces known bugs one at a time in a copy of the sources and runs the test that must
 * catch each. Ends with `mutations N caught N`; exits with 1 if one was not caught or its place in the source no longer exists.
 */

const root = new URL('../../', import.meta.url).pathname;
const copy = mkdtempSync(join(tmpdir(), 'lantern-mutations-'));
for (const file of spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean)) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(join(root, file), join(copy, file));
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
/** Several times the duration of the longest campaign: on a busy machine a timeout proves neither that a bug was caught nor that it was missed. */
const timeout = 900_000;
type Outcome = 'green' | 'red' | 'unfinished';
/** The outcome of its test, with its name. */
const runs = ({ caught: [command = '', ...rest] }: Mutation): { outcome: Outcome; text: string } => {
  const args = rest.at(-1) === '' && rest.at(-2) === '-t' ? rest.slice(0, -2) : rest;
  const { status } = spawnSync(command, args, { cwd: copy, encoding: 'utf8', timeout });
  return { outcome: status === 0 ? 'green' : status === null ? 'unfinished' : 'red', text: args.slice(0, 6).join(' ') };
};
const before = new Map<string, Outcome>();
const wanted = process.argv.slice(2).map(Number);
let caught = 0;
const chosen = mutations.filter((_, i) => wanted.length === 0 || wanted.includes(i + 1));
for (const m of chosen) {
  const path = join(copy, m.file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(m.from)) {
    console.log(`  GONE    ${m.bug}: its place in ${m.file} is not there any more`);
    continue;
  }
  // A test that fails without the bug proves nothing.
  const key = m.caught.join(' ');
  const without = before.get(key) ?? runs(m).outcome;
  before.set(key, without);
  if (without !== 'green') {
    console.log(`  RED     ${m.bug}: its test is ${without} without it`);
    continue;
  }
  writeFileSync(path, source.replace(m.from, m.to));
  const { outcome, text } = runs(m);
  writeFileSync(path, source);
  if (outcome === 'red') caught++;
  console.log(`  ${outcome === 'red' ? 'caught ' : outcome === 'green' ? 'MISSED ' : 'SLOW   '} ${m.bug} (${text})`);
}
rmSync(copy, { recursive: true, force: true });
console.log(`mutations ${chosen.length} caught ${caught}`);
process.exit(caught === chosen.length ? 0 : 1);
