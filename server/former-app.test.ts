import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { formerAppFile, keepAppFiles } from '#server/former-app.ts';

let folder: string;
const build = (...names: string[]) => {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'assets'), { recursive: true });
  for (const name of names) writeFileSync(join(dist, 'assets', name), `of ${name}`);
  return dist;
};
const data = () => join(folder, 'data');
const inDays = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lantern-former-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps the files of former builds for two months after they were last in use', async () => {
  await keepAppFiles(build('editor-one.css', 'same.js'), data(), inDays(0));
  await keepAppFiles(build('editor-two.css', 'same.js'), data(), inDays(59));
  const file = await formerAppFile(data(), 'editor-one.css');
  expect(file && (await text(file))).toBe('of editor-one.css');
  await keepAppFiles(build('editor-two.css', 'same.js'), data(), inDays(61));
  expect(readdirSync(join(data(), 'app-files')).sort()).toEqual(['editor-two.css', 'same.js']);
  expect(await formerAppFile(data(), 'editor-one.css')).toBeNull();
});

it('keeps copies that only its own account can read, whoever may read the build', async () => {
  const dist = build('app.js');
  chmodSync(join(dist, 'assets', 'app.js'), 0o644);
  await keepAppFiles(dist, data(), inDays(0));
  expect(statSync(join(data(), 'app-files', 'app.js')).mode & 0o077).toBe(0);
});

it('serves nothing else', async () => {
  await keepAppFiles(build('app.js', 'app.js.map'), data(), inDays(0));
  writeFileSync(join(data(), 'secret.js'), 'secret');
  for (const name of ['../secret.js', '..', '.', '', 'app.js.map', 'app.js/', 'none.js']) expect(await formerAppFile(data(), name)).toBeNull();
});
