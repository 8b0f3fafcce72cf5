import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { personDbPrefix } from '#src/offline/store/person-db-name.ts';
import { until } from '#tests/support/until.ts';
import type { Screen } from '#tests/engines/screen.ts';
import { appIsKeptHere } from '#tests/support/app-is-kept.ts';
import type { RealServer } from '#tests/support/real-server.ts';

/** The context of a story. `picture` stores a screenshot, if requested; `hasFiles`: the engine can flush private files. */
export type Telling = { screen: Screen; server: RealServer; hasFiles: boolean; picture(name: string): Promise<void> };
export type Story = { name: string; tell(telling: Telling): Promise<void> };

export const assert = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};
export const same = (what: string, found: unknown, expected: unknown): void =>
  assert(JSON.stringify(found) === JSON.stringify(expected), `${what}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`);

export const chip = { role: 'button', name: /Open the list\.$/ } as const;
export const title = (name: string | RegExp) => ({ role: 'heading', name }) as const;

/** As far as the button. */
export const typeSignIn = async ({ screen, server, picture }: Telling, email: string) => {
  await screen.engine.goto(`${server.url}/login`);
  await screen.fill({ role: 'textbox', name: 'E-mail address' }, email);
  await picture('sign-in');
  await screen.fill({ role: 'textbox', name: 'Password' }, demoPassword);
  await screen.tap({ role: 'button', name: 'Sign in' });
};

export const signIn = async (telling: Telling, email: string) => {
  await typeSignIn(telling, email);
  const { screen } = telling;
  await screen.see(title(/^Good /));
  await screen.says(chip, /^All sent/);
};

export const appIsKept = ({ screen }: Telling) => until('the app kept by its worker', () => screen.engine.evaluate(appIsKeptHere), 60_000);

/** The ids of unsent entries in the device's store, once all pending writes, including drafts, have completed. */
export const waitingIds = ({ screen }: Telling): Promise<string[]> =>
  screen.engine.evaluate(async (prefix: string) => {
    const found: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      if (!name?.startsWith(prefix)) continue;
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      const rows = await new Promise<{ id: string }[]>((resolve, reject) => {
        const asking = db.transaction(['outbox', 'kv'], 'readwrite').objectStore('outbox').getAll();
        asking.onsuccess = () => resolve(asking.result as { id: string }[]);
        asking.onerror = () => reject(asking.error);
      });
      db.close();
      found.push(...rows.map((r) => r.id));
    }
    return found;
  }, personDbPrefix);

/** The server is reachable again and the device notices: everything is sent. */
export const lineIsBack = async ({ screen, server }: Telling) => {
  await server.start();
  await screen.engine.evaluate(() => {
    dispatchEvent(new Event('online'));
  });
  await screen.says(chip, /^All sent/);
};

/** The state of the server's own database, read while it is stopped; everything that had waited is in its ledger. */
export const onServer = async ({ server }: Telling, userId: string, sent: string[], look: (db: Db) => Promise<void>) => {
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: undefined });
  try {
    const ledger = await database.db.all<{ entry_id: string }>(sql`select entry_id from ledger where user_id = ${userId}`);
    const known = ledger.map((l) => l.entry_id);
    assert(sent.length > 0, 'nothing had waited on the device');
    same(
      'what waited on the device and is not in the ledger',
      sent.filter((id) => !known.includes(id)),
      [],
    );
    await look(database.db);
  } finally {
    await database.close();
  }
};
export const countOf = async (db: Db, query: Parameters<Db['all']>[0]): Promise<number> => Number((await db.all<{ n: number }>(query))[0]?.n);
