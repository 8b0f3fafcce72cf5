import { readdirSync } from 'node:fs';

/** `npm run bench [name …]`: runs the benchmarks and prints `name value unit ratio baseline`. */
const wanted = process.argv.slice(2);
const folder = new URL('.', import.meta.url);
for (const file of readdirSync(folder).filter((f) => f.endsWith('.bench.ts'))) {
  const name = file.replace('.bench.ts', '');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const { run } = (await import(new URL(file, folder).href)) as { run: () => Promise<void> };
  await run();
}
process.exit(0);
