import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { protocol } from '#contract/protocol.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { backUp, restore } from '#server/operator/backup.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * Faults of the embedded database's folder while messages are written: its server is killed and restarted at the same moment, a
 * second server starts, a process id is reused, the database's version file is missing, a backup is killed. Acknowledged messages
 * must remain, nothing may be overwritten, and nobody else may be able to read it. Servers start under a umask that lets everyone
 * read and write.
 */
const [writer, reader] = ['trainer', 'learner'].map((who) => `${who}@willowbrook.test`) as [string, string];
const [writerId, readerId] = [writer, reader].map((email) => demoId(`user:${email}`)) as [string, string];
const passphrase = 'four words of my own';
const refusesWithinMs = 60_000;
const writersAtOnce = 3;
const counts = { messages: 0, starts: 0, 'second servers': 0, 'backups killed': 0, 'of them finished before': 0 };
let umask = 0;

/** Writes messages and records which were acknowledged. */
class Writer {
  readonly answered = new Set<string>();
  private readonly cookies = new Map<string, string>();
  private csrf = '';
  private no = 0;
  private readonly name = randomUUID();
  private async ask(server: RealServer, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Cookie', [...this.cookies].map(([k, v]) => `${k}=${v}`).join('; '));
    headers.set('Content-Type', 'application/json');
    headers.set(protocol.csrfHeader, this.csrf);
    const answer = await fetch(`${server.url}/api${path}`, { ...init, headers });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      this.cookies.set(name, value);
    }
    this.csrf = answer.headers.get(protocol.csrfHeader) ?? this.csrf;
    return answer;
  }
  async signIn(server: RealServer): Promise<void> {
    await this.ask(server, '/sanctum/csrf-cookie');
    const answer = await this.ask(server, '/login', { method: 'POST', body: JSON.stringify({ email: writer, password: demoPassword }) });
    if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  }
  /** Writes several messages at a time until stopped or unanswered. Returns a function that stops it. */
  keepWriting(server: RealServer, pauseMs = 20): () => Promise<unknown> {
    let stopped = false;
    const one = async () => {
      while (!stopped) {
        const text = `${this.name} ${this.no++}`;
        const answer = await this.ask(server, `/users/${readerId}/message`, {
          method: 'POST',
          headers: { [protocol.idempotencyHeader]: randomUUID() },
          body: JSON.stringify({ message: text }),
        })
          // Only complete answers count.
          .then(async (a) => {
            await a.text();
            return a.ok;
          })
          .catch(() => null);
        if (answer) this.answered.add(text);
        if (answer === null) return;
        await after(pauseMs);
      }
    };
    const all = Promise.all(Array.from({ length: writersAtOnce }, one));
    return () => {
      stopped = true;
      return all;
    };
  }
  async writeSome(server: RealServer, random: () => number): Promise<void> {
    const before = this.answered.size;
    const stop = this.keepWriting(server);
    const until = before + 1 + Math.floor(random() * 8);
    for (let i = 0; this.answered.size < until && i < 200; i++) await after(10);
    await stop();
  }
  /** Acknowledged messages that do not exist exactly once. */
  lost(there: readonly string[]): string[] {
    const ours = there.filter((text) => text.startsWith(this.name));
    const lost = [...this.answered].filter((text) => !ours.includes(text));
    return [
      ...(lost.length > 0 ? [`${lost.length} of ${this.answered.size} messages that were answered are lost`] : []),
      ...(new Set(ours).size < ours.length ? ['a message is there twice'] : []),
    ];
  }
  async lostOn(server: RealServer): Promise<string[]> {
    const answer = await this.ask(server, `/users/${writerId}/sent/${readerId}/messages`);
    if (!answer.ok) return [`the messages could not be read: ${answer.status}`];
    return this.lost(((await answer.json()) as { data: { message: string }[] }).data.map((m) => m.message));
  }
}

const pathsIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
];
/** Files readable by others. A server may delete files meanwhile. */
const readable = (folder: string): string[] => {
  const open = pathsIn(folder).filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);
  return open.length === 0 ? [] : [`others can read or write ${open.length} files, such as ${open[0]}`];
};
/** Permissions as left by an earlier version. */
const openToAll = (folder: string, random: () => number) => {
  for (const path of pathsIn(folder)) if (random() < 0.3) chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666);
  chmodSync(folder, 0o755);
};
const fingerprint = (folder: string): string[] =>
  pathsIn(folder)
    .filter((path) => statSync(path).isFile() && !/[\\/](lock|database\.lock|socket)$/.test(path))
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .sort();
const difference = (a: string[], b: string[]): string[] => [...a.filter((line) => !b.includes(line)), ...b.filter((line) => !a.includes(line))];

/** A start that must be refused; returns the reason. */
const refusal = async (server: RealServer): Promise<string> => {
  const said = await Promise.race([
    server.start().then(() => 'it has started', String),
    after(refusesWithinMs, 'it neither starts nor ends', { ref: false }),
  ]);
  await server.stop('SIGKILL');
  return said;
};

type History = { server: RealServer; writer: Writer; random: () => number; wrong: string[] };
const started = async (h: History, server: RealServer): Promise<void> => {
  await server.start();
  counts.starts++;
  h.server = server;
  h.wrong.push(...readable(server.folder), ...(await h.writer.lostOn(server)));
};

