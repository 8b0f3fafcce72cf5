import type { Pool, PoolClient } from 'pg';

/** E-mails that report nothing that was changed, by subject. */
const reportNoChange: ReadonlySet<unknown> = new Set(['You already have an account', 'Hello', 'News']);
const tells = /^\s*(with\b[^;]*?)?insert into (messages|outgoing_mail)\b/i;
const changes = /\b(insert into|update|delete from)\s+(?!messages\b|outgoing_mail\b)[a-z_]+/i;

/**
 * Watches that whatever tells people of a change is stored in the transaction of that change: a server that ends between the two would forget
 * to tell. Returns the statements that were not, as they are found.
 */
export const watchTold = (pool: Pool): string[] => {
  const found: string[] = [];
  const watched = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    let open = false;
    let changed = false;
    let told: string[] = [];
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((statement: unknown, ...rest: unknown[]) => {
      const { text, values = [] } = (typeof statement === 'string' ? { text: statement } : statement) as { text: string; values?: unknown[] };
      const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase();
      if (word === 'begin') [open, changed, told] = [true, false, []];
      if (tells.test(text) && !values.some((value) => reportNoChange.has(value))) {
        if (open) told.push(text);
        else found.push(`outside a transaction: ${text}`);
      } else if (changes.test(text)) changed = true;
      if (word === 'commit' && !changed) found.push(...told.map((t) => `in a transaction that changes nothing else: ${t}`));
      if (word === 'commit' || word === 'rollback') open = false;
      return query(statement, ...rest);
    }) as typeof client.query;
  });
  return found;
};
