import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import pg from 'pg';

/** One statement: text with numbered places, and the values for them. Only the `sql` tag makes one. */
export type Statement = { text: string; values: unknown[] };
const isStatement = (v: unknown): v is Statement =>
  typeof v === 'object' && v !== null && 'text' in v && 'values' in v && Object.keys(v).length === 2;

/** Builds a statement; every `${}` becomes a place, or is joined in where it is itself a statement. */
export const sql = (strings: TemplateStringsArray, ...args: unknown[]): Statement => {
  const values: unknown[] = [];
  let text = strings[0] as string;
  args.forEach((arg, i) => {
    if (isStatement(arg)) {
      text += arg.text.replace(/\$(\d+)/g, (_, n: string) => `$${values.length + Number(n)}`);
      values.push(...arg.values);
    } else {
      values.push(arg);
      text += `$${values.length}`;
    }
    text += strings[i + 1];
  });
  return { text, values };
};

/** A time of a row as the contract writes it, for JSON that the database makes. */
export const instant = (column: Statement): Statement => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// Both databases answer the same JavaScript values: whole numbers as numbers, times as ISO strings, days as text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
pg.types.setTypeParser(1082, (day) => day);
pg.types.setTypeParser(1184, (time) => new Date(time).toISOString());

export type Row = Record<string, unknown>;

/** What runs statements: the pool, or one transaction. */
export type Db = {
  /** All rows. */
  all<T = Row>(statement: Statement): Promise<T[]>;
  /** The first row, or undefined. */
  one<T = Row>(statement: Statement): Promise<T | undefined>;
  /** The number of rows touched. */
  run(statement: Statement): Promise<number>;
  /** Runs `work` in one transaction: all of it happens, or none. Inside a transaction it joins that one. */
  tx<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/**
 * Set while a transaction runs. Work inside one must use its `tx`: the embedded database has one session, so a statement
 * beside the transaction would wait for it for ever. It is an error instead, on both databases.
 */
const inTransaction = new AsyncLocalStorage<true>();
const beside = () => {
  if (inTransaction.getStore()) throw new Error('a statement beside its own transaction: use tx');
};

const over = (client: Pick<Pool | PoolClient, 'query'>, tx: Db['tx'], check: () => void = () => undefined): Db => ({
  all: async <T>(s: Statement) => {
    check();
    return (await client.query(s.text, s.values)).rows as T[];
  },
  one: async <T>(s: Statement) => {
    check();
    return (await client.query(s.text, s.values)).rows[0] as T | undefined;
  },
  run: async (s) => {
    check();
    return (await client.query(s.text, s.values)).rowCount ?? 0;
  },
  tx,
});

export const dbOver = (pool: Pool): Db =>
  over(
    pool,
    async (work) => {
      beside();
      const client = await pool.connect();
      let broken = false;
      try {
        await client.query('begin');
        const joined: Db = over(client, (inner) => inner(joined));
        const result = await inTransaction.run(true, () => work(joined));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    beside,
  );

/** The five-character code of a database error, such as 23505, or undefined. */
export const sqlState = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
