import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { AttemptChange, AttemptCommand } from '#contract/commands/attempt-commands.ts';
import type { ArgsOf } from '#contract/kinds.ts';
import { protocol } from '#contract/protocol.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { openDatabase, type OpenDatabase } from '#server/db/open.ts';
import { makeTestDatabase } from '#tests/support/test-database.ts';
import { watchTold } from '#tests/support/told.ts';

/** The real server on the database of this run with demo data, called without a socket. */
export type TestApp = {
  app: FastifyInstance;
  database: OpenDatabase;
  clock: { now: Date };
  folder: string;
  /** Statements that stored messages and e-mails apart from what they report: none when the app is closed. */
  toldApart: string[];
  client(): TestClient;
  close(): Promise<void>;
};

/**
 * The code of the embedded database. While somebody holds it, the threads of one process share what was compiled and optimised:
 * the second database costs less than half of the first.
 */
let compiled: Promise<WebAssembly.Module> | null = null;
const compileOnce = () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  compiled ??= readFile(join(folder, 'pglite.wasm')).then((code) => WebAssembly.compile(code));
  return compiled;
};

/** Test files by the apps that they have not closed. All files of a worker share its process: what one leaves open is open for the others. */
const open = new Map<FastifyInstance, string>();
const refuseLeft = (file: string) => {
  const left = [...open.values()].filter((other) => other !== file);
  open.clear();
  if (left.length > 0) throw new Error(`${left[0]} has not closed its app: afterAll(() => server.close())`);
};

export const startTestApp = async (env: Record<string, string> = {}): Promise<TestApp> => {
  const file = expect.getState().testPath ?? '';
  refuseLeft(file);
  const { folder, url, remove } = await makeTestDatabase();
  if (!url) await compileOnce();
  const config = readConfig({
    ...{ NODE_ENV: 'test', LOG_LEVEL: process.env.TEST_LOG ?? 'silent', DATA_DIR: folder, ...(url && { DATABASE_URL: url }) },
    ...env,
  });
  const database = await openDatabase(config);
  const toldApart = watchTold(database.pool);
  const clock = { now: new Date() };
  const app = await createApp({ config, db: database.db, secretKey: 'test-key', now: () => new Date(clock.now) });
  open.set(app, file);
  return {
    app,
    database,
    clock,
    folder,
    toldApart,
    client: () => new TestClient(app),
    close: async () => {
      open.delete(app);
      await app.close();
      await database.close();
      await remove();
      expect(toldApart, 'messages and e-mails stored apart from what they report').toEqual([]);
    },
  };
};

type Body = Record<string, unknown> & { data?: unknown };

/** A browser's side of a session: cookies and CSRF header. */
export class TestClient {
  readonly app: FastifyInstance;
  readonly cookies = new Map<string, string>();
  constructor(app: FastifyInstance) {
    this.app = app;
  }
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const csrf = this.cookies.get(protocol.csrfCookie);
    const response = await this.app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(csrf ? { [protocol.csrfHeader]: csrf } : {}),
        ...headers,
      },
      cookies: Object.fromEntries(this.cookies),
      ...(body === undefined ? {} : { payload: body as string }),
    });
    for (const cookie of response.cookies) {
      if (cookie.value === '') this.cookies.delete(cookie.name);
      else this.cookies.set(cookie.name, cookie.value);
    }
    return response;
  }
  /** Sends a request and returns status and parsed body. */
  async json<T = Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: T; headers: Record<string, unknown> }> {
    const response = await this.send(method, path, body, headers);
    return { status: response.statusCode, body: (response.body === '' ? undefined : response.json()) as T, headers: response.headers };
  }
  async signIn(email: string, password = demoPassword) {
    await this.send('GET', '/sanctum/csrf-cookie');
    const { status, body } = await this.json<{ data: { uuid: string } }>('POST', '/login', { email, password });
    if (status !== 200) throw new Error(`sign-in of ${email} answered ${status}`);
    return body.data;
  }
}

/** A change as a device creates it. */
export const change = <C extends AttemptCommand>(command: C, args: ArgsOf<C>, more: { id?: string; at?: string } = {}): AttemptChange =>
  ({ id: more.id ?? randomUUID(), version: 1, at: more.at ?? new Date().toISOString(), command, args }) as AttemptChange;
