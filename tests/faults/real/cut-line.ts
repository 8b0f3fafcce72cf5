import { createServer, connect, type Server, type Socket } from 'node:net';

/**
 * A narrow connection that breaks: limited bandwidth in each direction, shared by all sockets, which are all closed at regular
 * intervals. Real sockets; data in transit is lost.
 */
export class CutLine {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly freeAt = { up: 0, down: 0 };
  /** Bytes sent towards the server. */
  sent = 0;
  cuts = 0;
  private readonly cutEveryMs: number;
  constructor(targetPort: number, bytesPerSecond: number, cutEveryMs: number) {
    this.cutEveryMs = cutEveryMs;
    this.server = createServer((near) => {
      const far = connect(targetPort, '127.0.0.1');
      const join = (from: Socket, to: Socket, way: 'up' | 'down') => {
        this.sockets.add(from);
        from.on('data', (bytes) => {
          if (way === 'up') this.sent += bytes.length;
          // Sockets take turns.
          this.freeAt[way] = Math.max(this.freeAt[way], Date.now()) + (bytes.length / bytesPerSecond) * 1000;
          from.pause();
          setTimeout(() => {
            if (to.writable) to.write(bytes);
            from.resume();
          }, this.freeAt[way] - Date.now());
        });
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      };
      join(near, far, 'up');
      join(far, near, 'down');
    });
  }
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }
  /** Starts breaking the connection. */
  begin(): void {
    this.sent = 0;
    this.cuts = 0;
    this.timer = setInterval(() => {
      this.cuts++;
      for (const socket of this.sockets) socket.destroy();
      this.freeAt.up = this.freeAt.down = 0;
    }, this.cutEveryMs);
  }
  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
