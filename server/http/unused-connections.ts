import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const peer = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>) => `${remoteAddress} ${remotePort}`;

/**
 * Lets a stopping server exit as soon as it has answered its pending requests. By default Node would wait a minute for the first request of
 * connections that browsers open ahead, and as long again for the next request on those that it is still answering.
 */
export const endUnusedAtStop = (app: FastifyInstance): void => {
  const unused = new Map<string, Socket>();
  let stopping = false;
  // Matched by peer: over TLS a request's socket is not the accepted one.
  const use = ({ socket }: IncomingMessage) => void unused.delete(peer(socket));
  const endIdle = () => app.server.closeIdleConnections?.();
  app.server
    .on('connection', (socket: Socket) => {
      if (stopping) return void socket.destroy();
      const key = peer(socket);
      unused.set(key, socket);
      socket.once('close', () => {
        if (unused.get(key) === socket) unused.delete(key);
      });
    })
    .prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      use(request);
      // Idle only after Node has finished the response.
      response.once('close', () => stopping && setImmediate(endIdle));
    })
    .prependListener('upgrade', use);
  app.addHook('preClose', async () => {
    stopping = true;
    for (const socket of unused.values()) socket.destroy();
  });
};
