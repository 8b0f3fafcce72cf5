import { accessSync, constants, existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import * as z from 'zod';

/** Every setting of the server: read once, checked at start, listed in the README (a test compares the two). */
const flag = z.enum(['true', 'false']).transform((v) => v === 'true');

/**
 * The trusted proxies: their number, or their addresses. Never "all": each proxy appends the address of its client, so the
 * first address is supplied by the client.
 */
const proxies = (text: string, context: z.RefinementCtx): false | number | string[] => {
  if (text === 'false' || text === '0') return false;
  if (text === 'true') return 1;
  if (/^\d$/.test(text)) return Number(text);
  const places = text.split(',').map((place) => place.trim());
  const isPlace = (place: string) => {
    const [address = '', bits, ...more] = place.split('/');
    const family = isIP(address);
    return more.length === 0 && family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)));
  };
  if (!places.every(isPlace)) context.addIssue('must be the number of proxies, or their addresses or networks separated by commas');
  return places;
};
/** The trust function that Fastify expects: by address and distance from the server. */
export const trustedProxies = ({
  TRUST_PROXY: proxies,
}: Pick<Config, 'TRUST_PROXY'>): false | string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;

/** The address of a site: only its origin, which everything else is appended to. */
const site = (text: string, context: z.RefinementCtx): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    context.addIssue('must begin with http:// or https:// and name a host, such as https://learn.example.org');
  else if (url.username || url.password || url.search || url.hash || url.pathname !== '/')
    context.addIssue('must be the address of a host alone: no path, no query, no user; Lantern has a host of its own');
  return url?.origin ?? text;
};
/** A connection to another server, as its driver reads it. */
const serverAddress =
  (protocol: RegExp, words: string) =>
  (text: string, context: z.RefinementCtx): string => {
    const url = URL.parse(text);
    if (!protocol.test(text)) context.addIssue(`must start with ${words}`);
    else if (!url) context.addIssue('cannot be read as an address; write special characters of a password as %xx');
    return text;
  };
const mailSender = /^[^<>@\s]+@[^<>@\s]+$|^[^<>]*<[^<>@\s]+@[^<>@\s]+>$/;

/** May contain a password, so it is never printed. */
const maySayASecret = /^(DATABASE_URL|SMTP_URL|FILES_URL)$|SECRET/;
const opensToOthers = (host: string) => !/^(localhost|127(\.\d+){3}|::1)$/.test(host);

