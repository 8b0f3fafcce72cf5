import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createContentOrigin } from '#server/content-origin.ts';
import { demoAccounts, demoPassword } from '#server/db/demo/demo-accounts.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { fillWithLife } from '#server/db/demo/life.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { openFileStore } from '#server/files/file-store.ts';
import { keepClear } from '#server/files/leftovers.ts';

const secretKeyOf = async (db: Db): Promise<string> => {
  await db.run(sql`insert into settings (key, value) values ('secret_key', ${randomBytes(32).toString('base64url')}) on conflict (key) do nothing`);
  return (await db.one<{ value: string }>(sql`select value from settings where key = 'secret_key'`))?.value as string;
};

const isLoopback = (host: string) => host === 'localhost' || host.endsWith('.localhost') || /^(127\.|\[::1\])/.test(host);

export type RunningServer = {
  /** The address, and instructions for a first visit: lines for the console. */
  words: string;
  /** Finishes pending requests, and closes the database. */
  stop(): Promise<void>;
};

/** Starts a server: settings, database, schema, demo data, the app, the content origin. Its messages while running and stopping go to its log. */
export const startServer = async (env: Record<string, string | undefined>): Promise<RunningServer> => {
  const config = readConfig(env);
  const database = await openDatabase(config);
  await migrate(database.pool);
  const secretKey = await secretKeyOf(database.db);
  const isEmpty = (await database.db.one(sql`select 1 as one from users limit 1`)) === undefined;
  const files = await openFileStore(config);
  if (config.DEMO && isEmpty && (!config.open || config.DEMO_FOR_OTHERS)) {
    await fillWithDemoData(database.db, files, new Date());
    await fillWithLife(database.db, new Date());
  }

  const hasDemoAccounts = (await database.db.one(sql`select 1 as one from users where email = ${demoAccounts[0].email}`)) !== undefined;
  if (config.open && hasDemoAccounts && !config.DEMO_FOR_OTHERS)
    throw new Error(
      `HOST=${config.HOST} lets other machines in, and this database has the demo accounts, whose password is public.\nDEMO=false with an empty DATA_DIR starts without them; HOST=127.0.0.1 keeps others out; DEMO_FOR_OTHERS=true is your consent.`,
    );

  const stopClearing = await keepClear(config.DATA_DIR, {
    alone: database.kind === 'embedded',
    now: () => new Date(),
    onError: (error) => console.error('Files that were left half written could not be deleted:', error),
  });

  const tls = config.TLS_CERT && config.TLS_KEY ? { cert: readFileSync(config.TLS_CERT), key: readFileSync(config.TLS_KEY) } : undefined;
  const playerFolder = new URL('../dist-content', import.meta.url).pathname;
  const app = await createApp({
    config,
    db: database.db,
    files,
    secretKey,
    playerFolder,
    distFolder: config.APP_DIR ? resolve(config.APP_DIR) : new URL('../dist', import.meta.url).pathname,
    ...(tls ? { tls } : {}),
  });
  await app.listen({ host: config.HOST, port: config.PORT });

  const content = config.ONE_ORIGIN ? null : await createContentOrigin({ config, files, playerFolder, ...(tls ? { tls } : {}) });
  if (content) await content.listen({ host: config.HOST, port: config.CONTENT_PORT });
  else app.log.warn('ONE_ORIGIN: course packages run on the origin of the app and can do there what the person who plays them may do');

  if (config.open && config.NODE_ENV !== 'production')
    app.log.warn(
      config.DEMO_FOR_OTHERS
        ? 'HOST lets other machines in outside production: anyone who reaches this server can read every mail at /dev/mail, and sign in with the demo accounts'
        : 'HOST lets other machines in outside production: NODE_ENV=production is meant for that. There is no demo data and no mailbox without DEMO_FOR_OTHERS',
    );
  const [appUrl, contentUrl] = [new URL(config.PUBLIC_URL), new URL(config.CONTENT_ORIGIN)];
  if (!config.ONE_ORIGIN && appUrl.hostname === contentUrl.hostname && !isLoopback(appUrl.hostname))
    app.log.warn(
      `Course packages run at ${contentUrl.origin}, on the host of the app. Cookies know no ports: a package can set some for the app there${config.secure ? '' : ', over plain http also another session'}. Give them a host of their own: CONTENT_ORIGIN, best on another domain.`,
    );
  const words = [
    '',
    `  Lantern is at ${config.PUBLIC_URL}`,
    `  API documentation: ${config.PUBLIC_URL}/docs/api`,
    config.SMTP_URL || config.NODE_ENV === 'production' || (config.open && !config.DEMO_FOR_OTHERS)
      ? ''
      : `  Mailbox (no SMTP set): ${config.PUBLIC_URL}/dev/mail`,
    database.kind === 'embedded'
      ? `  Database: embedded, in ${config.DATA_DIR}. Each answer waits until the log is flushed to disk; for more than one server use DATABASE_URL.`
      : '  Database: PostgreSQL.',
    ...(config.DEMO && hasDemoAccounts
      ? ['', `  Demo accounts (password ${demoPassword}):`, ...demoAccounts.map((a) => `    ${a.email.padEnd(30)} ${a.who}`)]
      : []),
    '',
  ]
    .filter((line, i, all) => line !== '' || all[i - 1] !== '')
    .join('\n');

  return {
    words,
    stop: async () => {
      app.log.info('stopping');
      stopClearing();
      await Promise.all([app.close(), content?.close()]);
      await database.close();
    },
  };
};
