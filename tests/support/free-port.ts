import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the system's range of ephemeral ports, so that outgoing connections do not use it. */
const first = 10_000;
const beyond = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A free port for a server that is stopped and restarted. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(first, beyond);
    if (await isFree(port)) return port;
  }
};
