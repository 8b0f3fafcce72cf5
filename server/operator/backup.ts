import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Pool } from 'pg';
import { migrate } from '#server/db/migrate.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** The database as lines of JSON: first what it is, then each table with its rows. It can be read without this program. */
type Head = { lantern: 'backup'; version: 1; at: string; migration: string; tables: string[] };
type Line = Head | { table: string } | Record<string, unknown>;

const databaseFile = 'database.jsonl.gz';
const filesFolder = 'files';
const rowsAtOnce = 500;

const raw = (text: string): Statement => sql([text] as unknown as TemplateStringsArray);
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Tables in the order in which they can be filled: what others point at comes first. */
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

/** Writes the database, and the files where they lie on disk, into an empty folder. Answers how many rows and files. */
export const backUp = async (
  db: Db,
  to: string,
  from: { dataFolder: string; filesOnDisk: boolean; now: Date },
): Promise<{ rows: number; files: boolean }> => {
  if (existsSync(to) && readdirSync(to).length > 0) throw new Error(`${to} is not empty. Choose a new folder.`);
  mkdirSync(to, { recursive: true });
  let rows = 0;
  await db.tx(async (tx) => {
    // All tables as they are at one moment.
    await tx.run(sql`set transaction isolation level repeatable read read only`);
    const tables = await tablesInOrder(tx);
    const last = await tx.one<{ name: string }>(sql`select name from migrations order by name desc limit 1`);
    const lines = async function* (): AsyncGenerator<string> {
      const line = (value: Line) => `${JSON.stringify(value)}\n`;
      yield line({ lantern: 'backup', version: 1, at: from.now.toISOString(), migration: last?.name ?? '', tables: tables.map((t) => t.name) });
      for (const { name } of tables) {
        yield line({ table: name });
        await tx.run(raw(`declare backup_rows no scroll cursor for select to_jsonb(t) as row from ${quoted(name)} t`));
        for (let more = true; more; ) {
          const part = await tx.all<{ row: Record<string, unknown> }>(raw(`fetch ${rowsAtOnce} from backup_rows`));
          rows += part.length;
          if (part.length > 0) yield part.map((p) => line(p.row)).join('');
          more = part.length === rowsAtOnce;
        }
        await tx.run(raw('close backup_rows'));
      }
    };
    await pipeline(Readable.from(lines()), createGzip(), createWriteStream(join(to, databaseFile), { flush: true }));
  });
  const source = join(from.dataFolder, filesFolder);
  const files = from.filesOnDisk && existsSync(source);
  if (files) await cp(source, join(to, filesFolder), { recursive: true });
  return { rows, files };
};

/** Fills an empty database from a backup, and brings it up to date. All of it, or nothing. */
export const restore = async (
  { db, pool }: { db: Db; pool: Pool },
  from: string,
  to: { dataFolder: string; filesOnDisk: boolean },
): Promise<{ rows: number; files: boolean }> => {
  const path = join(from, databaseFile);
  if (!existsSync(path)) throw new Error(`There is no ${databaseFile} in ${from}.`);
  const reader = createInterface({ input: createReadStream(path).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY });
  const lines = reader[Symbol.asyncIterator]();
  const head = JSON.parse((await lines.next()).value ?? '{}') as Partial<Head>;
  if (head.lantern !== 'backup' || head.version !== 1 || !head.migration) throw new Error(`${path} is not a backup that this version can read.`);
  const used = await db.one<{ there: boolean }>(sql`select to_regclass('public.users') is not null as there`);
  if (used?.there && (await db.one(sql`select 1 as one from users limit 1`)))
    throw new Error('This database is in use: people are in it. Restore into an empty one.');
  await migrate(pool, head.migration);
  let rows = 0;
  await db.tx(async (tx) => {
    await tx.one(sql`select set_config('lantern.restoring', 'on', true)`);
    const order = new Map((await tablesInOrder(tx)).map((t) => [t.name, t]));
    let table = '';
    let waiting: string[] = [];
    const write = async () => {
      if (waiting.length === 0) return;
      await tx.run(
        sql`insert into ${raw(quoted(table))} overriding system value select * from jsonb_populate_recordset(null::${raw(quoted(table))}, ${`[${waiting.join(',')}]`}::jsonb)`,
      );
      rows += waiting.length;
      waiting = [];
    };
    for await (const line of { [Symbol.asyncIterator]: () => lines }) {
      if (line === '') continue;
      const named = /^\{"table":"([a-z0-9_]+)"\}$/.exec(line)?.[1];
      if (named) {
        await write();
        if (!order.has(named)) throw new Error(`The backup has a table that is not known here: ${named}.`);
        table = named;
        // What the schema itself has put there comes from the backup.
        if (await tx.one(raw(`select 1 as one from ${quoted(table)} limit 1`))) await tx.run(raw(`delete from ${quoted(table)}`));
        continue;
      }
      waiting.push(line);
      // A row may point at another of its own table: those go in together.
      if (waiting.length >= rowsAtOnce && !order.get(table)?.toItself) await write();
    }
    await write();
    const counters = await tx.all<{
      table: string;
      column: string;
      counter: string;
    }>(sql`select t.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(t.relname), a.attname) as counter
      from pg_class t join pg_attribute a on a.attrelid = t.oid join pg_namespace n on n.oid = t.relnamespace where n.nspname = 'public' and t.relkind = 'r' and a.attidentity <> ''`);
    for (const { table: of, column, counter } of counters)
      await tx.one(raw(`select setval('${counter}', coalesce((select max(${quoted(column)}) from ${quoted(of)}), 0) + 1, false) as next`));
  });
  await migrate(pool);
  const source = join(from, filesFolder);
  const files = to.filesOnDisk && existsSync(source);
  if (files) await cp(source, join(to.dataFolder, filesFolder), { recursive: true });
  return { rows, files };
};
