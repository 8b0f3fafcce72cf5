import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';

/** In whose name statements run: the person, the organisation they belong to, and the one they act for. Ids. */
export type Scope = { user: string; home: string; place: string };

const scopes = new AsyncLocalStorage<Scope | null>();

/** Every statement of `work` sees and changes only what this person may see and change (row-level security, migration 0021). */
export const withinScope = <T>(scope: Scope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work);

/**
 * Statements of `work` see the whole database: for what the server itself needs to know beyond the caller's organisation. Their results
 * must not be answered to anybody.
 */
export const beyondScope = <T>(work: () => Promise<T>): Promise<T> => scopes.run(null, work);

/** The role that runs the statements of a request. */
export const scopedRole = 'lantern_scoped';
/** Time limit of a statement made for a request: one request must not hold up the others. The server's own work is not limited. */
const requestStatementMs = '20000';
const whole = 'whole';
/** The scope last set on each connection; nothing for a new one. */
const scopeOf = new WeakMap<PoolClient, string>();

/** Whether statements run in somebody's name here. */
export const isScoped = (): boolean => Boolean(scopes.getStore());

/** The organisation of the person in whose name statements run here; null where nobody's. */
export const ownerHere = (): string | null => scopes.getStore()?.home ?? null;

/** The current scope, as a string to compare. */
export const scopeHere = (): string => {
  const scope = scopes.getStore();
  return scope ? `${scope.user} ${scope.home} ${scope.place}` : whole;
};

/** Sets the scope until the end of the transaction. */
const settingLocally = (scope: Scope | null) => ({
  text: `select set_config('role', $1, true), set_config('lantern.user', $2, true), set_config('lantern.home', $3, true), set_config('lantern.place', $4, true)`,
  values: scope ? [scopedRole, scope.user, scope.home, scope.place] : ['none', '', '', ''],
});

/**
 * The statements that lift the current scope within a transaction and restore it, and the scope between them; null where there is none. Both
 * last until the end of the transaction, so a rollback leaves the connection in the scope that it had. The time limit stays.
 */
export const liftingScope = () => {
  const scope = scopes.getStore();
  return scope ? { lift: settingLocally(null), restore: settingLocally(scope), scope: whole } : null;
};

/**
 * Sets the scope of a connection, and begins a transaction if asked. Only outside a transaction: a rollback would undo it. If it fails, the
 * connection must be discarded: a transaction may have begun.
 */
export const tellScope = async (client: PoolClient, begin = false): Promise<void> => {
  const wantedScope = scopeHere();
  // The embedded database has one session, which outlives its connections: a new one inherits what the last one left.
  if (!scopeOf.has(client)) {
    await client.query('rollback');
    await client.query('discard all');
    scopeOf.set(client, whole);
  }
  const scope = scopes.getStore();
  const telling = {
    name: 'scope',
    text: `select set_config('role', $1, false), set_config('lantern.user', $2, false), set_config('lantern.home', $3, false), set_config('lantern.place', $4, false), set_config('statement_timeout', $5, false)`,
    values: scope ? [scopedRole, scope.user, scope.home, scope.place, requestStatementMs] : ['none', '', '', '', '0'],
  };
  const pending: Promise<unknown>[] = [];
  for (const statement of [...(scopeOf.get(client) === wantedScope ? [] : [telling]), ...(begin ? [{ text: 'begin' }] : [])]) {
    const answered = client.query(statement);
    if (client.pipeline) pending.push(answered);
    else await answered;
  }
  await Promise.all(pending);
  scopeOf.set(client, wantedScope);
};
