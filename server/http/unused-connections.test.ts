import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { endUnusedAtStop } from '#server/http/unused-connections.ts';

/** Node would wait a minute. */
const timeout = 20_000;

describe('a server that is stopped', () => {
  const started = async () => {
    const app = Fastify();
    endUnusedAtStop(app);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    app.get('/slow', async () => {
      asked.resolve();
      await answered.promise;
      return 'answered';
    });
    app.get('/', async () => 'here');
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.addresses()[0] as { port: number };
    const open = async () => {
      const accepted = once(app.server, 'connection');
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await accepted;
      return socket;
    };
    return { app, open, answer: answered.resolve, isAsked: asked.promise };
  };

  it('does not wait for connections on which nothing was asked', { timeout }, async () => {
    const { app, open } = await started();
    const sockets = [await open(), await open()];
    const ended = Promise.all(sockets.map((socket) => once(socket, 'close')));
    await app.close();
    await ended;
  });

  it('answers what it was asked before', { timeout }, async () => {
    const { app, open, answer, isAsked } = await started();
    const [idle, socket] = [await open(), await open()];
    const asked = once(socket, 'data').then(([said]) => String(said));
    socket.write('GET /slow HTTP/1.1\r\nHost: here\r\n\r\n');
    await isAsked;
    const closed = app.close();
    await once(idle, 'close');
    answer();
    expect(await asked).toMatch(/answered$/);
    await closed;
  });

  it('keeps connections open while it runs', { timeout }, async () => {
    const { app, open } = await started();
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    const [said] = (await once(socket, 'data')) as [Buffer];
    expect(said.toString()).toMatch(/^HTTP\/1.1 200 [\s\S]*here$/);
    expect(socket.closed).toBe(false);
    await app.close();
    socket.destroy();
  });
});
