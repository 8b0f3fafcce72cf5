import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Sends requests of one person, so many at once, until it is told to stop; then it says how each was answered. In a process of its own. */
export type Flood = {
  url: string;
  token: string;
  atOnce: number;
  /** Sent by turns. */
  requests: readonly { path: string; type: string; body: string; base64?: true; keyed?: true }[];
};

const send = (flood: Flood, agent: Agent, n: number): Promise<string> =>
  new Promise((resolve) => {
    const { path, type, body, base64, keyed } = flood.requests[n % flood.requests.length] as Flood['requests'][number];
    const out = request(
      `${flood.url}/api${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${flood.token}`, 'content-type': type },
          ...(keyed ? { 'idempotency-key': randomUUID() } : {}),
        },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(String(answer.statusCode)));
        answer.on('error', () => resolve('ended'));
      },
    );
    out.on('error', () => resolve('ended'));
    out.end(base64 ? Buffer.from(body, 'base64') : body);
  });

process.on('message', async (message: Flood | 'stop') => {
  if (message === 'stop') {
    stopped = true;
    return;
  }
  stopped = false;
  const agent = new Agent({ keepAlive: true, maxSockets: message.atOnce });
  const answers: Record<string, number> = {};
  let sent = 0;
  const sender = async () => {
    while (!stopped) {
      const status = await send(message, agent, sent++);
      answers[status] = (answers[status] ?? 0) + 1;
      // As it is told to.
      if (status === '503' || status === '429') await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await Promise.all(Array.from({ length: message.atOnce }, sender));
  agent.destroy();
  process.send?.(answers);
});
let stopped = false;
