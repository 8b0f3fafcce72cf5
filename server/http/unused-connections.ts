import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const peer = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>) => `${remoteAddress} ${remotePort}`;

/**
 * Lets a server that is stopped end as soon as it has answered what it was asked. Of itself Node would wait a minute for the first request of
 * connections that browsers open ahead, and as long again for the next request of those on which it answers something at that time.
 */
export const endUnusedAtStop = (app: FastifyInstance): void => {
  const unused = new Map<string, Socket>();
  let stopping = false;
  // By its peer: over TLS the socket of a request is not the one that was accepted.
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
      // Idle only when Node has put the answer behind it.
      response.once('close', () => stopping && setImmediate(endIdle));
    })
    .prependListener('upgrade', use);
  app.addHook('preClose', async () => {
    stopping = true;
    for (const socket of unused.values()) socket.destroy();
  });
};
