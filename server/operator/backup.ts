import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Pool } from 'pg';
import { migrate, migrationNames } from '#server/db/migrate.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { FileStore } from '#server/files/file-store.ts';
import {
  type BackupFolder,
  BackupRefused,
  databaseName,
  fileName,
  filesFolder,
  type Measure,
  manifestName,
  newBackupFolder,
  openBackupFolder,
} from '#server/operator/backup-folder.ts';

/** The first line of the database file, which is JSON lines: this, then each table with its rows. It can be read without this program. */
type Head = { lantern: 'backup'; version: number; at: string; migration: string; tables: string[] };
type Line = Head | { table: string } | Record<string, unknown>;
/** Number of rows by table. */
type Rows = Record<string, number>;
type BackedUpFile = { file: string; bytes: number /** Where the file was damaged before it was backed up. */; sha256?: string };
/** The first line of the manifest, which is written last: this, the files, and a count with the hash of all lines before it. */
type ManifestHead = { lantern: 'manifest'; version: 2; at: string; migration: string; database: Measure; rows: Rows; files: 'here' | 'elsewhere' };
type ManifestEnd = { files: number; bytes: number; sha256: string };

const rowsAtOnce = 500;

const raw = (text: string): Statement => sql([text] as unknown as TemplateStringsArray);
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Tables in the order in which they can be filled: referenced tables first. */
const tablesInOrder = async (db: Db): Promise<{ name: string; toItself: boolean }[]> => {
  const names = (
    await db.all<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'migrations' order by 1`,
    )
  ).map((t) => t.name);
  const links = await db.all<{ from: string; to: string }>(
    sql`select a.relname as "from", b.relname as "to" from pg_constraint c join pg_class a on a.oid = c.conrelid join pg_class b on b.oid = c.confrelid where c.contype = 'f'`,
  );
  const ordered: string[] = [];
  const visit = (name: string, path: readonly string[]) => {
    if (ordered.includes(name) || path.includes(name)) return;
    for (const link of links) if (link.from === name && link.to !== name) visit(link.to, [...path, name]);
    ordered.push(name);
  };
  for (const name of names) visit(name, []);
  return ordered.map((name) => ({ name, toItself: links.some((l) => l.from === name && l.to === name) }));
};

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Completely written files, by hash. */
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((sub) => sub.isDirectory())
        .flatMap((sub) => readdirSync(join(folder, sub.name)).filter((name) => /^[0-9a-f]{64}$/.test(name)))
        .sort()
    : [];

export type BackedUp = {
  rows: number;
  /** Number of files; null if they are not on disk. */
  files: number | null;
  encrypted: boolean;
  /** Files that no longer match their hash. The backup contains what is left of them. */
  damaged: string[];
};

/**
 * Backs up the database, and the files if they are on disk, into an empty folder, encrypted if there is a passphrase. The
 * manifest is written last, so an interrupted backup has none. Leaves nothing behind on failure.
 */
export const backUp = async (
  db: Db,
  to: string,
  from: { dataFolder: string; filesOnDisk: boolean; now: Date; passphrase?: string | undefined },
): Promise<BackedUp> => {
  const folder = await newBackupFolder(to, from.passphrase);
  try {
    const at = from.now.toISOString();
    const rows: Rows = {};
    let migration = '';
    const database = await db.tx(async (tx) => {
      // A consistent snapshot of all tables.
      await tx.run(sql`set transaction isolation level repeatable read read only`);
      const tables = await tablesInOrder(tx);
      migration = (await tx.one<{ name: string }>(sql`select name from migrations order by name desc limit 1`))?.name ?? '';
      const lines = async function* (): AsyncGenerator<string> {
        const line = (value: Line) => `${JSON.stringify(value)}\n`;
        yield line({ lantern: 'backup', version: 2, at, migration, tables: tables.map((t) => t.name) });
        for (const { name } of tables) {
          yield line({ table: name });
          rows[name] = 0;
          await tx.run(raw(`declare backup_rows no scroll cursor for select to_jsonb(t) as row from ${quoted(name)} t`));
          for (let more = true; more; ) {
            const part = await tx.all<{ row: Record<string, unknown> }>(raw(`fetch ${rowsAtOnce} from backup_rows`));
            rows[name] += part.length;
            if (part.length > 0) yield part.map((p) => line(p.row)).join('');
            more = part.length === rowsAtOnce;
          }
          await tx.run(raw('close backup_rows'));
        }
      };
      const packed = createGzip();
      const [, written] = await Promise.all([pipeline(Readable.from(lines()), packed), folder.write(databaseName, packed)]);
      return written;
    });
    const files: BackedUpFile[] = [];
    const source = join(from.dataFolder, filesFolder);
    for (const file of from.filesOnDisk ? filesIn(source) : []) {
      const written = await folder.write(fileName(file), createReadStream(join(source, file.slice(0, 2), file)));
      files.push({ file, bytes: written.bytes, ...(written.sha256 === file ? {} : { sha256: written.sha256 }) });
    }
    const head: ManifestHead = {
      lantern: 'manifest',
      version: 2,
      at,
      migration,
      database,
      rows,
      files: from.filesOnDisk ? 'here' : 'elsewhere',
    };
    const text = [head, ...files].map((line) => `${JSON.stringify(line)}\n`).join('');
    const end: ManifestEnd = { files: files.length, bytes: sum(files.map((f) => f.bytes)), sha256: sha256(text) };
    await folder.write(manifestName, Readable.from([Buffer.from(text), Buffer.from(`${JSON.stringify(end)}\n`)]));
    return {
      rows: sum(Object.values(rows)),
      files: from.filesOnDisk ? files.length : null,
      encrypted: folder.encrypted,
      damaged: files.filter((f) => f.sha256).map((f) => f.file),
    };
  } catch (error) {
    folder.discard();
    throw error;
  }
};

/** Splits a stream into lines. */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const chunk of source) {
    let from = 0;
    for (let lineEnd = chunk.indexOf(10); lineEnd >= 0; lineEnd = chunk.indexOf(10, from)) {
      begun.push(chunk.subarray(from, lineEnd));
      yield Buffer.concat(begun).toString();
      begun = [];
      from = lineEnd + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString();
}

const tableIn = (line: string): string | undefined => /^\{"table":"([a-z0-9_]+)"\}$/.exec(line)?.[1];
const cutOrAltered = (path: string) => new BackupRefused(`${path} was truncated or altered after it was written.`);

/** Passes each row and its table to `use`. Returns the measure of the database file, to compare with the manifest. */
const readRows = async (
  folder: BackupFolder,
  use: (table: string, row: string | undefined) => Promise<void> | void,
): Promise<{ head: Partial<Head>; rows: Rows; database: Measure }> => {
  let head: Partial<Head> | undefined;
  const rows: Rows = {};
  try {
    const { bytes, sha256 } = await folder.read(databaseName, (source) =>
      pipeline(source, createGunzip(), async (plain: AsyncIterable<Buffer>) => {
        let table = '';
        for await (const line of linesOf(plain)) {
          if (!head) {
            head = JSON.parse(line) as Partial<Head>;
            continue;
          }
          if (line === '') continue;
          const named = tableIn(line);
          if (named) {
            table = named;
            rows[table] = 0;
            await use(table, undefined);
          } else {
            rows[table] = (rows[table] ?? 0) + 1;
            await use(table, line);
          }
        }
      }),
    );
    return { head: head ?? {}, rows, database: { bytes, sha256 } };
  } catch (error) {
    // A zlib error, or invalid JSON.
    if (String((error as { code?: unknown }).code).startsWith('Z_') || error instanceof SyntaxError) throw cutOrAltered(folder.pathOf(databaseName));
    throw error;
  }
};

type Manifest = ManifestHead & { list: BackedUpFile[] };
const readManifest = async (folder: BackupFolder): Promise<Manifest> => {
  const { used: lines } = await folder.read(manifestName, async (source) => {
    const all: string[] = [];
    for await (const line of linesOf(source)) all.push(line);
    return all;
  });
  const path = folder.pathOf(manifestName);
  try {
    const end = JSON.parse(lines.at(-1) ?? '') as Partial<ManifestEnd>;
    const [head, ...list] = lines.slice(0, -1).map((line) => JSON.parse(line)) as [ManifestHead, ...BackedUpFile[]];
    if (
      end.sha256 !==
        sha256(
          lines
            .slice(0, -1)
            .map((line) => `${line}\n`)
            .join(''),
        ) ||
      end.files !== list.length
    )
      throw cutOrAltered(path);
    if (head.lantern !== 'manifest' || head.version !== 2) throw new BackupRefused(`${path} is not of a version that can be read here.`);
    return { ...head, list };
  } catch (error) {
    throw error instanceof BackupRefused ? error : cutOrAltered(path);
  }
};

const isSame = (a: Measure, b: Measure) => a.bytes === b.bytes && a.sha256 === b.sha256;

/** Reads and verifies a whole backup. Throws BackupRefused if anything is missing or altered. */
const wholeBackup = async (folder: BackupFolder): Promise<Manifest & { warnings: string[] }> => {
  const isFinished = folder.has(manifestName);
  const manifest = isFinished ? await readManifest(folder) : undefined;
  const { head, rows, database } = await readRows(folder, () => undefined);
  const path = folder.pathOf(databaseName);
  if (head.lantern !== 'backup' || typeof head.migration !== 'string' || (head.version !== 1 && head.version !== 2))
    throw new BackupRefused(`${path} is not a backup that this version can read.`);
  if (!manifest) {
    if (head.version !== 1 || folder.encrypted)
      throw new BackupRefused(`${folder.pathOf(manifestName)} is missing: this backup was interrupted or copied incompletely. Use another one.`);
    // Without a manifest, missing files cannot be detected.
    const list: BackedUpFile[] = [];
    const damaged: string[] = [];
    for (const file of filesIn(folder.pathOf(filesFolder))) {
      const { bytes, sha256 } = await folder.measure(fileName(file));
      list.push({ file, bytes, ...(sha256 === file ? {} : { sha256 }) });
      if (sha256 !== file) damaged.push(file);
    }
    return {
      lantern: 'manifest',
      version: 2,
      at: head.at ?? '',
      migration: head.migration,
      database,
      rows,
      files: list.length > 0 ? 'here' : 'elsewhere',
      list,
      warnings: [
        'This backup is of an earlier version without a manifest, so missing files cannot be detected. Check afterwards with: npm run operator -- check.',
        ...damaged.map((file) => `${fileName(file)} is damaged.`),
      ],
    };
  }
  if (!isSame(database, manifest.database) || JSON.stringify(rows) !== JSON.stringify(manifest.rows)) throw cutOrAltered(path);
  for (const { file, bytes, sha256 } of manifest.list) {
    if (!isSame(await folder.measure(fileName(file)), { bytes, sha256: sha256 ?? file })) throw cutOrAltered(folder.pathOf(fileName(file)));
  }
  return { ...manifest, warnings: manifest.list.filter((f) => f.sha256).map((f) => `${fileName(f.file)} was damaged before it was backed up.`) };
};

/** Inserts the rows. Must run in a transaction, which the caller rolls back if this throws. */
const putRows = async (tx: Db, folder: BackupFolder, backup: Manifest): Promise<void> => {
  await tx.one(sql`select set_config('lantern.restoring', 'on', true)`);
  const order = new Map((await tablesInOrder(tx)).map((t) => [t.name, t]));
  let table = '';
  let waiting: string[] = [];
  const write = async () => {
    if (waiting.length === 0) return;
    await tx.run(
      sql`insert into ${raw(quoted(table))} overriding system value select * from jsonb_populate_recordset(null::${raw(quoted(table))}, ${`[${waiting.join(',')}]`}::jsonb)`,
    );
    waiting = [];
  };
  const { database } = await readRows(folder, async (named, row) => {
    if (row === undefined) {
      await write();
      if (!order.has(named)) throw new BackupRefused(`The backup contains an unknown table: ${named}.`);
      table = named;
      // Rows created by the schema itself are replaced by the backup's.
      if (await tx.one(raw(`select 1 as one from ${quoted(table)} limit 1`))) await tx.run(raw(`delete from ${quoted(table)}`));
      return;
    }
    waiting.push(row);
    // Rows may refer to others of the same table, so such tables are written in one statement.
    if (waiting.length >= rowsAtOnce && !order.get(table)?.toItself) await write();
  });
  await write();
  if (!isSame(database, backup.database)) throw cutOrAltered(folder.pathOf(databaseName));
  for (const [name, rows] of Object.entries(backup.rows)) {
    const there = await tx.one<{ rows: number }>(raw(`select count(*) as rows from ${quoted(name)}`));
    if (there?.rows !== rows) throw new Error(`${name} has ${there?.rows} rows instead of ${rows}. Nothing was restored.`);
  }
  const counters = await tx.all<{
    table: string;
    column: string;
    counter: string;
  }>(sql`select t.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(t.relname), a.attname) as counter
      from pg_class t join pg_attribute a on a.attrelid = t.oid join pg_namespace n on n.oid = t.relnamespace where n.nspname = 'public' and t.relkind = 'r' and a.attidentity <> ''`);
  for (const { table: of, column, counter } of counters)
    await tx.one(raw(`select setval('${counter}', coalesce((select max(${quoted(column)}) from ${quoted(of)}), 0) + 1, false) as next`));
};

/**
 * Fills an empty database from a backup and migrates it, completely or not at all: the backup is verified against its manifest
 * before anything is written, and again while writing.
 */
export const restore = async (
  { db, pool }: { db: Db; pool: Pool },
  from: string,
  { files, passphrase }: { files: FileStore; passphrase?: string | undefined },
): Promise<{ rows: number; files: number | null; warnings: string[] }> => {
  const used = await db.one<{ there: boolean }>(sql`select to_regclass('public.users') is not null as there`);
  if (used?.there && (await db.one(sql`select 1 as one from users limit 1`)))
    throw new Error('This database already contains people. Restore into an empty one.');
  const folder = await openBackupFolder(from, passphrase);
  const backup = await wholeBackup(folder);
  if (!migrationNames().includes(backup.migration))
    throw new BackupRefused(`This backup is of a newer version (${backup.migration}). Restore it with that version.`);
  await migrate(pool, backup.migration);
  const newest = await db.one<{ name: string }>(sql`select name from migrations order by name desc limit 1`);
  if (newest?.name !== backup.migration)
    throw new Error(
      `This database has already been migrated to ${newest?.name}, but the backup is at ${backup.migration}. Restore into a new database.`,
    );
  // Files first: without rows that refer to them they have no effect.
  for (const { file, sha256 = file } of backup.list) {
    const { used: kept } = await folder.read(fileName(file), (source) => files.putStream(Readable.from(source)));
    if (kept.hash !== sha256) throw cutOrAltered(folder.pathOf(fileName(file)));
  }
  await db.tx((tx) => putRows(tx, folder, backup));
  await migrate(pool);
  return {
    rows: sum(Object.values(backup.rows)),
    files: backup.files === 'here' ? backup.list.length : null,
    warnings: backup.warnings,
  };
};
