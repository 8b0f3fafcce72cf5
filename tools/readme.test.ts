import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const said = (pattern: RegExp, between: string) => (pattern.exec(readme)?.[1] ?? '').split(between).sort();

it('the README names every feature of the client', () => {
  expect(said(/one folder per feature: (.*)/, ', ')).toEqual(readdirSync(new URL('src/features', root)).sort());
});

it('the README names every benchmark', () => {
  const files = readdirSync(new URL('tests/bench', root)).filter((file) => file.endsWith('.bench.ts'));
  expect(said(/npm run bench \[(.*?)\]/, '\\|')).toEqual(files.map((file) => file.replace('.bench.ts', '')).sort());
});
