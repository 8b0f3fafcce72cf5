import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { nothingPolicy } from '#contract/package-policy.ts';

const headers = {
  'Content-Security-Policy': nothingPolicy,
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Every answer has a policy, those too that no route gives: not found, an address that cannot be read, a header that is too long.
 * A package could frame such a page and act from there, freed of its own policy. A route puts its own in the place of this one.
 */
export const nothingBare = (app: FastifyInstance): void => {
  app.server.prependListener('request', (_request, answer) => {
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
  });
};

/** What could not be read as a request at all: answered before there is one. */
export const bareClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const line =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const lines = Object.entries({ ...headers, 'Content-Length': '0', Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write(`HTTP/1.1 ${line}\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.destroy(error);
};
