import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createApp } from '#server/app.ts';
import { builtFolders, type Config, readServerConfig } from '#server/config.ts';
import { createContentOrigin } from '#server/content-origin.ts';
import { demoAccounts, demoPassword } from '#server/db/demo/demo-accounts.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { fillWithGroup, groupAccounts } from '#server/db/demo/group.ts';
import { fillWithLife } from '#server/db/demo/life.ts';
import { migrate } from '#server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '#server/db/open.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { keepAppFiles } from '#server/former-app.ts';
import { type FileStore, openFileStore } from '#server/files/file-store.ts';
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

type Place = { HOST: string; port: number; setting: 'PORT' | 'CONTENT_PORT' };
/** A port that cannot be used, in words that name its setting. */
const portProblem = (error: unknown, { HOST, port, setting }: Place): Error => {
  const { code, message } = error as NodeJS.ErrnoException;
  const why: Record<string, string> = {
    EADDRINUSE: 'another program uses it, perhaps another Lantern. Stop that, or choose another port',
    EACCES: 'this account may not use it. Choose one above 1023',
    EADDRNOTAVAIL: `HOST=${HOST} is not an address of this machine`,
    ENOTFOUND: `HOST=${HOST} is not known here`,
  };
  return new Error(`${setting}=${port} on ${HOST} cannot be listened on: ${why[code ?? ''] ?? message}.`, { cause: error });
};
const portsOf = ({ HOST, PORT, CONTENT_PORT, ONE_ORIGIN }: Config): Place[] => [
  { HOST, port: PORT, setting: 'PORT' },
  ...(ONE_ORIGIN ? [] : [{ HOST, port: CONTENT_PORT, setting: 'CONTENT_PORT' } as const]),
];
/** Tries the ports, before anything that takes long. Throws an error that names the setting. */
const tryPorts = async (config: Config): Promise<void> => {
  for (const place of portsOf(config))
    await new Promise<void>((done, failed) => {
      const server = createServer();
      server.once('error', (error) => failed(portProblem(error, place)));
      server.listen(place.port, place.HOST, () => server.close(() => done()));
    });
};

const fillLock = 7_126_002;
const sayEveryMs = 5000;
/** Fills an empty database, with words on the console: it takes a while. Of several servers that start together one does it, the others wait. */
const fillIfEmpty = async ({ db, pool, kind }: OpenDatabase, files: FileStore, withGroup: boolean): Promise<void> => {
  // The embedded database has one connection, and one server.
  const client = kind === 'postgres' ? await pool.connect() : null;
  try {
    await client?.query('select pg_advisory_lock($1)', [fillLock]);
    if ((await db.one(sql`select 1 as one from users limit 1`)) !== undefined) return;
    const since = Date.now();
    const seconds = () => Math.round((Date.now() - since) / 1000);
    console.error('Filling the empty database with demo data, once …');
    let there = '';
    const saying = setInterval(() => console.error(`  still filling, ${seconds()} s so far${there && `: ${there}`} …`), sayEveryMs);
    try {
      // A server that is stopped meanwhile finds an empty database again, and not half a world.
      await db.tx(async (tx) => {
        await fillWithDemoData(tx, files, new Date());
        await fillWithLife(tx, new Date());
        if (withGroup)
          await fillWithGroup(tx, new Date(), {
            say: (words) => {
              there = `${words} are there`;
            },
          });
      });
    } finally {
      clearInterval(saying);
    }
    console.error(`The demo data is there after ${seconds()} s.`);
  } finally {
    // The lock goes with its connection.
    client?.release(true);
  }
};

