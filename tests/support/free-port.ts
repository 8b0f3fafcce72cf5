import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports from which the system takes those of connections that go out, so that none of these takes it meanwhile. */
const first = 10_000;
const beyond = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port that nobody listens at, for a server that is stopped and started again there. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(first, beyond);
    if (await isFree(port)) return port;
  }
};
