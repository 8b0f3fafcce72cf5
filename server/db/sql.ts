import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import pg from 'pg';
import { beyondScope, isScoped, liftingScope, ownerHere, scopeHere, tellScope } from '#server/db/scope.ts';
import { turnsOf } from '#server/db/turns.ts';

/** One statement: text with numbered parameters, and their values. Only the `sql` tag makes one. */
export type Statement = { text: string; values: unknown[] };
/** Statements run so often that each connection keeps them prepared. Keyed by text, so none whose text varies. */
const preparedNames = new Map<string, string>();
/** Marks a statement to be prepared once per connection. Not for lists: their best plan depends on the values. */
export const often = (statement: Statement): Statement => {
  if (!preparedNames.has(statement.text)) preparedNames.set(statement.text, `often_${preparedNames.size}`);
  return statement;
};
const asQuery = ({ text, values }: Statement) => {
  const name = preparedNames.get(text);
  return name === undefined ? { text, values } : { name: isScoped() ? `${name}_scoped` : name, text, values };
};
const isStatement = (v: unknown): v is Statement =>
  typeof v === 'object' && v !== null && 'text' in v && 'values' in v && Object.keys(v).length === 2;

type Single = string | number | boolean | Date | null;
/** What a statement accepts as a parameter. An object, a function that was not called, or undefined does not compile. */
export type Value = Single | readonly Single[] | Uint8Array | Statement;

