import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

/** What the proxy does with a request that changes data. `pass` forwards it. */
export type Fault =
  | 'pass'
  | 'lost-answer'
  | 'lost-request'
  | 'duplicate'
  | 'reorder'
  | 'portal-page'
  | 'portal-json'
  | 'redirect'
  | 'truncated'
  | 'too-short'
  | 'too-long'
  | 'empty'
  | 'cut-headers';

const bodyOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** A real proxy between a device and the server, which forwards requests and injects connection faults. */
export class FaultProxy {
  private readonly server: Server;
  readonly applied: Fault[] = [];
  private readonly held: (() => void)[] = [];
  /** Chooses the fault for each change; reads always pass. */
  choose: () => Fault = () => 'pass';
  port = 0;
  constructor(targetPort: number) {
    const forward = (req: IncomingMessage, body: Buffer): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> =>
      new Promise((resolve, reject) => {
        const out = request(
          { port: targetPort, host: '127.0.0.1', method: req.method, path: req.url, headers: req.headers, agent: false },
          (answer) => {
            bodyOf(answer).then((b) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: b }), reject);
          },
        );
        out.on('error', reject);
        out.end(body);
      });
    const cut = (res: ServerResponse) => res.socket?.destroy();
    this.server = createServer((req, res) => {
      void (async () => {
        const body = await bodyOf(req);
        const change = req.method === 'PATCH';
        const fault = change ? this.choose() : 'pass';
        if (change) this.applied.push(fault);
        if (fault === 'lost-request') return cut(res);
        if (fault === 'portal-page') return res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Welcome to the guest network</html>');
        if (fault === 'portal-json')
          return res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"ok":true},"meta":{"outcomes":[]}}');
        if (fault === 'redirect') return res.writeHead(302, { Location: 'http://127.0.0.1:9/portal' }).end();
        if (fault === 'empty') return res.writeHead(200).end();
        if (fault === 'reorder') {
          // Delayed until the next request has passed, or briefly.
          await new Promise<void>((resolve) => {
            this.held.push(resolve);
            setTimeout(resolve, 40).unref();
          });
        }
        const answer = await forward(req, body);
        if (fault === 'pass') for (const go of this.held.splice(0)) go();
        if (fault === 'duplicate') {
          const again = await forward(req, body);
          // The client gets the second answer.
          return res.writeHead(again.status, again.headers).end(again.body);
        }
        if (fault === 'lost-answer' || fault === 'cut-headers') return cut(res);
        const headers = { ...answer.headers };
        delete headers['transfer-encoding'];
        if (fault === 'truncated') {
          res.writeHead(answer.status, { ...headers, 'content-length': String(answer.body.length) });
          res.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)));
          setTimeout(() => cut(res), 5);
          return undefined;
        }
        if (fault === 'too-short') {
          const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
          return res.writeHead(answer.status, { ...headers, 'content-length': String(half.length) }).end(half);
        }
        if (fault === 'too-long') {
          res.writeHead(answer.status, { ...headers, 'content-length': String(answer.body.length + 50) });
          res.write(answer.body);
          setTimeout(() => cut(res), 5);
          return undefined;
        }
        return res.writeHead(answer.status, { ...headers, 'content-length': String(answer.body.length) }).end(answer.body);
      })().catch(() => cut(res));
    });
  }
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
    return `http://127.0.0.1:${this.port}`;
  }
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
