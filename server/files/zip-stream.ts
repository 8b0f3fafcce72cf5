import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A file of an archive being written. `packed`: compressed; pictures, films and sound already are. */
export type ZipEntry = { path: string; packed: boolean; bytes: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array> };

/** Writes a ZIP archive piece by piece, as fast as it is read: no file is held in memory. */
export async function* zipStream(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  let failed: Error | null = null;
  const zip = new Zip((error, data) => {
    if (error) failed = error;
    else made.push(data);
  });
  for (const { path, packed, bytes } of entries) {
    const file = packed ? new ZipDeflate(path) : new ZipPassThrough(path);
    zip.add(file);
    for await (const piece of bytes()) {
      file.push(new Uint8Array(piece));
      if (failed) throw failed;
      yield* made.splice(0);
    }
    file.push(new Uint8Array(0), true);
  }
  zip.end();
  if (failed) throw failed;
  yield* made.splice(0);
}
