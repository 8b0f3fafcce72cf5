import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';

/**
 * Encryption of a backup (docs/decisions/044). Every file has its own key, derived from the passphrase, the backup and the file's
 * name. It is encrypted in chunks that include their number and whether they are the last. A file that was truncated, altered,
 * reordered or exchanged, within a backup or between two, does not decrypt.
 */
const pieceBytes = 65_536;
const tagBytes = 16;
const cipher = 'aes-256-gcm';
/** Each guess takes about half a second and 128 MB. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

export type BackupKeys = {
  /** Verifies a passphrase. */
  check: string;
  keyOf(name: string): Buffer;
  /** Replaces a file's hash, by which anyone with the same file could recognise it. */
  hiddenName(hash: string): string;
};
export const newSalt = (): Buffer => randomBytes(32);

export const deriveKeys = async (passphrase: string, salt: Buffer): Promise<BackupKeys> => {
  const secret = await new Promise<Buffer>((done, failed) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, cost, (error, key) => (error ? failed(error) : done(key))),
  );
  const derived = (what: string) => Buffer.from(hkdfSync('sha256', secret, salt, `lantern backup 2: ${what}`, 32));
  const names = derived('names');
  return {
    check: derived('check').toString('hex'),
    keyOf: (name) => derived(`file ${name}`),
    hiddenName: (hash) => createHmac('sha256', names).update(hash).digest('hex'),
  };
};

/** Splits a stream into chunks of this size; only the last may be smaller, and there is always a last one. */
async function* inPieces(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    held.push(chunk);
    size += chunk.length;
    // A further byte shows that this chunk is not the last.
    if (size <= bytes) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; all.length - at > bytes; at += bytes) yield { piece: all.subarray(at, at + bytes), last: false };
    held = [all.subarray(at)];
    size = all.length - at;
  }
  yield { piece: Buffer.concat(held), last: true };
}

/** Unique per key: the number of the chunk, and whether it is the last. */
const nonceOf = (no: number, last: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(no, 5, 6);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
};

export const sealed = (key: Buffer) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let no = 0;
    for await (const { piece, last } of inPieces(source, pieceBytes)) {
      const sealing = createCipheriv(cipher, key, nonceOf(no++, last), { authTagLength: tagBytes });
      yield Buffer.concat([sealing.update(piece), sealing.final(), sealing.getAuthTag()]);
    }
  };

/** Decrypts a stream. Each chunk is passed on only after verification; throws if anything was altered. */
export const opened = (key: Buffer) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let no = 0;
    for await (const { piece, last } of inPieces(source, pieceBytes + tagBytes)) {
      if (piece.length < tagBytes) throw new Error('It ends in the middle of a piece');
      const opening = createDecipheriv(cipher, key, nonceOf(no++, last), { authTagLength: tagBytes });
      opening.setAuthTag(piece.subarray(-tagBytes));
      yield Buffer.concat([opening.update(piece.subarray(0, -tagBytes)), opening.final()]);
    }
  };
