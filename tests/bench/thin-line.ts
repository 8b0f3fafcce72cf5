import { createServer, type Server, type Socket, connect } from 'node:net';
import type { AddressInfo } from 'node:net';

const packet = 1460;
/** What a connection may have under way before the sender has to wait, as a small receive window. */
const window = 64_000;

/** Does each piece of work after its delay, in the order in which they were given: timers of different lengths may overtake each other. */
const inOrder = () => {
  const waiting: (() => void)[] = [];
  return (work: () => void, ms: number) => {
    waiting.push(work);
    setTimeout(() => waiting.shift()?.(), ms);
  };
};

type Flow = { to: Socket; from: Socket; waiting: Buffer[]; bytes: number; isEnded: boolean; deliver: ReturnType<typeof inOrder> };

/**
 * A thin line in front of a server, for whatever the browser does on it, also in its worker: a new connection takes a round trip, each direction
 * half a round trip, and all answers share the rate, packet by packet in turn.
 */
export class ThinLine {
  /** Each request as it was sent, and what had arrived of the answers at which moment. */
  readonly requests: { at: number; path: string }[] = [];
  private readonly arrived: { at: number; bytes: number }[] = [];
  private total = 0;
  private readonly flows = new Set<Flow>();
  private readonly sockets = new Set<Socket>();
  private turn: Flow[] = [];
  private freeAt = 0;
  private isBusy = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly server: Server;
  private readonly bytesPerMs: number;
  private readonly roundTripMs: number;

  constructor(target: () => number, bitsPerSecond: number, roundTripMs: number) {
    this.bytesPerMs = bitsPerSecond / 8000;
    this.roundTripMs = roundTripMs;
    this.server = createServer((client) => {
      const openAt = Date.now() + roundTripMs;
      const upstream = connect(target(), 'localhost');
      const flow: Flow = { to: client, from: upstream, waiting: [], bytes: 0, isEnded: false, deliver: inOrder() };
      const send = inOrder();
      this.flows.add(flow);
      for (const socket of [client, upstream]) {
        socket.setNoDelay(true);
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.sockets.delete(socket);
          if (socket === client) {
            this.flows.delete(flow);
            upstream.destroy();
          }
        });
      }
      client.on('data', (data) => {
        const path = /^[A-Z]+ (\S+) HTTP\/1\.1/.exec(data.toString('latin1', 0, 2000))?.[1];
        if (path) this.requests.push({ at: Date.now(), path });
        send(() => upstream.writable && upstream.write(data), Math.max(0, openAt - Date.now()) + roundTripMs / 2);
      });
      upstream.on('data', (data) => {
        for (let i = 0; i < data.length; i += packet) flow.waiting.push(data.subarray(i, i + packet));
        flow.bytes += data.length;
        if (flow.bytes > window) upstream.pause();
        this.pump();
      });
      upstream.on('close', () => {
        flow.isEnded = true;
        if (flow.bytes === 0) flow.deliver(() => client.end(), roundTripMs);
      });
    });
  }

  listen = () =>
    new Promise<number>((resolve) => {
      this.server.listen(0, 'localhost', () => resolve((this.server.address() as AddressInfo).port));
    });

  /** The bytes of answers that had arrived at a moment. */
  bytesAt = (moment: number): number => this.arrived.findLast(({ at }) => at <= moment)?.bytes ?? 0;

  close = async () => {
    if (this.timer) clearTimeout(this.timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  };

  private pump = () => {
    if (this.timer) return;
    const now = Date.now();
    // A timer that is late, on a busy machine, must not make the line thinner.
    if (!this.isBusy) this.freeAt = Math.max(this.freeAt, now);
    this.isBusy = true;
    // A few milliseconds ahead: timers are no finer.
    while (this.freeAt < now + 10) {
      if (this.turn.length === 0) this.turn = [...this.flows].filter((f) => f.waiting.length > 0);
      const flow = this.turn.shift();
      const piece = flow?.waiting.shift();
      if (!flow || !piece) {
        if ([...this.flows].some((f) => f.waiting.length > 0)) continue;
        this.isBusy = false;
        return;
      }
      this.freeAt += piece.length / this.bytesPerMs;
      flow.deliver(
        () => {
          this.total += piece.length;
          this.arrived.push({ at: Date.now(), bytes: this.total });
          if (flow.to.writable) flow.to.write(piece);
          flow.bytes -= piece.length;
          if (flow.bytes < window / 2) flow.from.resume();
          if (flow.isEnded && flow.bytes === 0) flow.to.end();
        },
        this.freeAt - now + this.roundTripMs / 2,
      );
    }
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.pump();
      },
      this.freeAt - now - 5,
    );
  };
}
