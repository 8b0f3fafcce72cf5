import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import readSheets from 'read-excel-file/node';
import { median, report } from '#tests/bench/report.ts';

const rows = Number(process.env.ROWS ?? 100_000);
const rounds = Number(process.env.ROUNDS ?? 5);
const writer = fileURLToPath(new URL('xlsx-process/write.ts', import.meta.url));
/** Deliberately no dependency, not even for development: it is large, and only needed here. */
const peers = fileURLToPath(new URL('../../test-results/peers', import.meta.url));
const version = '4.4.0';

const install = () => {
  if (existsSync(join(peers, 'node_modules/exceljs'))) return;
  mkdirSync(peers, { recursive: true });
  writeFileSync(join(peers, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', `exceljs@${version}`], { cwd: peers, stdio: 'inherit' });
};

type Took = { ms: number; cpu: number; memory: number; base: number; bytes: number };
/** A workbook of 100,000 rows of 12 against the streaming writer of exceljs, each in a process of its own. Targets: 1/4 of its time, 0.6 of its memory. */
export const run = async () => {
  install();
  const folder = mkdtempSync(join(tmpdir(), 'lantern-xlsx-'));
  const file = (by: string) => join(folder, `${by}.xlsx`);
  const write = (by: 'ours' | 'exceljs', count: number): Took =>
    JSON.parse(execFileSync(process.execPath, [writer, by, file(by), String(count), peers], { encoding: 'utf8' })) as Took;
  // Check that the cells are equal before comparing times.
  for (const by of ['ours', 'exceljs'] as const) write(by, 500);
  const [own, other] = await Promise.all(['ours', 'exceljs'].map(async (by) => (await readSheets(readFileSync(file(by))))[0]?.data));
  if (own?.length !== 501 || JSON.stringify(own) !== JSON.stringify(other)) throw new Error('the workbooks differ');
  const took: Record<'ours' | 'exceljs', Took[]> = { ours: [], exceljs: [] };
  for (let i = 0; i < rounds; i++)
    for (const by of i % 2 === 0 ? (['ours', 'exceljs'] as const) : (['exceljs', 'ours'] as const)) took[by].push(write(by, rows));
  const of = (by: 'ours' | 'exceljs', what: (t: Took) => number) => median(took[by].map(what));
  const line = (name: string, unit: string, scale: number, target: string, what: (t: Took) => number) =>
    report(
      name,
      of('ours', what) / scale,
      unit,
      of('ours', what) / of('exceljs', what),
      `${target}exceljs ${version} (${(of('exceljs', what) / scale).toFixed(0)} ${unit})`,
    );
  line(`workbook of ${rows.toLocaleString('en-GB')} × 12`, 'ms', 1, 'target 0.25 of ', (t) => t.ms);
  line('its processor time', 'ms', 1, 'of ', (t) => t.cpu);
  line('its memory above the process', 'MB', 1e6, 'target 0.6 of ', (t) => t.memory - t.base);
  line('memory in all', 'MB', 1e6, 'of ', (t) => t.memory);
  line('its size', 'MB', 1e6, 'of ', (t) => t.bytes);
  rmSync(folder, { recursive: true, force: true });
};
