import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { privateFile, privateFolder } from '#server/files/private-files.ts';
import { type BackupKeys, deriveKeys, newSalt, opened, sealed } from '#server/operator/sealed-stream.ts';

/** Files of a backup: the rows, the stored files, and last the manifest, which lists what must be present. */
export const databaseName = 'database.jsonl.gz';
export const manifestName = 'manifest.jsonl';
export const filesFolder = 'files';
const keyName = 'key.json';
const sealedEnd = '.sealed';
const draftEnd = '.part';
export const fileName = (hash: string): string => `${filesFolder}/${hash.slice(0, 2)}/${hash}`;
const ofFile = /^files\/..\/(.+)$/;

/** Why a backup cannot be used, as a message for the operator. */
export class BackupRefused extends Error {}

export type Measure = { bytes: number; sha256: string };
type Bytes = AsyncIterable<Buffer>;

/** Passes a stream through and reports its size and hash at the end. */
const measured = (note: (measure: Measure) => void) =>
  async function* (source: Bytes): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    note({ bytes, sha256: hash.digest('hex') });
  };

const placeIn = (folder: string, keys: BackupKeys | undefined) => {
  const pathOf = (name: string): string => {
    if (!keys) return join(folder, name);
    const hash = ofFile.exec(name)?.[1];
    return join(folder, `${hash ? fileName(keys.hiddenName(hash)) : name}${sealedEnd}`);
  };
  const folderOf = {
    encrypted: keys !== undefined,
    pathOf,
    has: (name: string) => existsSync(pathOf(name)),
    /** Writes a file, which appears under its name once it is complete and on disk. Returns its measure before encryption. */
    write: async (name: string, source: Bytes): Promise<Measure> => {
      const path = pathOf(name);
      mkdirSync(dirname(path), { recursive: true, mode: privateFolder });
      let measure: Measure | undefined;
      await pipeline(
        source,
        measured((m) => {
          measure = m;
        }),
        keys ? sealed(keys.keyOf(name)) : (as: Bytes) => as,
        createWriteStream(path + draftEnd, { flags: 'wx', mode: privateFile, flush: true }),
      );
      renameSync(path + draftEnd, path);
      return measure as Measure;
    },
    /** Passes the decrypted bytes to `use`. Throws BackupRefused if they are missing or altered. */
    read: async <T>(name: string, use: (source: Bytes) => Promise<T>): Promise<Measure & { used: T }> => {
      const path = pathOf(name);
      if (!existsSync(path)) throw new BackupRefused(`${path} is missing: this backup is not complete.`);
      let measure: Measure | undefined;
      let used: T | undefined;
      let broken: unknown;
      const plain = keys
        ? async function* (source: Bytes) {
            try {
              yield* opened(keys.keyOf(name))(source);
            } catch (error) {
              broken = error;
              throw error;
            }
          }
        : (source: Bytes) => source;
      try {
        await pipeline(
          createReadStream(path),
          plain,
          measured((m) => {
            measure = m;
          }),
          async (source: Bytes) => {
            used = await use(source);
          },
        );
      } catch (error) {
        if (broken) throw new BackupRefused(`${path} cannot be decrypted: it was truncated or altered, or belongs to another backup.`);
        throw error;
      }
      return { ...(measure as Measure), used: used as T };
    },
  };
  return {
    ...folderOf,
    /** Reads a file to its end and returns its measure. */
    measure: (name: string): Promise<Measure> =>
      folderOf.read(name, async (source) => {
        for await (const _ of source);
      }),
  };
};
export type BackupFolder = ReturnType<typeof placeIn>;

/** Creates a private, empty folder for a new backup, encrypted if there is a passphrase. `discard` deletes it. */
export const newBackupFolder = async (folder: string, passphrase?: string): Promise<BackupFolder & { discard(): void }> => {
  const there = existsSync(folder) ? readdirSync(folder) : [];
  if (there.length > 0) {
    const unfinished = there.some((name) => name.startsWith(databaseName)) && !there.some((name) => /^manifest\.jsonl(\.sealed)?$/.test(name));
    throw new Error(
      `${folder} is not empty${unfinished ? ': it contains an unfinished backup, or one of an earlier version' : ''}. Choose a new folder.`,
    );
  }
  const made = mkdirSync(folder, { recursive: true, mode: privateFolder });
  if (process.platform !== 'win32') chmodSync(folder, privateFolder);
  const discard = () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    if (made !== undefined) rmdirSync(folder);
  };
  if (passphrase === undefined) return { ...placeIn(folder, undefined), discard };
  const salt = newSalt();
  const keys = await deriveKeys(passphrase, salt);
  const head = { lantern: 'key of an encrypted backup', version: 2, salt: salt.toString('hex'), check: keys.check };
  await pipeline([`${JSON.stringify(head)}\n`], createWriteStream(join(folder, keyName), { flags: 'wx', mode: privateFile, flush: true }));
  return { ...placeIn(folder, keys), discard };
};

/** Opens a backup folder. Throws BackupRefused if it is not one, or the passphrase is wrong. */
export const openBackupFolder = async (folder: string, passphrase?: string): Promise<BackupFolder> => {
  const keyPath = join(folder, keyName);
  const plain = placeIn(folder, undefined);
  const isEncrypted = existsSync(keyPath);
  if (!isEncrypted) {
    if (existsSync(join(folder, databaseName + sealedEnd)))
      throw new BackupRefused(`${keyPath} is missing: without it this backup cannot be opened.`);
    if (!plain.has(databaseName)) throw new BackupRefused(`There is no ${databaseName} in ${folder}.`);
    if (passphrase !== undefined)
      throw new BackupRefused(
        `A passphrase was given, but the backup in ${folder} is not encrypted: anyone could have written it. If it is yours, restore it without a passphrase.`,
      );
    return plain;
  }
  if (passphrase === undefined)
    throw new BackupRefused(
      `The backup in ${folder} is encrypted. Set BACKUP_PASSPHRASE, or name a file containing the passphrase with --passphrase-file FILE.`,
    );
  let key: { version?: unknown; salt?: unknown; check?: unknown };
  try {
    key = JSON.parse(readFileSync(keyPath, 'utf8'));
  } catch {
    key = {};
  }
  if (key.version !== 2 || typeof key.salt !== 'string' || !/^[0-9a-f]{64}$/.test(key.salt))
    throw new BackupRefused(`${keyPath} was truncated or altered, or is of a newer version.`);
  const keys = await deriveKeys(passphrase, Buffer.from(key.salt, 'hex'));
  if (keys.check !== key.check) throw new BackupRefused(`This is not the passphrase of the backup in ${folder} (or its ${keyName} was altered).`);
  return placeIn(folder, keys);
};