/** Builds a statement; every `${}` becomes a parameter, or is inlined if it is itself a statement. */
export const sql = (strings: TemplateStringsArray, ...args: Value[]): Statement => {
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

/** The name of a table or column as part of a statement. Only names from the source code, in lower case. */
export const word = (name: string): Statement => {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a name in the database: ${name}`);
  return { text: name, values: [] };
};

/** A time column as the contract formats it, for JSON built by the database. */
export const instant = (column: Statement): Statement => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// Both databases return the same JavaScript values: integers as numbers, times as ISO strings, days as text.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
pg.types.setTypeParser(1082, (day) => day);
pg.types.setTypeParser(1184, (time) => new Date(time).toISOString());

export type Row = Record<string, unknown>;

/** Runs statements: the pool, or one transaction. */
export type Db = {
  /** All rows. */
  all<T = Row>(statement: Statement): Promise<T[]>;
  /** All rows as raw values, in the order of the columns: for many that are only passed on. Times and days are not converted. */
  written(statement: Statement): Promise<(string | null)[][]>;
  /** The first row, or undefined. */
  one<T = Row>(statement: Statement): Promise<T | undefined>;
  /** The number of rows touched. */
  run(statement: Statement): Promise<number>;
  /**
   * Runs `work` in one transaction: all of it happens, or none. Inside a transaction it joins that one. Its statements run one after the
   * other in the order they are made; those made together (`Promise.all`) are pipelined.
   */
  tx<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Statements of `work` see the whole database, within the same transaction: for the few changes of a request that belong to another
   * organisation and must happen with it or not at all. The caller has checked that it may make them, names the rows, and runs nothing beside
   * `work` (a statement made beside it fails). What `work` reads must not be answered to anybody.
   */
  beyond<T>(work: (db: Db) => Promise<T>): Promise<T>;
};

/**
 * Set while a transaction runs. Work inside one must use its `tx`: the embedded database has one session, so a statement beside the
 * transaction would wait for it for ever. It is an error instead, on both databases.
 */
const inTransaction = new AsyncLocalStorage<true>();
const beside = () => {
  if (inTransaction.getStore()) throw new Error('a statement beside its own transaction: use tx');
};

/** The database is unreachable or out of resources: not the caller's fault, and worth a retry. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}
const unavailable =
  (what: string) =>
  (cause: Error): never => {
    throw new DatabaseUnavailable(`${what}: ${cause.message}`, { cause });
  };
/** The driver's messages for a lost connection. */
const brokenConnection =
  /^(Connection (terminated|ended)|Client (has encountered a connection error|was closed)|This socket has been ended|(read|write|connect) E[A-Z]+)/;
/**
 * Too few resources (full disk, memory, connections), a database that is stopping or starting, and failed input or output. 25006: it only
 * reads, as a standby does until it is promoted, and as the former primary does afterwards.
 */
const unavailableStates = /^(53|57P|58|08|25006)/;
/** A connection to a database that stops, or only reads, is not used again: the next one may lead to another server. */
const lostStates = /^(57P|08|25006)/;

const asWritten = { rowMode: 'array', types: { getTypeParser: () => (value: unknown) => value } } as object;
type Query = (s: Statement, how?: object) => Promise<{ rows: unknown[]; rowCount: number | null }>;
/** A script of several statements has a result for each. */
const rowsOf = (result: Awaited<ReturnType<Query>>) => (Array.isArray(result) ? result.flatMap((r: { rows: unknown[] }) => r.rows) : result.rows);
const over = (query: Query, tx: Db['tx'], beyond: Db['beyond']): Db => ({
  all: async <T>(s: Statement) => rowsOf(await query(s)) as T[],
  written: async (s) => (await query(s, asWritten)).rows as (string | null)[][],
  one: async <T>(s: Statement) => (await query(s)).rows[0] as T | undefined,
  run: async (s) => (await query(s)).rowCount ?? 0,
  ...{ tx, beyond },
});

/** Sends statements to a connection before the previous one is answered; they run in order. The embedded database gets one at a time. */
const inOrder = (client: PoolClient): ((statement: QueryConfig) => Promise<QueryResult>) => {
  if (client.pipeline) return (statement) => client.query(statement);
  let last: Promise<unknown> = Promise.resolve();
  return (statement) => {
    const result = last.then(() => client.query(statement));
    last = result.catch(() => undefined);
    return result;
  };
};

/** A request that gets no turn within this time is answered with 503. */
const turnWithinMs = 60_000;

/** The database as the caller sees it (see scope.ts): each statement and transaction runs in the scope in which it is made. */
export const dbOver = (pool: Pool): Db => {
  // A broken connection rejects its statements and emits an error later; unhandled, that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Requests of one organisation use at most half of the connections, or four of a few: however much it asks at once, some are left to others.
  // The embedded database has one, whose users wait for one another in any case.
  const most = pool.options.max ?? 1;
  const takeTurn = most > 1 ? turnsOf(Math.max(Math.floor(most / 2), Math.min(most - 1, 4)), turnWithinMs) : null;
  const withClient = async <T>(work: (client: PoolClient, lose: () => void) => Promise<T>, begin = false): Promise<T> => {
    beside();
    const owner = ownerHere();
    const endTurn = owner === null || !takeTurn ? () => undefined : await takeTurn(owner).catch(unavailable('the database is busy'));
    const client = await pool.connect().catch((cause: Error) => {
      endTurn();
      return unavailable('the database cannot be reached')(cause);
    });
    let lost = false;
    const lose = () => {
      lost = true;
    };
    try {
      await tellScope(client, begin).catch((error) => {
        lose();
        throw error;
      });
      return await work(client, lose);
    } catch (cause) {
      const state = sqlState(cause) ?? '';
      const broken = brokenConnection.test((cause as Error).message);
      if (broken || lostStates.test(state)) lose();
      if (broken || unavailableStates.test(state))
        throw new DatabaseUnavailable(`the database is out of service: ${(cause as Error).message}`, { cause });
      throw cause;
    } finally {
      client.release(lost);
      endTurn();
    }
  };
  const pooled: Db = over(
    (s, how) =>
      withClient((client, lose) =>
        client.query({ ...asQuery(s), ...how }).catch((error) => {
          // A script that failed within its own transaction has left it open.
          if (/^\s*begin\b/i.test(s.text)) lose();
          throw error;
        }),
      ),
    (work) =>
      withClient(async (client, lose) => {
        const began = scopeHere();
        let scope = began;
        const query = inOrder(client);
        let ended = false;
        const end = (how: 'commit' | 'rollback') => {
          ended = true;
          return query({ text: how });
        };
        const joined: Db = over(
          async (s, how) => {
            if (scopeHere() !== scope) throw new Error('a transaction stays in the scope that it was begun in');
            // One of several pipelined statements has failed while others continue: none of it may be committed.
            if (ended) throw new Error('a statement after the end of its transaction');
            return query({ ...asQuery(s), ...how });
          },
          (inner) => inner(joined),
          async (inner) => {
            const lifting = liftingScope();
            if (!lifting) return inner(joined);
            if (scope !== began) throw new Error('the scope of this transaction is lifted already');
            // From here on a statement made beside `work` is refused, before it could run without a scope.
            scope = lifting.scope;
            try {
              await query(lifting.lift);
              return await beyondScope(() => inner(joined));
            } finally {
              scope = began;
              // After a failed statement the transaction accepts no other, and its rollback restores the scope.
              await query(lifting.restore).catch(() => undefined);
            }
          },
        );
        try {
          const result = await inTransaction.run(true, () => work(joined));
          await end('commit');
          return result;
        } catch (error) {
          await end('rollback').catch(lose);
          throw error;
        }
      }, true),
    (work) => beyondScope(() => work(pooled)),
  );
  return pooled;
};

/** The five-character code of a database error, such as 23505, or undefined. */
export const sqlState = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