/** Starts a server: settings, database, schema, demo data, the app, the content origin. Its messages while running and stopping go to its log. */
export const startServer = async (env: Record<string, string | undefined>): Promise<RunningServer> => {
  const config = readServerConfig(env);
  await tryPorts(config);
  const database = await openDatabase(config);
  await migrate(database.pool);
  const secretKey = await secretKeyOf(database.db);
  const files = await openFileStore(config);
  if (config.DEMO && (!config.open || config.DEMO_FOR_OTHERS)) await fillIfEmpty(database, files, config.DEMO === 'group');

  const hasDemoAccounts = (await database.db.one(sql`select 1 as one from users where email = ${demoAccounts[0].email}`)) !== undefined;
  const hasGroup = (await database.db.one(sql`select 1 as one from users where email = ${groupAccounts[0].email}`)) !== undefined;
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
  const built = builtFolders(config);
  const playerFolder = built.players;
  await keepAppFiles(built.app, config.DATA_DIR, new Date()).catch((error) =>
    console.error('The files of the app could not be kept for pages of this version that are open when the next one is installed:', error),
  );
  const app = await createApp({
    config,
    db: database.db,
    files,
    secretKey,
    playerFolder,
    distFolder: built.app,
    ...(tls ? { tls } : {}),
  });
  const [ownPort, contentPort] = portsOf(config);
  const listen = async (site: typeof app, place: Place | undefined) => {
    if (place)
      await site.listen({ host: place.HOST, port: place.port }).catch((error) => {
        throw portProblem(error, place);
      });
  };
  await listen(app, ownPort);

  const content = config.ONE_ORIGIN ? null : await createContentOrigin({ config, files, playerFolder, ...(tls ? { tls } : {}) });
  if (content) await listen(content, contentPort);
  else app.log.warn('ONE_ORIGIN: course packages run on the origin of the app and can do there what the person who plays them may do');

  if (config.open && config.NODE_ENV !== 'production')
    app.log.warn(
      config.DEMO_FOR_OTHERS
        ? 'HOST lets other machines in outside production: anyone who reaches this server can read every mail at /dev/mail, and sign in with the demo accounts'
        : 'HOST lets other machines in outside production: NODE_ENV=production is meant for that. There is no demo data and no mailbox without DEMO_FOR_OTHERS',
    );
  if (config.NODE_ENV === 'production' && !config.SMTP_URL)
    app.log.warn(
      'SMTP_URL is not set: no mail leaves this server, so nobody can be invited or set a new password. Mail is kept, and sent once there is a mail server',
    );
  const [appUrl, contentUrl] = [new URL(config.PUBLIC_URL), new URL(config.CONTENT_ORIGIN)];
  if (!config.ONE_ORIGIN && appUrl.hostname === contentUrl.hostname && !isLoopback(appUrl.hostname))
    app.log.warn(
      `Course packages run at ${contentUrl.origin}, on the host of the app. Cookies know no ports: a package can set some for the app there${config.secure ? '' : ', over plain http also another session'}. Give them a host of their own: CONTENT_ORIGIN, best on another domain.`,
    );
  const words = [
    '',
    `  Lantern is at ${config.PUBLIC_URL}`,
    config.NODE_ENV === 'production' ? '' : `  API documentation: ${config.PUBLIC_URL}/docs/api`,
    config.NODE_ENV === 'production' && !config.SMTP_URL ? '  No mail is sent: SMTP_URL is not set.' : '',
    config.SMTP_URL || config.NODE_ENV === 'production' || (config.open && !config.DEMO_FOR_OTHERS)
      ? ''
      : `  Mailbox (no SMTP set): ${config.PUBLIC_URL}/dev/mail`,
    database.kind === 'embedded'
      ? `  Database: embedded, in ${config.DATA_DIR}. Each answer waits until the log is flushed to disk; for more than one server use DATABASE_URL.`
      : '  Database: PostgreSQL.',
    ...(config.DEMO && hasDemoAccounts
      ? [
          '',
          `  Demo accounts (password ${demoPassword}):`,
          ...[...demoAccounts, ...(hasGroup ? groupAccounts : [])].map((a) => `    ${a.email.padEnd(30)} ${a.who}`),
        ]
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
