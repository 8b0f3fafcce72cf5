import type { FastifyReply, FastifyRequest } from 'fastify';
import { protocol } from '#contract/protocol.ts';
import { hashOf, newCsrfToken } from '#server/security/secrets.ts';
import type { Services } from '#server/services.ts';

/**
 * Cookies are shared between ports, and those of a parent domain are sent to every host below it, so a course package on a
 * neighbouring host can set some of ours. `__Host-` binds a cookie to one host and to https (or localhost); `__Host-Http-` keeps
 * scripts from setting it, in browsers that support it. Over plain http neither is available.
 */
const hardened = '__Host-Http-lantern_session';
const plain = 'lantern_session';
/** Sent back by browsers that store such cookies here; not all do on http://localhost. */
const probe = '__Host-Http-lantern_probe';

const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/** The session secret of a request. If there are two cookies of that name, someone else has set one, and neither is accepted. */
export const sessionSecret = (services: Pick<Services, 'config'>, request: FastifyRequest): { secret?: string; doubled: boolean } => {
  const bound = valuesOf(request.headers.cookie, hardened);
  const found = bound.length > 0 || services.config.secure ? bound : valuesOf(request.headers.cookie, plain);
  return found.length === 1 && found[0] !== '' ? { secret: found[0] as string, doubled: false } : { doubled: found.length > 1 };
};

const attributes = (strict: boolean) => ({ httpOnly: true, sameSite: 'lax', secure: strict, path: '/' }) as const;
const setSessionCookie = (services: Services, reply: FastifyReply, secret: string) => {
  const strict = services.config.secure || valuesOf(reply.request.headers.cookie, probe).length > 0;
  if (strict) reply.clearCookie(plain, attributes(services.config.secure));
  reply.setCookie(strict ? hardened : plain, secret, { ...attributes(strict), maxAge: services.config.SESSION_MAX_HOURS * 3600 });
};

/**
 * Sets a CSRF token bound to a session (or to none): in a header, which pages and workers read, and in a cookie, which is never
 * accepted as proof.
 */
export const setCsrf = (services: Services, reply: FastifyReply, sessionHash: string | null) => {
  const token = newCsrfToken(services.secretKey, sessionHash);
  reply.setCookie(protocol.csrfCookie, token, { sameSite: 'lax', secure: services.config.secure, path: '/' });
  if (!services.config.secure) reply.setCookie(probe, '1', attributes(true));
  reply.header(protocol.csrfHeader, token);
};

/** Gives a browser the session of this secret, with a CSRF token that is bound to it. */
export const giveSession = (services: Services, reply: FastifyReply, secret: string) => {
  setSessionCookie(services, reply, secret);
  setCsrf(services, reply, hashOf(secret));
};
/** Takes the session from a browser; its CSRF token is bound to none. */
export const takeSession = (services: Services, reply: FastifyReply) => {
  reply.clearCookie(hardened, attributes(true));
  reply.clearCookie(plain, attributes(services.config.secure));
  setCsrf(services, reply, null);
};

/** Cookie paths that apply to a URL: for `/api/users/1`, `/`, `/api`, `/api/users` and `/api/users/1`. */
const pathsTo = (url: string): string[] => {
  const parts = (url.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  return ['/', ...parts.slice(0, 6).map((_, i) => `/${parts.slice(0, i + 1).join('/')}`)];
};
/** Domains whose cookies are sent to this host, nearest first. */
const domainsOf = (host: string): string[] => {
  const labels = host.split('.');
  return /^[\d.:[\]]+$/.test(host) ? [] : labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
};

/** The most that a browser sends to one host: 180 cookies of 4 kB. */
export const cookieRoomBytes = 786_432;
/** The same for HTTP/2, where each cookie may be a separate header. */
export const roomForCookies = { maxHeaderSize: cookieRoomBytes, maxHeaderListPairs: 1000, settings: { maxHeaderListSize: cookieRoomBytes } };
/** Our own cookies are never longer than this. */
const usualCookieLength = 4096;
const sweptAtOnce = 60;

/** Deletes duplicate and oversized cookies set by others, so that they cannot lock a person out. */
export const deleteForeignCookies = (services: Pick<Services, 'config'>, request: FastifyRequest, reply: FastifyReply): void => {
  const header = request.headers.cookie;
  if (header === undefined) return;
  const { doubled } = sessionSecret(services, request);
  if (doubled)
    for (const path of pathsTo(request.url)) {
      reply.clearCookie(plain, { ...attributes(services.config.secure), path });
      for (const domain of domainsOf(request.hostname)) reply.clearCookie(plain, { ...attributes(services.config.secure), path, domain });
    }
  if (header.length <= usualCookieLength) return;
  const ours = [hardened, plain, probe, protocol.csrfCookie];
  const names = header.split(';').map((pair) => pair.split('=')[0]?.trim() ?? '');
  const others = [...new Set(names)].filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ours.includes(name));
  // Only those of this host: cookies of a parent domain may belong to others.
  for (const name of others.slice(0, sweptAtOnce))
    for (const path of pathsTo(request.url)) reply.clearCookie(name, { path, secure: name.startsWith('__') });
};
