import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { backUp, restore } from '#server/operator/backup.ts';
import { deriveKeys, newSalt, opened, sealed } from '#server/operator/sealed-stream.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';

// Key derivation is slow by design.
vi.setConfig({ testTimeout: 60_000 });
const passphrase = 'four words of my own';
const root = mkdtempSync(join(tmpdir(), 'lantern-backup-'));
const at = (...names: string[]) => join(root, ...names);
let data: string;
let emptyFolder: string;
let source: OpenDatabase;
let target: OpenDatabase;
let rows: number;

beforeAll(async () => {
  // Durability after a power cut is not tested here.
  vi.stubEnv('LANTERN_TEST_NO_FLUSH', 'true');
  data = await demoFolder();
  emptyFolder = at('target');
  source = await openDatabase({ DATA_DIR: data });
  target = await openDatabase({ DATA_DIR: emptyFolder });
  // More than one chunk of an encrypted file.
  await createFileStore(join(data, 'files')).put(randomBytes(200_000));
  mkdirSync(join(data, 'files', 'ab'), { recursive: true });
  writeFileSync(join(data, 'files', 'ab', 'what is still being written.part'), 'half');
  const from = { dataFolder: data, filesOnDisk: true, now: new Date() };
  ({ rows } = await backUp(source.db, at('plain'), from));
  await backUp(source.db, at('sealed'), { ...from, passphrase });
  await backUp(source.db, at('other'), { ...from, passphrase });
}, 120_000);
afterAll(async () => {
  await source.close();
  await target.close();
  for (const folder of [root, data]) rmSync(folder, { recursive: true, force: true });
}, 60_000);

const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const largest = (folder: string): string => pathsIn(join(folder, 'files')).reduce((a, b) => (statSync(a).size >= statSync(b).size ? a : b));
const change = (path: string, by: (bytes: Buffer) => Buffer) => writeFileSync(path, by(readFileSync(path)));
const flipped = (bytes: Buffer): Buffer => {
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] as number) ^ 1;
  return bytes;
};
let copies = 0;
const copyOf = (kind: string): string => {
  const copy = at(`copy-${copies++}`);
  cpSync(at(kind), copy, { recursive: true });
  return copy;
};
const bring = (from: string, words?: string, into = target, folder = emptyFolder) =>
  restore(into, from, { files: createFileStore(join(folder, 'files')), passphrase: words });
const refusal = async (from: string, words?: string): Promise<string> => {
  const said = await bring(from, words).then(
    () => 'restored',
    (error: Error) => error.message,
  );
  // Nothing was created at the target.
  expect(await target.db.one(sql`select count(*) as tables from information_schema.tables where table_schema = 'public'`)).toEqual({ tables: 0 });
  expect(existsSync(join(emptyFolder, 'files'))).toBe(false);
  return said;
};