const Settings = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for all.'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000).describe('Port of the app and its API.'),
  CONTENT_PORT: z.coerce.number().int().min(0).max(65535).default(3001).describe('Port of the content origin, where course packages run.'),
  CONTENT_ORIGIN: z
    .string()
    .transform(site)
    .optional()
    .describe('Public address of the content origin, such as https://content.example.org. Default: the host of PUBLIC_URL with CONTENT_PORT.'),
  ONE_ORIGIN: flag
    .default(false)
    .describe(
      'Set if only one origin is available: course packages then run on the app’s origin, where their code could do anything the person playing them is allowed to do. Only super administrators can then upload packages; upload only packages from a source you trust.',
    ),
  PUBLIC_URL: z
    .string()
    .transform(site)
    .optional()
    .describe(
      'Public address of the app, such as https://learn.example.org, without a path; used in e-mails. Required in production. Default: http://localhost:PORT.',
    ),
  DATA_DIR: z.string().default('data').describe('Folder for the embedded database and uploaded files.'),
  FILES_URL: z
    .string()
    .regex(/^s3:\/\/[^/?]+/, 'must start with s3:// and name a bucket')
    .optional()
    .describe(
      'Store files in S3-compatible object storage: s3://bucket/prefix?endpoint=https://storage.example.org&region=eu-west-2. Credentials are found as by the AWS tools (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY). Default: DATA_DIR/files.',
    ),
  APP_DIR: z.string().optional().describe('Folder of the built app. Default: dist next to the server.'),
  DATABASE_URL: z
    .string()
    .transform(serverAddress(/^postgres(ql)?:\/\//, 'postgres://'))
    .optional()
    .describe('Use this PostgreSQL (15 or newer) instead of the embedded database.'),
  DATABASE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe('How many connections a server opens to that PostgreSQL at most. Default: 16.'),
  DEMO: z
    .enum(['true', 'false', 'group'])
    .transform((v) => (v === 'group' ? v : v === 'true'))
    .optional()
    .describe(
      'Fill an empty database with demo data. group: with a care group of forty homes and 3,000 people besides, which takes a minute. Default: true, but false in production.',
    ),
  DEMO_FOR_OTHERS: flag
    .default(false)
    .describe(
      'Allow demo accounts, whose password is public, and outside production the mailbox with everyone’s links at /dev/mail, when HOST makes the server reachable from other machines. Without it, such a server does not start with demo accounts and shows no mailbox.',
    ),
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('In production cookies are Secure and the mailbox is not shown.'),
  TLS_CERT: z.string().optional().describe('Certificate file (PEM). With TLS_KEY: HTTPS and HTTP/2.'),
  TLS_KEY: z.string().optional().describe('Key file (PEM).'),
  SMTP_URL: z
    .string()
    .transform(serverAddress(/^smtps?:\/\/[^/]/, 'smtp:// or smtps://'))
    .optional()
    .describe('Mail server. Without it, mail is kept: outside production in a mailbox at /dev/mail, in production until there is a mail server.'),
  MAIL_ATTACHMENT_MB: z.coerce
    .number()
    .min(0)
    .max(50)
    .default(7)
    .describe('Maximum size of a file that an e-mail carries, in megabytes. A larger report is sent as a link that needs a sign-in.'),
  MAIL_PER_MINUTE: z.coerce.number().int().min(1).max(6000).default(120).describe('Maximum number of e-mails sent per minute; the rest wait.'),
  MAIL_FROM: z
    .string()
    .regex(mailSender, 'must be an address, or a name and an address: Lantern <no-reply@example.org>')
    .default('Lantern <no-reply@lantern.test>')
    .describe('Sender of e-mails.'),
  MICROSOFT_CLIENT_ID: z
    .string()
    .optional()
    .describe('Sign-in with Microsoft: the application’s id, as registered with the redirect PUBLIC_URL/api/auth/openid/microsoft/callback.'),
  MICROSOFT_CLIENT_SECRET: z.string().optional().describe('Its secret.'),
  MICROSOFT_ISSUER: z
    .url({ protocol: /^https?$/ })
    .default('https://login.microsoftonline.com/organizations/v2.0')
    .describe('Whose accounts can sign in: all work accounts, or one tenant (https://login.microsoftonline.com/TENANT/v2.0).'),
  GOOGLE_CLIENT_ID: z
    .string()
    .optional()
    .describe('Sign-in with Google: the client’s id, as registered with the redirect PUBLIC_URL/api/auth/openid/google/callback.'),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe('Its secret.'),
  GOOGLE_ISSUER: z
    .url({ protocol: /^https?$/ })
    .default('https://accounts.google.com')
    .describe('Google’s OpenID Connect issuer.'),
  SESSION_IDLE_HOURS: z.coerce.number().int().min(1).max(8760).default(72).describe('Hours after which an unused session ends.'),
  SESSION_MAX_HOURS: z.coerce.number().int().min(1).max(8760).default(336).describe('Maximum length of a session in hours.'),
  TRUST_PROXY: z
    .string()
    .default('false')
    .transform(proxies)
    .describe(
      'Which proxies’ X-Forwarded-* headers to trust: the number of proxies in front, or their addresses and networks separated by commas (10.0.0.0/8, 192.168.1.7). Default: none. true means one proxy.',
    ),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').describe('Log level. Logs are JSON lines.'),
});
export type Config = Omit<z.infer<typeof Settings>, 'PUBLIC_URL' | 'DEMO' | 'CONTENT_ORIGIN'> & {
  PUBLIC_URL: string;
  CONTENT_ORIGIN: string;
  DEMO: boolean | 'group';
  secure: boolean;
  /** Whether the server is reachable from other machines. */
  open: boolean;
};

export const settingsTable = Object.entries(Settings.shape).map(([name, schema]) => ({ name, description: schema.description ?? '' }));

