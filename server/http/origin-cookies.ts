import type { FastifyReply } from 'fastify';
import { protocol } from '#contract/protocol.ts';
import { newCsrfToken } from '#server/http/secrets.ts';
import type { Services } from '#server/services.ts';

/** `__Host-` binds the cookie to this host and to HTTPS; plain HTTP (development) cannot have it. */
export const sessionCookieName = (secure: boolean) => (secure ? '__Host-lantern_session' : 'lantern_session');

export const setSessionCookie = (services: Services, reply: FastifyReply, secret: string) => {
  reply.setCookie(sessionCookieName(services.config.secure), secret, {
    httpOnly: true,
    sameSite: 'lax',
    secure: services.config.secure,
    path: '/',
    maxAge: services.config.SESSION_MAX_HOURS * 3600,
  });
};
export const clearSessionCookie = (services: Services, reply: FastifyReply) => {
  reply.clearCookie(sessionCookieName(services.config.secure), { path: '/', secure: services.config.secure, httpOnly: true, sameSite: 'lax' });
};

/** Sets the anti-forgery cookie for a session (or for none) and repeats it in a header, which a worker can read. */
export const setCsrf = (services: Services, reply: FastifyReply, sessionHash: string | null) => {
  const token = newCsrfToken(services.secretKey, sessionHash);
  reply.setCookie(protocol.csrfCookie, token, { sameSite: 'lax', secure: services.config.secure, path: '/' });
  reply.header(protocol.csrfHeader, token);
};
