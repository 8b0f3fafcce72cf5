import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerOptions } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { reportEndpoints } from '#contract/reports/reports.ts';
import { binaryProtocol, matrixLimits } from '#contract/matrix/messages.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { protocol, serverMark } from '#contract/protocol.ts';
import { filledShade } from '#contract/rules/colour.ts';
import { fileType } from '#contract/rules/file-types.ts';
import { siteMap } from '#contract/site-map.ts';
import { type Config, trustedProxies } from '#server/config.ts';
import { contentSite, contentWorker, maxParamLength } from '#server/content-origin.ts';
import type { Db } from '#server/db/sql.ts';
import { brandOf, brandOfAddress, brandShown } from '#server/features/branding/branding.rows.ts';
import { createPictures } from '#server/features/branding/pictures.service.ts';
import { manifestFor } from '#server/features/branding/manifest.ts';
import { subdomainOf } from '#contract/rules/subdomain.ts';
import { formerAppFile } from '#server/former-app.ts';
import { actorOf } from '#server/http/actor-of.ts';
import { addSockets, features, graphSchema, jobRegistry, queuedKinds, reportSources } from '#server/features.ts';
import { type FileStore, openFileStore } from '#server/files/file-store.ts';
import { registerGraphql } from '#server/graphql/register-graphql.ts';
import { openApiDocument } from '#server/http/open-api.ts';
import { contractFingerprint } from '#server/http/contract-fingerprint.ts';
import { parseJsonBody } from '#server/http/json-body.ts';
import { cookieRoomBytes, deleteForeignCookies, roomForCookies } from '#server/http/origin-cookies.ts';
import { endUnusedAtStop } from '#server/http/unused-connections.ts';
import { addDefaultPolicy, answerUnparsed } from '#server/http/default-policy.ts';
import { firstVisitPage } from '#server/http/first-visit.ts';
import { healthPaths, registerHealth } from '#server/http/health.ts';
import { knownError } from '#server/http/known-error.ts';
import { ProductError } from '#server/product-error.ts';
import { registerEndpoints } from '#server/http/register-endpoints.ts';
import { createRecentTotals } from '#server/db/recent-totals.ts';
import { safeUrl } from '#server/http/safe-url.ts';
import { createSessions } from '#server/security/sessions.ts';
import { unpackBody } from '#server/http/unpack-body.ts';
import { escapeHtml } from '#server/mail/mail-html.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { seedStandards } from '#server/features/care-certificates/standards/seed-standards.ts';
import { createJobs } from '#server/jobs/runner.ts';
import { loggedError } from '#server/http/where-it-failed.ts';
import { createReports } from '#server/reports/reports.ts';
import type { Services } from '#server/services.ts';

export type AppOptions = {
  config: Config;
  db: Db;
  secretKey: string;
  files?: FileStore;
  now?: () => Date;
  distFolder?: string;
  /** The built players. Served here only where the app and packages share one origin. */
  playerFolder?: string;
  tls?: { cert: Buffer; key: Buffer };
};

/** What is logged of a request: enough to identify it, and no secret. */
const loggedRequest = (request: FastifyRequest) => ({
  method: request.method,
  url: safeUrl(request.url),
  host: request.host,
  remoteAddress: request.ip,
});

const retryAfterSeconds = 5;

const firstPart = (path: string) => path.split('/')[1] ?? '';
const placesOfPages = new Set(siteMap.map(({ path }) => firstPart(path)));
/** Whether a path names a file, hidden or not: the app's page is no answer for a file that is not there. */
const namesFile = (path: string) => /\/\.|\.[a-z0-9]+$/i.test(path);

/** A page does not wait longer for a database that does not answer. */
const brandWaitMs = 500;
/** What protects the app's pages, also those that its worker answers. */
const pageHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
];

/** On every answer of the API. */
const marks = { [serverMark.header]: serverMark.value, [serverMark.contractHeader]: contractFingerprint };

