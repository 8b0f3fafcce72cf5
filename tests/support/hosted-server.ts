import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { copyFolder } from '#tests/support/demo-folder.ts';
import { freePort } from '#tests/support/free-port.ts';
import { copyOfDatabase } from '#tests/support/postgres-cluster.ts';
import { compiled, type TestServer } from '#tests/support/real-server.ts';
import type { HostAnswer, HostRequest } from '#tests/support/server-host.ts';

/** What browser-setup.ts makes, and under which names tests find it in their environment. */
export const hostedTemplate = { database: 'lantern_template', url: 'LANTERN_TEST_POSTGRES', folder: 'LANTERN_TEST_FILES' } as const;
const asAdmin = async (statement: string) => {
  const admin = new pg.Client(process.env[hostedTemplate.url]);
  await admin.connect();
  await admin.query(statement);
  await admin.end();
};

type Asked = { start: Record<string, string> } | { stop: number };

/** The process in which the servers of one worker run; started with the first, and again after it has ended. */
export class ServerHost {
  private child: ChildProcess | null = null;
  private last = 0;
  private readonly waiting = new Map<number, { done(no: number): void; failed(error: Error): void }>();

  private started(): ChildProcess {
    if (this.child?.connected) return this.child;
    const child = fork(new URL('./server-host.ts', import.meta.url).pathname, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    });
    child.on('message', ({ no, failed }: HostAnswer) => {
      const asked = this.waiting.get(no);
      this.waiting.delete(no);
      if (failed === null) asked?.done(no);
      else asked?.failed(new Error(failed));
    });
    child.on('exit', (code) => {
      for (const { failed } of this.waiting.values()) failed(new Error(`the process of the servers ended with ${code}`));
      this.waiting.clear();
    });
    this.child = child;
    return child;
  }
  /** Asks the process, and answers the number of the request. */
  ask(what: Asked): Promise<number> {
    const no = ++this.last;
    const child = this.started();
    return new Promise((done, failed) => {
      this.waiting.set(no, { done, failed });
      child.send({ no, ...what } satisfies HostRequest);
    });
  }
  async close(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  }
}

/** The real server with its own ports, database and files, in a process that it shares with others; it can be stopped and started again. */
export class HostedServer implements TestServer {
  readonly url: string;
  /** The URL of the content origin. */
  readonly contentUrl: string;
  readonly folder: string;
  readonly databaseUrl: string;
  private no: number | null = null;
  private readonly host: ServerHost;
  private readonly database: string;
  private readonly env: Record<string, string>;
  private constructor(host: ServerHost, [port, contentPort]: [number, number], env: Record<string, string>) {
    this.host = host;
    this.database = `t_${randomUUID().replaceAll('-', '')}`;
    this.databaseUrl = (process.env[hostedTemplate.url] as string).replace(/postgres$/, this.database);
    this.folder = mkdtempSync(join(tmpdir(), 'lantern-test-'));
    this.url = `http://localhost:${port}`;
    this.contentUrl = `http://localhost:${contentPort}`;
    this.env = {
      ...{ NODE_ENV: 'development', LOG_LEVEL: 'warn', PORT: String(port), CONTENT_PORT: String(contentPort), PUBLIC_URL: this.url },
      ...{ DATA_DIR: this.folder, DATABASE_URL: this.databaseUrl, DATABASE_CONNECTIONS: '4' },
      ...env,
    };
  }
  /** With the demo data and a canary organisation. */
  static async create(host: ServerHost, env: Record<string, string> = {}): Promise<HostedServer> {
    const server = new HostedServer(host, [await freePort(), await freePort()], env);
    await copyFolder(process.env[hostedTemplate.folder] as string, server.folder);
    await asAdmin(copyOfDatabase(server.database, hostedTemplate.database));
    await server.start();
    return server;
  }
  async start(): Promise<void> {
    this.no = await this.host.ask({ start: this.env });
  }
  get isRunning(): boolean {
    return this.no !== null;
  }
  /** Stops the server and keeps its data. */
  async stop(): Promise<void> {
    const { no } = this;
    this.no = null;
    if (no !== null) await this.host.ask({ stop: no });
  }
  async close(): Promise<void> {
    await this.stop();
    await asAdmin(`drop database ${this.database} with (force)`);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