describe('a backup', () => {
  it('is readable only by its owner, and reveals nothing if encrypted', () => {
    const modes = (folder: string) => [
      ...new Set([folder, ...readdirSync(folder, { recursive: true }).map((n) => join(folder, String(n)))].map((p) => statSync(p).mode & 0o777)),
    ];
    if (process.platform !== 'win32') for (const kind of ['plain', 'sealed']) expect(modes(at(kind)).sort()).toEqual([0o600, 0o700]);
    const names = pathsIn(at('plain', 'files')).map((path) => path.slice(-64));
    expect(names).toHaveLength(readdirSync(join(data, 'files'), { recursive: true }).filter((n) => /[0-9a-f]{64}$/.test(String(n))).length);
    const all = pathsIn(at('sealed')).map((path) => path + readFileSync(path, 'latin1'));
    for (const text of all) for (const secret of [...names, 'willowbrook.test', passphrase]) expect(text.includes(secret)).toBe(false);
    expect(gunzipSync(readFileSync(at('plain', 'database.jsonl.gz'))).includes('willowbrook.test')).toBe(true);
  });

  const damages: Record<string, (folder: string, end: string) => void> = {
    'whose rows are cut': (folder, end) => truncateSync(join(folder, `database.jsonl.gz${end}`), 5000),
    'whose rows are altered': (folder, end) => change(join(folder, `database.jsonl.gz${end}`), flipped),
    'with something behind its rows': (folder, end) =>
      change(join(folder, `database.jsonl.gz${end}`), (b) => Buffer.concat([b, Buffer.alloc(70_000)])),
    'without its rows': (folder, end) => rmSync(join(folder, `database.jsonl.gz${end}`)),
    'that was interrupted': (folder, end) => renameSync(join(folder, `manifest.jsonl${end}`), join(folder, `manifest.jsonl${end}.part`)),
    'whose manifest is cut': (folder, end) => change(join(folder, `manifest.jsonl${end}`), (b) => b.subarray(0, b.length - 40)),
    'whose manifest is altered': (folder, end) => change(join(folder, `manifest.jsonl${end}`), flipped),
    'whose manifest has forgotten a file': (folder, end) =>
      change(join(folder, `manifest.jsonl${end}`), (bytes) => {
        if (end !== '') return bytes.subarray(1);
        const [head, , ...others] = bytes.toString().trim().split('\n');
        const counted = JSON.parse(others.pop() as string) as { files: number };
        return Buffer.from([head, ...others, JSON.stringify({ ...counted, files: counted.files - 1 }), ''].join('\n'));
      }),
    'without one of its files': (folder) => rmSync(pathsIn(join(folder, 'files'))[0] as string),
    'with a file that is cut': (folder) => truncateSync(largest(folder), 100_000),
    'with a file that is altered': (folder) => change(largest(folder), flipped),
    'with a file in the place of another': (folder) =>
      cpSync(largest(folder), pathsIn(join(folder, 'files')).find((p) => p !== largest(folder)) as string),
  };
  const clear = /(was truncated or altered|is missing|cannot be decrypted|There is no database)/;
  describe.each(Object.entries(damages))('%s', (_, damage) => {
    it.each([
      ['plain', '', undefined],
      ['sealed', '.sealed', passphrase],
    ])('is refused before anything is written (%s)', async (kind, end, words) => {
      const copy = copyOf(kind);
      damage(copy, end);
      const said = await refusal(copy, words);
      expect(said).toMatch(clear);
      expect(said).toContain(copy);
    });
  });

  const piece = 65_536 + 16;
  it.each<[string, (folder: string) => void]>([
    ['a file that ends after one of its pieces', (folder) => truncateSync(largest(folder), piece)],
    [
      'a file whose pieces were put in another order',
      (folder) => change(largest(folder), (b) => Buffer.concat([b.subarray(piece, 2 * piece), b.subarray(0, piece), b.subarray(2 * piece)])),
    ],
    [
      'the rows of another backup with the same passphrase',
      (folder) => cpSync(at('other', 'database.jsonl.gz.sealed'), join(folder, 'database.jsonl.gz.sealed')),
    ],
    [
      'the manifest of another backup with the same passphrase',
      (folder) => cpSync(at('other', 'manifest.jsonl.sealed'), join(folder, 'manifest.jsonl.sealed')),
    ],
  ])('that is encrypted is refused with %s', async (_, damage) => {
    const copy = copyOf('sealed');
    damage(copy);
    expect(await refusal(copy, passphrase)).toMatch(/cannot be decrypted: it was truncated or altered, or belongs to another backup/);
  });

  it('opens only with its passphrase, and tells a wrong passphrase from an altered key file', async () => {
    expect(await refusal(at('sealed'))).toMatch(/is encrypted. Set BACKUP_PASSPHRASE/);
    expect(await refusal(at('sealed'), `${passphrase} `)).toMatch(/not the passphrase/);
    expect(await refusal(at('plain'), passphrase)).toMatch(/is not encrypted/);
    const copy = copyOf('sealed');
    change(join(copy, 'key.json'), (b) => b.subarray(0, 60));
    expect(await refusal(copy, passphrase)).toMatch(/key.json was truncated or altered/);
    rmSync(join(copy, 'key.json'));
    expect(await refusal(copy, passphrase)).toMatch(/key.json is missing/);
  });

  /** A backup of the previous version, without a manifest. */
  const earlier = (change: (text: string) => string = (text) => text): string => {
    const copy = copyOf('plain');
    rmSync(join(copy, 'manifest.jsonl'));
    const path = join(copy, 'database.jsonl.gz');
    writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(path)).toString().replace('"version":2', '"version":1'))));
    return copy;
  };
  it('of a newer version is refused, and so is a truncated one of an earlier version', async () => {
    const newer = earlier((text) => text.replace(/"migration":"[^"]+"/, '"migration":"9999_later.sql"'));
    expect(await refusal(newer)).toMatch(/of a newer version \(9999_later.sql\)/);
    const cut = earlier();
    truncateSync(join(cut, 'database.jsonl.gz'), 5000);
    expect(await refusal(cut)).toMatch(/truncated or altered/);
  });

  it('is restored completely from either kind, and from an earlier version with a warning', async () => {
    const ids = () => source.db.all(sql`select to_jsonb(u) as row from users u order by id`);
    const damaged = earlier();
    change(largest(damaged), flipped);
    for (const [from, words, warnings] of [
      [at('plain'), undefined, []],
      [at('sealed'), passphrase, []],
      [damaged, undefined, [expect.stringMatching(/without a manifest/), expect.stringMatching(/is damaged/)]],
    ] as const) {
      const folder = mkdtempSync(at('back-'));
      const database = await openDatabase({ DATA_DIR: folder });
      expect(await bring(from, words, database, folder)).toEqual({ rows, files: pathsIn(at('plain', 'files')).length, warnings });
      expect(await database.db.all(sql`select to_jsonb(u) as row from users u order by id`)).toEqual(await ids());
      await expect(bring(from, words, database, folder)).rejects.toThrow('already contains people');
      await database.close();
      const kept = (of: string) => pathsIn(join(of, 'files')).map((path) => path.slice(-64));
      if (from !== damaged) expect(kept(folder)).toEqual(kept(at('plain')));
      expect(pathsIn(folder).filter((path) => path.endsWith('.part'))).toEqual([]);
    }
  }, 120_000);

  it('is not restored into a database created by a newer server', async () => {
    const folder = at('newer');
    const database = await openDatabase({ DATA_DIR: folder });
    await migrate(database.pool);
    const old = earlier((text) => text.replace(/"migration":"[^"]+"/, '"migration":"0001_foundation.sql"'));
    await expect(bring(old, undefined, database, folder)).rejects.toThrow(/has already been migrated to .+Restore into a new database/);
    await database.close();
  }, 60_000);

  it('that fails leaves nothing behind; a folder in use is not touched', async () => {
    const to = at('fails');
    const broken = { dataFolder: data, filesOnDisk: true, now: new Date(Number.NaN) };
    await expect(backUp(source.db, to, broken)).rejects.toThrow();
    expect(existsSync(to)).toBe(false);
    mkdirSync(to);
    writeFileSync(join(to, 'database.jsonl.gz.part'), '');
    await expect(backUp(source.db, to, { ...broken, now: new Date() })).rejects.toThrow(/is not empty: it contains an unfinished backup/);
    expect(readdirSync(to)).toEqual(['database.jsonl.gz.part']);
  });

  it('contains what is left of a damaged file, and reports it', async () => {
    const to = at('with damage');
    const store = createFileStore(join(data, 'files'));
    const hash = await store.put(Buffer.from('as it was stored'));
    const path = join(data, 'files', hash.slice(0, 2), hash);
    writeFileSync(path, 'as it is now');
    const done = await backUp(source.db, to, { dataFolder: data, filesOnDisk: true, now: new Date() });
    rmSync(path);
    expect(done.damaged).toEqual([hash]);
    expect(readFileSync(join(to, 'files', hash.slice(0, 2), hash), 'utf8')).toBe('as it is now');
  });
});

describe('an encrypted file', () => {
  it('of any length decrypts to the original, and not with a missing or extra chunk', async () => {
    const key = (await deriveKeys(passphrase, newSalt())).keyOf('a file');
    const all = async (source: AsyncIterable<Buffer>) => Buffer.concat(await Readable.from(source).toArray());
    for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000]) {
      const bytes = randomBytes(length);
      const chunks = Readable.from(Array.from({ length: Math.ceil(length / 50_000) }, (_, i) => bytes.subarray(i * 50_000, (i + 1) * 50_000)));
      const shut = await all(sealed(key)(chunks));
      expect(shut.length).toBe(length + 16 * Math.max(1, Math.ceil(length / 65_536)));
      expect((await all(opened(key)(Readable.from([shut])))).equals(bytes), String(length)).toBe(true);
      for (const other of [shut.subarray(0, -16), shut.subarray(0, 65_552 - 1), Buffer.concat([shut, randomBytes(16)])])
        if (other.length !== shut.length || !other.equals(shut))
          await expect(all(opened(key)(Readable.from([other]))), String(length)).rejects.toThrow();
    }
  });
});
