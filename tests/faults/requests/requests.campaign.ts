import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Agent, get as getPlain } from 'node:http';
import { get as getTls } from 'node:https';
import type { Campaign } from '#tests/faults/campaign.ts';
import { asHttp1, asHttp2, frames, malformed, noHttp1 } from '#tests/faults/requests/malformed.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { signedIn as signedInTo } from '#tests/support/signed-in.ts';

/**
 * Many malformed requests of every kind, simultaneously, to the app and the content origin, over plain HTTP in development and
 * TLS (HTTP/1.1 and HTTP/2) in production. The server must stay up, answer no client mistake with 5xx, and answer valid requests
 * in time.
 */
const answersWithinMs = 3000;
/** Or this multiple of an undisturbed answer just before, because the machine may be busy. */
const timesUndisturbed = 20;
const atOnce = 12;

type Way = 'http' | 'tls' | 'h2';
let plain: RealServer;
let secure: RealServer;
let folder: string;
const signedIn = new Map<RealServer, [string, string][]>();
let sent = 0;
let slowest = 0;

const ask = (url: string): Promise<{ status: number; ms: number }> =>
  new Promise((resolve) => {
    const began = performance.now();
    const done = (status: number) => resolve({ status, ms: performance.now() - began });
    const get = url.startsWith('https') ? getTls : getPlain;
    const request = get(
      url,
      { agent: url.startsWith('https') ? undefined : new Agent(), rejectUnauthorized: false, timeout: 30_000 } as never,
      (answer) => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode ?? 0));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => done(0));
  });

const line = (url: string, way: Way): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const port = Number(new URL(url).port);
    const socket: Socket =
      way === 'http'
        ? connect(port, 'localhost', () => resolve(socket))
        : connectTls({ port, host: 'localhost', rejectUnauthorized: false, ALPNProtocols: [way === 'h2' ? 'h2' : 'http/1.1'] }, () =>
            resolve(socket),
          );
    socket.once('error', reject);
  });

/** Sends bytes completely, truncated or slowly; returns what was received until the connection was quiet. */
const sendRaw = async (url: string, way: Way, bytes: Buffer, how: 'whole' | 'cut' | 'slow'): Promise<{ text: string; ms: number | null }> => {
  const socket = await line(url, way);
  socket.on('error', () => undefined);
  const parts: Buffer[] = [];
  const began = performance.now();
  let first: number | null = null;
  return await new Promise((resolve) => {
    let quiet: NodeJS.Timeout;
    const end = () => {
      clearTimeout(quiet);
      socket.destroy();
      resolve({ text: Buffer.concat(parts).toString('latin1'), ms: first });
    };
    const wait = (ms: number) => {
      clearTimeout(quiet);
      quiet = setTimeout(end, ms);
    };
    socket.on('data', (part) => {
      first ??= performance.now() - began;
      parts.push(part as Buffer);
      wait(100);
    });
    socket.on('close', end);
    wait(how === 'whole' ? 1500 : 500);
    if (how === 'whole') socket.write(bytes);
    else if (how === 'cut') socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket.destroy());
    else for (let i = 0; i < 8; i++) setTimeout(() => socket.writable && socket.write(bytes.subarray(i, i + 1)), i * 40);
  });
};

export const campaign: Campaign = {
  name: 'requests',
  alone: true,
  runs: { ci: 40, demand: 2000 },
  prepare: async () => {
    folder = mkdtempSync(join(tmpdir(), 'lantern-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'], {
      stdio: 'ignore',
    });
    plain = await RealServer.create();
    secure = await RealServer.create({ TLS_CERT: cert, TLS_KEY: key, NODE_ENV: 'production' });
    signedIn.set(plain, Object.entries(await signedInTo(plain, 'manager@willowbrook.test')));
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const server = seed % 2 === 0 ? plain : secure;
    if (!server.isRunning) await server.start();
    const wrong: string[] = [];
    const before = await ask(`${server.url}/api/check`);
    const limit = Math.max(answersWithinMs, timesUndisturbed * before.ms);
    const one = async () => {
      const origin = random() < 0.75 ? server.url : server.contentUrl;
      const way: Way = server === plain ? 'http' : random() < 0.5 ? 'h2' : 'tls';
      const how = random() < 0.8 ? 'whole' : random() < 0.5 ? 'cut' : 'slow';
      const bytes =
        way === 'h2'
          ? asHttp2((frames[Math.floor(random() * frames.length)] as (typeof frames)[number])(random))
          : random() < 0.1
            ? (noHttp1[Math.floor(random() * noHttp1.length)] as (typeof noHttp1)[number])()
            : asHttp1(malformed(random, new URL(origin).host, signedIn.get(server) ?? []));
      sent++;
      const { text, ms } = await sendRaw(origin, way, bytes, how);
      // Status lines of HTTP/1.1; one connection may carry several.
      for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
        if (Number(status) >= 500) wrong.push(`${status} for ${JSON.stringify(bytes.subarray(0, 300).toString('latin1'))}\n    ${text.slice(-300)}`);
      if (how === 'whole' && ms !== null && ms > limit)
        wrong.push(`answered after ${Math.round(ms)} ms: ${bytes.subarray(0, 200).toString('latin1')}`);
    };
    // Connections that never complete a request.
    const idle = await Promise.all(Array.from({ length: 4 }, () => line(server.url, server === plain ? 'http' : 'tls').catch(() => null)));
    for (const socket of idle) {
      socket?.on('error', () => undefined);
      socket?.write(random() < 0.5 ? 'GET /api/check HT' : 'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{');
    }
    await Promise.all([
      ...Array.from({ length: atOnce }, () => one().catch((error: Error) => void wrong.push(`the line was refused: ${error.message}`))),
      ...[`${server.url}/api/check`, `${server.contentUrl}/player/`].map(async (url) => {
        const { status, ms } = await ask(url);
        slowest = Math.max(slowest, ms);
        if (status === 0 || status >= 500) wrong.push(`${url} answered ${status} meanwhile`);
        if (ms > limit) wrong.push(`${url} answered after ${Math.round(ms)} ms`);
      }),
    ]);
    for (const socket of idle) socket?.destroy();
    if ((await ask(`${server.url}/api/check`)).status !== 200) wrong.push('the server is down');
    if (!server.isRunning) {
      wrong.push(`the server has ended:\n${server.said.slice(-1500)}`);
      await server.start();
    }
    return wrong;
  },
  facts: () => `${sent} requests, the slowest proper answer beside them after ${Math.round(slowest)} ms`,
  finish: async () => {
    await Promise.all([plain.close(), secure.close()]);
    rmSync(folder, { recursive: true, force: true });
  },
};
