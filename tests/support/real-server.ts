import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { freePort } from '#tests/support/free-port.ts';

const root = new URL('../../', import.meta.url).pathname;

/** A program of a test lives for seconds: the embedded database is compiled once, and not a second time to be faster. Not where speed is measured. */
export const shortLived = ['--liftoff-only'];
/** What Node has compiled of the server, for the next one that starts. */
export const compiled = join(root, 'node_modules', '.cache', 'lantern-server');

/** A server of a test, which it can stop and start again with its data; `close` ends it for good. */
export type TestServer = {
  readonly url: string;
  /** The URL of the content origin. */
  readonly contentUrl: string;
  readonly folder: string;
  /** Undefined where its database is the embedded one, in its folder. */
  readonly databaseUrl: string | undefined;
  readonly isRunning: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The real server in its own process, with its own port and data, which can be stopped and restarted. Started for a short life,
 * unless it is set up for production.
 */
export class RealServer implements TestServer {
  readonly url: string;
  /** The URL of the content origin. */
  readonly contentUrl: string;
  private process: ChildProcess | null = null;
  private output = '';
  private readonly port: number;
  private readonly contentPort: number;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  private readonly env: Record<string, string>;
  private constructor(port: number, contentPort: number, folder: string, env: Record<string, string>) {
    this.port = port;
    this.contentPort = contentPort;
    this.folder = folder;
    this.env = env;
    this.databaseUrl = env.DATABASE_URL;
    this.url = `${env.TLS_CERT ? 'https' : 'http'}://localhost:${port}`;
    this.contentUrl = `${env.TLS_CERT ? 'https' : 'http'}://localhost:${contentPort}`;
  }
  /** `planted`: with a canary organisation. `folder`: existing data, deleted with the server. */
  static async create(env: Record<string, string> = {}, planted = false, folder?: string): Promise<RealServer> {
    const server = await RealServer.notStarted(env, planted, folder);
    await server.start();
    return server;
  }
  static async notStarted(env: Record<string, string> = {}, planted = false, folder?: string): Promise<RealServer> {
    return new RealServer(await freePort(), await freePort(), folder ?? (await demoFolder(planted)), env);
  }
  /** Another server on the same data, not started. */
  async beside(): Promise<RealServer> {
    return new RealServer(await freePort(), await freePort(), this.folder, this.env);
  }
  async start(): Promise<void> {
    const child = spawn(join(root, 'node_modules/.bin/node'), [...(this.env.NODE_ENV === 'production' ? [] : shortLived), 'server/main.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compiled,
        NODE_ENV: 'development',
        LOG_LEVEL: 'warn',
        PORT: String(this.port),
        CONTENT_PORT: String(this.contentPort),
        DATA_DIR: this.folder,
        PUBLIC_URL: this.url,
        ...this.env,
      },
    });
    this.process = child;
    await new Promise<void>((resolve, reject) => {
      const read = (data: Buffer) => {
        this.output += data.toString();
        if (this.output.includes('Lantern is at')) resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.on('exit', (code) => reject(new Error(`the server ended with ${code}\n${this.output}`)));
    });
    this.output = '';
  }
  /** Its output since the start. */
  get said(): string {
    return this.output;
  }
  /** Its process id. */
  get pid(): number {
    return this.process?.pid ?? 0;
  }
  get isRunning(): boolean {
    return this.process !== null && this.process.exitCode === null && this.process.signalCode === null;
  }
  /** Stops the server and keeps its data. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (!this.process || this.process.exitCode !== null) return;
    const gone = once(this.process, 'exit');
    this.process.kill(signal);
    await gone;
    this.process = null;
  }
  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