/** Killed while writing and restarted before its process is gone, with its process id reused. */
const killed = async (h: History) => {
  const stop = h.writer.keepWriting(h.server);
  await after(h.random() * 400);
  const [first, next] = [h.server, await h.server.beside()];
  // A lock file of an earlier version, or of this one.
  writeFileSync(join(first.folder, 'lock'), h.random() < 0.5 ? String(process.pid) : `process ${process.pid} on here, since now\n`);
  process.kill(first.pid, 'SIGKILL');
  await started(h, next);
  await stop();
  h.wrong.push(...(await h.writer.lostOn(next)));
};
const second = async (h: History) => {
  counts['second servers']++;
  const stop = h.writer.keepWriting(h.server, 200);
  const said = await refusal(await h.server.beside());
  if (!/in use by another server \(process \d+/.test(said)) h.wrong.push(`a second server beside the first: ${said}`);
  await stop();
  await h.writer.writeSome(h.server, h.random);
  h.wrong.push(...(await h.writer.lostOn(h.server)));
};
/** The first server ends while the second waits for it. */
const takeover = async (h: History) => {
  counts['second servers']++;
  const [first, next] = [h.server, await h.server.beside()];
  const stop = h.writer.keepWriting(first, 60);
  const starting = started(h, next);
  await after(h.random() * 3000);
  process.kill(first.pid, h.random() < 0.5 ? 'SIGKILL' : 'SIGTERM');
  await starting;
  await stop();
  h.wrong.push(...(await h.writer.lostOn(next)));
};
const lostVersion = async (h: History) => {
  await h.server.stop(h.random() < 0.5 ? 'SIGKILL' : 'SIGTERM');
  const { folder } = h.server;
  const database = join(folder, 'database');
  const away = mkdtempSync(join(tmpdir(), 'lantern-away-'));
  // The version file, or the whole database.
  const [from, to] = h.random() < 0.7 ? [join(database, 'PG_VERSION'), join(away, 'PG_VERSION')] : [database, join(away, 'database')];
  cpSync(from, to, { recursive: true });
  rmSync(from, { recursive: true });
  const before = fingerprint(folder);
  const said = await refusal(h.server);
  if (!/(PG_VERSION is missing|uploaded files, but no database)[\s\S]+Nothing has been changed/.test(said))
    h.wrong.push(`without its version: ${said}`);
  const changed = difference(before, fingerprint(folder));
  if (changed.length > 0) h.wrong.push(`in a folder that was refused ${changed.length} files were changed: ${changed.slice(0, 3).join(', ')}`);
  cpSync(to, from, { recursive: true });
  rmSync(away, { recursive: true });
  openToAll(folder, h.random);
  await started(h, h.server);
};

const damage = (folder: string, random: () => number): string => {
  const files = pathsIn(folder).filter((path) => statSync(path).isFile());
  const path = files[Math.floor(random() * files.length)] as string;
  const size = statSync(path).size;
  const how = Math.floor(random() * 4);
  if (how === 0) rmSync(path);
  else if (how === 1) truncateSync(path, Math.floor(random() * size));
  else if (how === 2) {
    const bytes = readFileSync(path);
    const at = Math.floor(random() * size);
    bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8));
    writeFileSync(path, bytes);
  } else {
    const other = files[(files.indexOf(path) + 1) % files.length] as string;
    renameSync(path, `${path}.swapped`);
    renameSync(other, path);
    renameSync(`${path}.swapped`, other);
  }
  return `${['gone', 'cut', 'altered', 'swapped'][how]}: ${path}`;
};
/** Kills a backup at a random moment, then damages a complete one, then restores the complete one. */
const backup = async (h: History) => {
  await h.server.stop();
  const { folder } = h.server;
  const place = mkdtempSync(join(tmpdir(), 'lantern-backups-'));
  const [cut, whole, broken, target] = ['cut', 'whole', 'broken', 'target'].map((name) => join(place, name)) as [string, string, string, string];
  const words = h.random() < 0.5 ? passphrase : undefined;
  const source = await openDatabase({ DATA_DIR: folder });
  await backUp(source.db, whole, { dataFolder: folder, filesOnDisk: true, now: new Date(), passphrase: words });
  await source.close();

  counts['backups killed']++;
  const child = spawn(process.execPath, ['server/operator.ts', 'backup', cut, ...(words ? ['--encrypt'] : [])], {
    env: { ...process.env, DATA_DIR: folder, BACKUP_PASSPHRASE: words ?? '' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  // After part of its output.
  const most = pathsIn(whole).length * h.random();
  while (child.exitCode === null && (!existsSync(cut) || pathsIn(cut).length < most)) await after(1);
  child.kill('SIGKILL');
  await ended;
  h.wrong.push(...readable(whole), ...readable(cut));
  const isWhole = readdirSync(cut).some((name) => /^manifest\.jsonl(\.sealed)?$/.test(name));
  if (isWhole) counts['of them finished before']++;

  cpSync(whole, broken, { recursive: true });
  const refused = { [broken]: damage(broken, h.random), ...(isWhole ? {} : { [cut]: 'a backup that was killed' }) };
  const database = await openDatabase({ DATA_DIR: target });
  const bring = (from: string) => restore(database, from, { files: createFileStore(join(target, 'files')), passphrase: words });
  for (const [from, what] of Object.entries(refused)) {
    const said = await bring(from).then(() => 'it was restored', String);
    if (!said.includes(from)) h.wrong.push(`${what}: ${said}`);
    if (await database.db.one(sql`select 1 as one from information_schema.tables where table_schema = 'public'`))
      h.wrong.push(`${what}: it was refused, and the database is not empty`);
  }
  await bring(isWhole ? cut : whole);
  h.wrong.push(...h.writer.lost((await database.db.all<{ message: string }>(sql`select message from messages`)).map((m) => m.message)));
  await database.close();
  h.wrong.push(...readable(join(target, 'database')));
  rmSync(place, { recursive: true, force: true });
  await started(h, h.server);
};

const befalls = [killed, second, lostVersion, takeover, backup];

export const campaign: Campaign = {
  name: 'data-folder',
  runs: { ci: 1, demand: 50 },
  prepare: async () => {
    umask = process.umask(0);
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const server = await RealServer.notStarted();
    const h: History = { server, writer: new Writer(), random, wrong: [] };
    try {
      openToAll(server.folder, random);
      await server.start();
      h.wrong.push(...readable(server.folder));
      await h.writer.signIn(server);
      const order = befalls.map((befall) => ({ befall, at: random() })).sort((a, b) => a.at - b.at);
      for (const { befall } of order) {
        await h.writer.writeSome(h.server, random);
        const before = h.wrong.length;
        await befall(h);
        for (let i = before; i < h.wrong.length; i++) h.wrong[i] = `${befall.name}: ${h.wrong[i]}`;
      }
      counts.messages += h.writer.answered.size;
      return h.wrong;
    } finally {
      await h.server.stop();
      rmSync(server.folder, { recursive: true, force: true });
    }
  },
  facts: () =>
    Object.entries(counts)
      .map(([what, n]) => `${what} ${n}`)
      .join(', '),
  finish: async () => {
    process.umask(umask);
  },
};
