import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

const endSignature = Buffer.from('504b0506', 'hex');
const zip64LocatorSignature = 0x07064b50;
const zip64EndSignature = 0x06064b50;
const fileSignature = 0x04034b50;
const endBytes = 22;
const zip64LocatorBytes = 20;
const zip64EndBytes = 56;
/** How far from the end of the file the end-of-archive record is searched for: room for its comment and for bytes appended by tools. */
const searchedBytes = 1_000_000;

const readAt = async (file: FileHandle, at: number, bytes: number): Promise<Buffer> => {
  if (bytes <= 0) return Buffer.alloc(0);
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
  return buffer.subarray(0, bytesRead);
};

/** Size and offset of the central directory, from the end-of-archive record. */
const directoryBefore = async (file: FileHandle, endAt: number, record: Buffer): Promise<{ at: number; statedAt: number } | null> => {
  const bytes = record.readUInt32LE(12);
  const statedAt = record.readUInt32LE(16);
  if (bytes !== 0xffffffff && statedAt !== 0xffffffff) return { at: endAt - bytes, statedAt };
  // ZIP64: given in the preceding record.
  const at = endAt - zip64LocatorBytes - zip64EndBytes;
  if (at < 0) return null;
  const large = await readAt(file, at, zip64EndBytes + zip64LocatorBytes);
  if (large.readUInt32LE(0) !== zip64EndSignature || large.readUInt32LE(zip64EndBytes) !== zip64LocatorSignature) return null;
  return { at: at - Number(large.readBigUInt64LE(40)), statedAt: Number(large.readBigUInt64LE(48)) };
};

/**
 * The byte range of an archive within a file, without bytes before or after it. Null if it cannot be determined; the whole
 * file is then read as the archive.
 */
export const archiveWindow = async (file: FileHandle, size: number): Promise<{ start: number; end: number } | null> => {
  const from = Math.max(0, size - searchedBytes);
  const tail = await readAt(file, from, size - from);
  for (let found = tail.lastIndexOf(endSignature); found >= 0; found = found === 0 ? -1 : tail.lastIndexOf(endSignature, found - 1)) {
    if (found + endBytes > tail.length) continue;
    const record = tail.subarray(found, found + endBytes);
    const end = from + found + endBytes + record.readUInt16LE(20);
    if (end > size) continue;
    const directory = await directoryBefore(file, from + found, record);
    if (!directory || directory.at < directory.statedAt) continue;
    const start = directory.at - directory.statedAt;
    const first = await readAt(file, start, 4);
    if (first.length === 4 && first.readUInt32LE(0) === fileSignature) return { start, end };
    // Offsets include the leading bytes: only the end needs correcting.
    if (start === 0) return { start, end };
  }
  return null;
};

/** The part of a file from `start` on, as a file of its own. */
export class WindowReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #start: number;
  constructor(file: FileHandle, start: number) {
    super();
    this.#file = file;
    this.#start = start;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    const [file, offset] = [this.#file, this.#start];
    return Readable.from(
      (async function* () {
        for (let at = start; at < end; ) {
          const piece = await readAt(file, offset + at, Math.min(65_536, end - at));
          if (piece.length === 0) throw new Error('Unexpected end of file');
          at += piece.length;
          yield piece;
        }
      })(),
      { objectMode: false },
    );
  }
  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    this.#file.read(buffer, offset, length, this.#start + position).then(
      ({ bytesRead }) => callback(bytesRead < length ? new Error('Unexpected end of file') : null),
      (error: Error) => callback(error),
    );
  }
  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
