import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as after } from 'node:timers/promises';

/** The lock file. It stays empty and in place: deleting it while a server runs would release that server's lock. */
export const lockFile = 'database.lock';
/** Names the holder, for people. Nothing is decided by it. */
const holderFile = 'lock';
const sqliteBusy = 5;
const tryEveryMs = 100;
const saysSoAfterMs = 1000;
const looksEveryMs = 5000;

type Options = {
  /** A server that was killed or asked to stop may need a moment to exit. */
  waitMs?: number;
  say?: (line: string) => void;
  /** The lock file is no longer the one that was locked: another server could start beside this one. */
  onLost?: (why: string) => void;
};

const take = (path: string): DatabaseSync | null => {
  const holder = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, not even a journal: a full disk must not look like a lock, and a killed server leaves nothing behind.
    holder.exec('pragma journal_mode = memory; begin exclusive');
    return holder;
  } catch (error) {
    holder.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null;
    throw new Error(
      `${path} cannot be locked (${(error as Error).message}). DATA_DIR needs a file system that has file locks; the embedded database must never be opened twice.`,
    );
  }
};
const holderOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim() || 'another server';
  } catch {
    return 'another server';
  }
};

/**
 * Takes the folder for this process: a second server on the same embedded database would destroy it. The lock is one of the operating
 * system (through SQLite, which Node includes: fcntl, on Windows LockFileEx): it works between containers that share a volume, whatever
 * their process ids, and is released exactly when the last thread of the process ends. Returns the release. Throws if another process holds
 * it for longer than `waitMs`.
 */
export const lockDirectory = async (
  directory: string,
  { waitMs = 10_000, say = () => undefined, onLost = () => undefined }: Options = {},
): Promise<() => void> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, lockFile);
  const holderPath = join(directory, holderFile);
  const began = Date.now();
  let isLogged = false;
  let held = take(path);
  while (!held) {
    const waited = Date.now() - began;
    if (waited >= waitMs)
      throw new Error(`${directory} is in use by another server (${holderOf(holderPath)}). Stop it, or set DATA_DIR to another folder.`);
    if (!isLogged && waited >= saysSoAfterMs) {
      isLogged = true;
      say(`${directory} is in use by ${holderOf(holderPath)}. Waiting up to ${Math.round(waitMs / 1000)} s for it to end.`);
    }
    await after(tryEveryMs);
    held = take(path);
  }
  const locked = held;
  const { ino, dev } = statSync(path);
  try {
    chmodSync(path, 0o600);
    writeFileSync(holderPath, `process ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`, { mode: 0o600 });
  } catch {
    // Only informative; a full disk must not keep a server from starting.
  }
  const looking = setInterval(() => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now && now.ino === ino && now.dev === dev) return;
    clearInterval(looking);
    onLost(`${path} was deleted or replaced while this server held its lock`);
  }, looksEveryMs);
  looking.unref();
  return () => {
    clearInterval(looking);
    rmSync(holderPath, { force: true });
    locked.close();
  };
};
