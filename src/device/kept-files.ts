import { useLiveQuery } from '#src/device/use-live-query.ts';
import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import type { Result } from '#src/api/transport.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** Files stored for the next shift: certificates of the person's own results, and documents of their sessions and bookings. Encrypted, and deleted at sign-out. */
export type KeptFileName = `certificate:${string}` | `session-document:${string}:${string}` | `booking-document:${string}:${string}`;
type KeptFile = { type: string; disposition: string | null; bytes: string };
const prefix = 'file:';

/** Fetches a file and stores it. Returns whether it is on this device now. Throws a QuotaExceededError. */
export const keepFile = async (name: KeptFileName, read: () => Promise<Result<Blob>>): Promise<boolean> => {
  const user = currentUser();
  if (!user || currentActingAs()) return false;
  const answer = await read();
  if (answer.kind !== 'ok') return false;
  const bytes = toBase64(new Uint8Array(await answer.data.arrayBuffer()));
  const value: KeptFile = { type: answer.data.type, disposition: answer.headers.get('Content-Disposition'), bytes };
  await personDb(user.uuid).kv.put({ key: prefix + name, value });
  return true;
};

/** The names of all stored files. */
export const keptFileNames = async (): Promise<Set<string>> => {
  const user = currentUser();
  if (!user || currentActingAs()) return new Set();
  const keys = await personDb(user.uuid).kv.where('key').startsWith(prefix).primaryKeys();
  return new Set(keys.map((key) => String(key).slice(prefix.length)));
};

/** Deletes stored files that are not among these. */
export const dropOtherFiles = async (needed: ReadonlySet<string>): Promise<void> => {
  const user = currentUser();
  if (!user || currentActingAs()) return;
  const extra = [...(await keptFileNames())].filter((name) => !needed.has(name));
  await personDb(user.uuid).kv.bulkDelete(extra.map((name) => prefix + name));
};

/** The server's answer; without a connection, the stored file if there is one. */
export const readOrKept = async (name: KeptFileName, read: () => Promise<Result<Blob>>): Promise<Result<Blob>> => {
  const answer = await read();
  const user = currentUser();
  if (answer.kind !== 'unreachable' || !user || currentActingAs()) return answer;
  const kept = (await personDb(user.uuid).kv.get(prefix + name))?.value as KeptFile | undefined;
  if (!kept) return answer;
  const headers = new Headers(kept.disposition === null ? {} : { 'Content-Disposition': kept.disposition });
  return { kind: 'ok', status: 200, data: new Blob([fromBase64(kept.bytes)], { type: kept.type }), meta: undefined, headers };
};

const none: ReadonlySet<string> = new Set();
/** The names of all stored files, kept up to date. */
export const useKeptFiles = (): ReadonlySet<string> => useLiveQuery(keptFileNames, []) ?? none;
