import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';

/**
 * Encryption of a backup (docs/decisions/044). Every file has a key of its own, from the passphrase, the backup and the file's
 * name; it is sealed in pieces that know their number and which one is the last. A file that was cut, altered, put together
 * anew, or put in the place of another, of this backup or of another one, does not open.
 */
const pieceBytes = 65_536;
const tagBytes = 16;
const cipher = 'aes-256-gcm';
/** Takes about half a second and 128 MB for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

export type BackupKeys = {
  /** Proves that a passphrase is the one of a backup. */
  check: string;
  keyOf(name: string): Buffer;
  /** What stands in the place of a file's hash, which would say what the file is to whoever has the same one. */
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

/** In pieces of exactly so many bytes; only the last one may have fewer, and there is always a last one. */
async function* inPieces(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<{ piece: Buffer; last: boolean }> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    held.push(chunk);
    size += chunk.length;
    // One byte more than a piece says that it is not the last one.
    if (size <= bytes) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; all.length - at > bytes; at += bytes) yield { piece: all.subarray(at, at + bytes), last: false };
    held = [all.subarray(at)];
    size = all.length - at;
  }
  yield { piece: Buffer.concat(held), last: true };
}

/** Never the same twice under one key: the number of the piece, and whether it is the last. */
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

/** Throws where anything is not as it was sealed. Each piece is handed on only after it was found whole. */
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