/** The whole server on one Fastify instance: the API under /api, the built app beside it. */
export const createApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { config, db, secretKey } = options;
  const now = options.now ?? (() => new Date());
  const base: FastifyServerOptions & { http: ServerOptions } = {
    logger: config.LOG_LEVEL === 'silent' ? false : { level: config.LOG_LEVEL, serializers: { req: loggedRequest, err: loggedError } },
    trustProxy: trustedProxies(config),
    bodyLimit: protocol.bodyLimitBytes,
    genReqId: () => crypto.randomUUID(),
    routerOptions: { maxParamLength },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnparsed,
    // An address that cannot be decoded reaches no route.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      const answer = new ProductError('malformed');
      void reply.headers(marks).header('Cache-Control', 'no-store').status(answer.status).send(answer.body(request.id));
    },
    // A package on a host that we share can set so many cookies that a usual limit (16 kB) would keep a person out.
    http: { maxHeaderSize: cookieRoomBytes },
  };
  const app = (options.tls
    ? Fastify({ ...base, http2: true, https: { ...options.tls, allowHTTP1: true, ...roomForCookies } } as never)
    : Fastify(base)) as unknown as FastifyInstance;

  endUnusedAtStop(app);
  await seedStandards(db);
  const files = options.files ?? (await openFileStore(config));
  const services: Services = {
    config,
    db,
    secretKey,
    now,
    log: app.log,
    files,
    mail: createMailer(config, db, brandOfAddress, now),
    jobs: createJobs({ db, now, log: app.log }),
    sessions: createSessions(db, config, now),
    peopleTotals: createRecentTotals(),
  };

  const reports = createReports(
    services,
    async (place) => {
      const { whitelabel } = await brandOf(db, place);
      return { brand: whitelabel, logo: await createPictures(files).bytesOf(whitelabel.logo) };
    },
    reportSources,
  );
  app.addHook('onReady', async () => services.jobs.begin(jobRegistry(services, reports.jobs)));
  app.addHook('preClose', () => services.jobs.close());

  addDefaultPolicy(app);
  await app.register(cookie);
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: [config.CONTENT_ORIGIN],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
      },
    },
    hsts: config.secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-site' },
  });
  await app.register(websocket, {
    options: {
      maxPayload: matrixLimits.messageBytes,
      handleProtocols: (offered: Set<string>) => (offered.has(binaryProtocol) ? binaryProtocol : false),
    },
  });
  const workers = new Set(config.ONE_ORIGIN ? ['/sw.js', contentWorker] : ['/sw.js']);
  app.decorateRequest('actor', null);
  app.addHook('onRequest', async (request, reply) => {
    deleteForeignCookies(services, request, reply);
    reply.header('X-Request-Id', request.id).header('Permissions-Policy', 'camera=(self), microphone=(self), geolocation=()');
    if (request.headers['service-worker'] === 'script' && !workers.has(request.url)) throw new ProductError('forbidden');
  });
  app.addHook('preParsing', async (request, _reply, payload) => unpackBody(request, payload as Readable));
  // The long cache lifetime is for the file, never for an error answered in its place.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= 400) reply.header('Cache-Control', 'no-store');
  });
  app.setErrorHandler((error: Error, request, reply) => {
    const known = knownError(error);
    // The client disconnected before the answer was ready: not an error.
    const hasLeft = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed;
    if (!hasLeft && (!known || known.status >= 500)) request.log.error({ err: error }, known ? 'out of service' : 'internal error');
    const answer = known ?? new ProductError('internal');
    // Whatever is wrong with the server, the device learns when to retry.
    if (answer.status >= 500) reply.header('Retry-After', String(retryAfterSeconds));
    reply.headers(marks).headers(answer.headers).status(answer.status).type('application/json; charset=utf-8').send(answer.body(request.id));
  });

  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request, reply) => {
        reply.headers(marks).header('Cache-Control', 'no-store');
        request.actor = await actorOf(services, request);
      });
      api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
        try {
          done(null, parseJsonBody(body as string));
        } catch (error) {
          done(error as ProductError, undefined);
        }
      });
      api.addContentTypeParser(['application/zip', 'application/octet-stream', 'multipart/form-data'], (_request, payload, done) =>
        done(null, payload),
      );
      const all = { queued: queuedKinds(services) };
      for (const { endpoints, handlers } of features) registerEndpoints(api, services, endpoints, handlers(services, all) as never);
      registerEndpoints(api, services, reportEndpoints, reports.handlers);
      await api.register((graph) => registerGraphql(graph, services, graphSchema));
      addSockets(api, services);
      api.setNotFoundHandler(() => {
        throw new ProductError('not_found');
      });
    },
    { prefix: protocol.apiPrefix },
  );

  registerHealth(app, services);
  // In production there is nothing to try out: whoever develops against it has the document, which is in the repository.
  if (config.NODE_ENV !== 'production') {
    const document = openApiDocument();
    await app.register(swagger, {
      mode: 'static',
      specification: { document: { ...document, paths: { ...document.paths, ...healthPaths } } as never },
    });
    await app.register(swaggerUi, { routePrefix: '/docs/api', staticCSP: false });
  }

  if (services.mail.keepsMail && config.NODE_ENV !== 'production' && (!config.open || config.DEMO_FOR_OTHERS)) {
    app.get('/dev/mail', async (_request, reply) => {
      const mails = await services.mail.kept();
      const list = mails
        .map(
          (m) =>
            `<article><h2>${escapeHtml(m.subject)}</h2><p>To ${escapeHtml(m.recipient)} · ${new Date(m.at).toISOString()}</p><pre>${escapeHtml(m.body).replace(/https?:\/\/\S+/g, (url) => `<a href="${url}">${url}</a>`)}</pre>${m.file ? `<p>Attached: ${escapeHtml(m.file)}</p>` : ''}${m.html ? `<details><summary>As it is sent</summary><iframe sandbox title="${escapeHtml(m.subject)}" srcdoc="${escapeHtml(m.html)}"></iframe></details>` : ''}</article>`,
        )
        .join('');
      return reply
        .type('text/html; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .send(
          `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox</title><style>body{font:16px/1.5 system-ui;max-width:48rem;margin:2rem auto;padding:0 1rem}article{border-top:1px solid #ccc}pre{white-space:pre-wrap}iframe{width:100%;height:26rem;border:1px solid #ccc}</style><h1>Mailbox of this server</h1>${list || '<p>No mail yet. What the server sends without SMTP appears here.</p>'}</html>`,
        );
    });
  }

  if (config.ONE_ORIGIN && options.playerFolder) await app.register(contentSite, { config, files, playerFolder: options.playerFolder });

  const dist = options.distFolder;
  if (dist && existsSync(join(dist, 'index.html'))) {
    const assets = join(dist, 'assets');
    const pageFor = firstVisitPage(readFileSync(join(dist, 'index.html'), 'utf8'), existsSync(assets) ? readdirSync(assets) : []);
    const ours = { name: defaultWhitelabel.companyName, mark: filledShade(defaultWhitelabel.colours.primary) };
    /** Whose name a page opens with: that of the organisation whose address it is, which must not see ours. Without the database, ours. */
    const openingOf = async (host: string) => {
      const subdomain = subdomainOf(host);
      if (subdomain === undefined) return ours;
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), brandWaitMs).unref());
      const shown = await Promise.race([brandShown(db, { subdomain }).catch(() => null), late]);
      if (!shown) return ours;
      const { companyName, colours, loginLogo, logo } = shown.whitelabel;
      return { name: companyName, mark: (loginLogo ?? logo) ? null : filledShade(colours.primary) };
    };
    await app.register(fastifyStatic, {
      root: dist,
      index: false,
      wildcard: false,
      // Source maps are for those who develop.
      globIgnore: ['manifest.webmanifest', ...(config.ONE_ORIGIN ? ['sw.js'] : []), ...(config.NODE_ENV === 'production' ? ['**/*.map'] : [])],
      setHeaders: (reply, path) => {
        const name = path.slice(dist.length);
        reply.header('Cache-Control', name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    // Packages can change stored headers: the worker gets those of pages with its script.
    if (config.ONE_ORIGIN)
      app.get('/sw.js', async (_request, reply) => {
        const headers = Object.fromEntries(pageHeaders.flatMap((name) => (reply.getHeader(name) ? [[name, reply.getHeader(name)]] : [])));
        const worker = await readFile(join(dist, 'sw.js'), 'utf8');
        return reply
          .type('text/javascript')
          .header('Cache-Control', 'no-cache')
          .send(`self.pageHeaders=${JSON.stringify(headers)};\n${worker}`);
      });
    // A page of a former build opens a screen that it has not loaded yet.
    app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
      const { name } = request.params;
      const file = await formerAppFile(config.DATA_DIR, name);
      const type = fileType(name);
      if (!file || !type) throw new ProductError('not_found');
      return reply.type(type).header('Cache-Control', 'public, max-age=31536000, immutable').send(file);
    });
    const manifestFile = join(dist, 'manifest.webmanifest');
    if (existsSync(manifestFile)) {
      const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
      // The installed app of an organisation: by the slug asked for, else by the subdomain.
      app.get<{ Querystring: { slug?: string } }>('/manifest.webmanifest', async (request, reply) => {
        const { slug } = request.query;
        const subdomain = subdomainOf(request.hostname);
        const whole = await brandShown(db, { slug: typeof slug === 'string' ? slug : undefined, subdomain });
        return reply.type('application/manifest+json').header('Cache-Control', 'no-cache').send(manifestFor(manifest, whole));
      });
    }
    app.setNotFoundHandler(async (request, reply) => {
      const path = request.url.split('?')[0] ?? '';
      // Link previews and uptime checks accept anything or send no Accept header, and often use HEAD.
      const { accept = '' } = request.headers;
      const isPage = (request.method === 'GET' || request.method === 'HEAD') && /text\/html|\*\/\*|^$/.test(accept) && !namesFile(path);
      // Outside the site map a person gets the app's own words for it, and monitoring that asks for /healthz or /metrics no healthy answer.
      const isInSiteMap = placesOfPages.has(firstPart(path));
      if (!isPage || path.startsWith(`${protocol.apiPrefix}/`) || (!isInSiteMap && !accept.includes('text/html')))
        throw new ProductError('not_found');
      return reply
        .status(isInSiteMap ? 200 : 404)
        .type('text/html; charset=utf-8')
        .header('Cache-Control', 'no-cache')
        .send(pageFor({ ...(await openingOf(request.hostname)), toHome: path === '/' || path === '/login' }));
    });
  } else
    app.setNotFoundHandler(() => {
      throw new ProductError('not_found');
    });
  return app;
};
