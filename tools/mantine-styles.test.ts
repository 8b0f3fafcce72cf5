import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Their buttons for more and less are left out everywhere. */
const withoutTheirs = ['NumberInput'];

it('brings the styles of each component of the library that is used: without them it is a bare box', () => {
  const sources = globSync('src/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
  const used = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
    ),
  );
  const brought = new Set(sources.flatMap((source) => [...source.matchAll(/@mantine\/core\/styles\/(\w+)\.css/g)].map(([, name]) => name)));
  const styled = [...used].filter((name) => existsSync(`node_modules/@mantine/core/styles/${name}.css`));
  expect(styled).toContain('Switch');
  expect(styled.filter((name) => !brought.has(name) && !withoutTheirs.includes(name))).toEqual([]);
});
