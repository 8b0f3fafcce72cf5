import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Archive, ArchiveFile } from '#server/archives/archive.ts';
import { refuseDamaged } from '#server/archives/package-refused.ts';

/** Writes a file of a course's archive to a path, and returns the SHA-256 of its bytes. Refuses a damaged one. */
export const extract = async (archive: Archive, file: ArchiveFile, targetPath: string): Promise<string> => {
  const hasher = createHash('sha256');
  await mkdir(dirname(targetPath), { recursive: true });
  await archive
    .open(file)
    .then((source) =>
      pipeline(
        source.on('data', (piece: Buffer) => hasher.update(piece)),
        createWriteStream(targetPath),
      ),
    )
    .catch(refuseDamaged(file.path, 'Export the course again. If it was downloaded, download it again.'));
  return hasher.digest('hex');
};
