import { crc32 } from 'node:zlib';

export type ZippedFile = { name: string; pieces: readonly Uint8Array[] };

const most32 = 0xffff_ffff;
const most16 = 0xffff;

/** ZIP timestamps have no time zone: UTC is used. */
const dosTime = (at: Date) =>
  ((Math.max(0, at.getUTCFullYear() - 1980) << 25) |
    ((at.getUTCMonth() + 1) << 21) |
    (at.getUTCDate() << 16) |
    (at.getUTCHours() << 11) |
    (at.getUTCMinutes() << 5) |
    (at.getUTCSeconds() >> 1)) >>>
  0;

/**
 * Already compressed files as one ZIP, written as a stream: each with its size before it, which every reader supports. Holds one file at a
 * time in memory, and the names of the others. At most 65,534 files and 4 GB, as old readers expect.
 */
export async function* storedZip(files: AsyncIterable<ZippedFile>, at: Date): AsyncGenerator<Uint8Array> {
  const listed: Buffer[] = [];
  const time = dosTime(at);
  let offset = 0;
  for await (const { name, pieces } of files) {
    const encoded = Buffer.from(name);
    const size = pieces.reduce((sum, p) => sum + p.length, 0);
    const sum = pieces.reduce((crc, p) => crc32(p, crc), 0);
    // Version 2.0, UTF-8 names, stored; then time, checksum, sizes and length of the name.
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x0800, 2);
    about.writeUInt32LE(time, 6);
    about.writeUInt32LE(sum, 10);
    about.writeUInt32LE(size, 14);
    about.writeUInt32LE(size, 18);
    about.writeUInt16LE(encoded.length, 22);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    listed.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, entry.subarray(2), encoded]));
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, encoded]);
    offset += head.length + size;
    if (offset > most32 || listed.length >= most16) throw new Error('too large for a zip');
    yield head;
    yield* pieces;
  }
  const directory = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(listed.length, 8);
  end.writeUInt16LE(listed.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  yield directory;
  yield end;
}