/** Reads the settings; throws one error that lists every invalid setting and its problem. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, v]) => v !== undefined && v !== ''));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      (i) =>
        `  ${i.path.join('.')}: ${i.message} ${maySayASecret.test(String(i.path[0])) ? '(value not shown because it may contain a password)' : `(got ${JSON.stringify(given[String(i.path[0])])})`}`,
    );
    throw new Error(`Invalid settings:\n${lines.join('\n')}\nThe README lists every setting.`);
  }
  const c = parsed.data;
  if (Boolean(c.TLS_CERT) !== Boolean(c.TLS_KEY)) throw new Error('Invalid settings:\n  TLS_CERT and TLS_KEY must be set together.');
  for (const name of ['MICROSOFT', 'GOOGLE'] as const)
    if (Boolean(c[`${name}_CLIENT_ID`]) !== Boolean(c[`${name}_CLIENT_SECRET`]))
      throw new Error(`Invalid settings:\n  ${name}_CLIENT_ID and ${name}_CLIENT_SECRET must be set together.`);
  if (!c.ONE_ORIGIN && c.PORT === c.CONTENT_PORT && c.PORT !== 0 && c.CONTENT_ORIGIN !== undefined)
    throw new Error('Invalid settings:\n  CONTENT_PORT must differ from PORT, also where CONTENT_ORIGIN is set: a proxy forwards to both.');
  const tls = Boolean(c.TLS_CERT);
  const publicUrl = c.PUBLIC_URL ?? `${tls ? 'https' : 'http'}://localhost:${c.PORT}`;
  const beside = new URL(publicUrl);
  beside.port = String(c.CONTENT_PORT);
  const appOrigin = new URL(publicUrl).origin;
  if (c.ONE_ORIGIN && c.CONTENT_ORIGIN !== undefined && new URL(c.CONTENT_ORIGIN).origin !== appOrigin)
    throw new Error('Invalid settings:\n  ONE_ORIGIN and CONTENT_ORIGIN contradict each other: remove one of them.');
  const contentOrigin = c.ONE_ORIGIN ? appOrigin : new URL(c.CONTENT_ORIGIN ?? beside).origin;
  // On the app's own origin, packages could do everything the person may do.
  if (!c.ONE_ORIGIN && contentOrigin === appOrigin)
    throw new Error(
      'Invalid settings:\n  CONTENT_ORIGIN (or CONTENT_PORT) must differ from PUBLIC_URL: course packages run on a separate origin. If only one is available, set ONE_ORIGIN.',
    );
  return {
    ...c,
    DEMO: c.DEMO ?? c.NODE_ENV !== 'production',
    DATA_DIR: resolve(c.DATA_DIR),
    PUBLIC_URL: publicUrl,
    CONTENT_ORIGIN: contentOrigin,
    open: opensToOthers(c.HOST),
    secure: tls || (c.NODE_ENV === 'production' && (c.PUBLIC_URL ?? '').startsWith('https:')),
  };
};

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

/** The folders of the built app and players. */
export const builtFolders = (config: Pick<Config, 'APP_DIR'>): { app: string; players: string } => ({
  app: config.APP_DIR ? resolve(config.APP_DIR) : new URL('../dist', import.meta.url).pathname,
  players: new URL('../dist-content', import.meta.url).pathname,
});

/** Reads the settings of a server that is to be used, and makes sure of what they name. Throws one error that names every wrong one. */
export const readServerConfig = (env: Record<string, string | undefined>): Config => {
  const config = readConfig(env);
  const { app, players } = builtFolders(config);
  const isProduction = config.NODE_ENV === 'production';
  const lacksBuild = !existsSync(join(app, 'index.html'));
  const problems = [
    ...(isProduction && !env.PUBLIC_URL ? ['PUBLIC_URL: is required in production: every link in an e-mail begins with it.'] : []),
    ...(lacksBuild && config.APP_DIR ? [`APP_DIR: ${app} has no index.html. Build the app with: npm run build`] : []),
    ...(lacksBuild && !config.APP_DIR && isProduction ? [`APP_DIR: the app is not built (${app}). Build it with: npm run build`] : []),
    ...(isProduction && !existsSync(join(players, 'player', 'scorm.html'))
      ? [`The players of course packages are not built (${players}). Build them with: npm run build`]
      : []),
    ...(['TLS_CERT', 'TLS_KEY'] as const).flatMap((name) => {
      const path = config[name];
      return path !== undefined && !isReadable(path) ? [`${name}: ${path} cannot be read.`] : [];
    }),
  ];
  if (problems.length > 0) throw new Error(`Invalid settings:\n${problems.map((p) => `  ${p}`).join('\n')}\nThe README lists every setting.`);
  return config;
};
