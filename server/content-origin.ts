import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerOptions } from 'node:http';
import { join } from 'node:path';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { contentFolder, formerTreeFile, nameIn, packagesFolder, treeFile } from '#contract/package-addresses.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { contentHeaders } from '#contract/package-policy.ts';
import { type Config, trustedProxies } from '#server/config.ts';
import { fileType } from '#contract/rules/file-types.ts';
import { readTree } from '#server/features/packages/package-trees.ts';
import { addDefaultPolicy, answerUnparsed } from '#server/http/default-policy.ts';
import { cookieRoomBytes, deleteForeignCookies, roomForCookies } from '#server/http/origin-cookies.ts';
import { endUnusedAtStop } from '#server/http/unused-connections.ts';
import type { FileStore } from '#server/files/file-store.ts';

type Site = { config: Config; files: FileStore; playerFolder: string };

/** The only worker of this origin. It answers for packages too, which lie below it. */
export const contentWorker = `${contentFolder}content-sw.js`;
/** Package addresses contain long file names. */
export const maxParamLength = 1000;
const forEver = 'public, max-age=31536000, immutable';
const treesKept = 50;

/**
 * What the content origin serves: the players, and packages under names that are given only to people who may play them. It has no
 * sessions, sets no cookies and serves nothing of the app. A package may load what lies below the content folder and nothing else; only the
 * app may frame it.
 */
export const contentSite = async (app: FastifyInstance, { config, files, playerFolder }: Site): Promise<void> => {
  const appOrigin = new URL(config.PUBLIC_URL).origin;

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      ...contentHeaders(config.CONTENT_ORIGIN, appOrigin, request.url.split('?')[0] ?? ''),
      ...(config.secure ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
    });
    // A package may not register a service worker: it would outlive the package. A query would be another worker.
    if (request.headers['service-worker'] === 'script' && request.url !== contentWorker) await reply.status(403).send();
  });

  // The long cache lifetime is for the file, never for an error answered in its place.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= 400) reply.header('Cache-Control', 'no-store');
  });

  const trees = new Map<string, NonNullable<Awaited<ReturnType<typeof readTree>>>>();
  const treeOf = async (name: string) => {
    const known = trees.get(name);
    if (known) return known;
    const read = await readTree(files, name);
    if (!read) return null;
    if (trees.size >= treesKept) trees.delete(trees.keys().next().value as string);
    trees.set(name, read);
    return read;
  };
  app.get<{ Params: { tree: string; '*': string } }>(`${packagesFolder}:tree/*`, async (request, reply) => {
    const { tree, '*': path } = request.params;
    const list = /^[0-9a-f]{64}$/.test(tree) ? await treeOf(tree) : null;
    if (!list) return reply.status(404).send();
    const name = nameIn(list.files, path);
    // Devices with an older player use the former name; a package's own file of that name is the package's.
    if (path === treeFile || (path === formerTreeFile && name === null))
      return reply.type('application/json').header('Cache-Control', forEver).send(files.read(tree));
    const found = name === null ? undefined : list.files[name];
    if (!found || (await files.size(found[0])) === null) return reply.status(404).type('text/plain').send('This file is not in the package.');
    const [hash, bytes] = found;
    const etag = `"${hash}"`;
    // A script in the browser's cache must not become a service worker without a request to the server (`updateViaCache: 'all'`).
    reply
      .headers({ Vary: 'Service-Worker', 'Cache-Control': forEver, 'Accept-Ranges': 'bytes', ETag: etag })
      .type(fileType(path) ?? 'application/octet-stream');
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    const range = byteRange(request.headers.range, bytes);
    if (range === 'unsatisfiable') return reply.status(416).header('Content-Range', `bytes */${bytes}`).send();
    if (range === 'whole') return reply.send(files.read(hash));
    return reply
      .status(206)
      .headers({ 'Content-Range': `bytes ${range.start}-${range.end}/${bytes}`, 'Content-Length': String(range.end - range.start + 1) })
      .send(files.read(hash, range));
  });
  // The worker sets the headers of stored files itself: it has to be told who may frame them.
  app.get(contentWorker, async (_request, reply) => {
    const worker = await readFile(join(playerFolder, contentWorker), 'utf8').catch(() => null);
    if (worker === null) return reply.status(404).send();
    return reply
      .type('text/javascript')
      .header('Cache-Control', 'no-cache')
      .send(`self.appOrigin=${JSON.stringify(appOrigin)};\n${worker}`);
  });
  if (existsSync(playerFolder))
    await app.register(fastifyStatic, {
      root: playerFolder,
      index: false,
      wildcard: false,
      globIgnore: [contentWorker.slice(1)],
      decorateReply: false,
      setHeaders: (reply, path) => {
        reply.header('Cache-Control', path.includes('/assets/') ? forEver : 'no-cache');
      },
    });
};

/** The content origin: other people's code runs here. */
export const createContentOrigin = async ({ tls, ...site }: Site & { tls?: { cert: Buffer; key: Buffer } }): Promise<FastifyInstance> => {
  const base: FastifyServerOptions & { http: ServerOptions } = {
    logger: false,
    trustProxy: trustedProxies(site.config),
    routerOptions: { maxParamLength },
    clientErrorHandler: answerUnparsed,
    // Packages can set cookies for this host: as many as a browser keeps must not shut everybody out of every package.
    http: { maxHeaderSize: cookieRoomBytes },
  };
  const app = (tls
    ? Fastify({ ...base, http2: true, https: { ...tls, allowHTTP1: true, ...roomForCookies } } as never)
    : Fastify(base)) as unknown as FastifyInstance;
  endUnusedAtStop(app);
  addDefaultPolicy(app);
  await app.register(cookie);
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  app.addHook('onRequest', async (request, reply) => deleteForeignCookies(site, request, reply));
  await app.register(contentSite, site);
  app.setNotFoundHandler((_request, reply) => reply.status(404).send());
  return app;
};
