import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { nothingPolicy } from '#contract/package-policy.ts';

const headers = {
  'Content-Security-Policy': nothingPolicy,
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Adds a content security policy to every answer, including those outside routes: not found, malformed URLs, oversized headers.
 * Without it a package could frame such a page and escape its own policy. A route may replace the policy.
 */
export const addDefaultPolicy = (app: FastifyInstance): void => {
  app.server.prependListener('request', (_request, answer) => {
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
  });
};

/** Answers what could not be parsed as a request. */
export const answerUnparsed = (error: NodeJS.ErrnoException, socket: Socket): void => {
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
