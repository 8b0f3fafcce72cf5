import { PassThrough, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { packageLimits } from '#contract/entities/package.ts';
import { refuse } from '#server/features/packages/package-refused.ts';

/** A file of an archive. Sizes in bytes. */
export type ArchiveFile = { path: string; bytes: number; entry: Entry };
export type Archive = {
  files: ReadonlyMap<string, ArchiveFile>;
  /** The bytes of a file, checked against its size and checksum as they flow. */
  open(file: ArchiveFile): Promise<Readable>;
  /** A small file whole. Refused where it is larger than `packageLimits.readBytes`. */
  read(file: ArchiveFile): Promise<Buffer>;
  close(): void;
};

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000).toLocaleString('en-GB')} MB`;
const again = 'Make the archive again with the tool it came from.';
/** What operating systems put beside the files, for themselves. */
const isLitter = (path: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(path);

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
/** Names are UTF-8 where the archive says so, or where they can be nothing else; else they are what old tools write. */
const nameOf = (entry: Entry): string => {
  try {
    return strictUtf8.decode(entry.fileNameRaw);
  } catch {
    return yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  }
};

const symlink = 0o120000;
const checkName = (name: string, entry: Entry) => {
  const shown = name.replace(/\p{Cc}/gu, '?').slice(0, 120);
  const unsafe = (problem: string) => refuse('unsafe_name', shown, `“${shown}” ${problem}`, `Rename the file inside the package. ${again}`);
  if (/\p{Cc}/u.test(name)) unsafe('has a control character in its name.');
  if (name.includes('\\')) unsafe('has a backslash in its name.');
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) unsafe('names a place outside the package.');
  if (name.split('/').includes('..')) unsafe('points outside the package.');
  if (name.length > packageLimits.pathLength || name.split('/').length > packageLimits.depth) unsafe('has too long a path.');
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === symlink)
    refuse('unsafe_name', shown, `“${shown}” is a link to another place, not a file.`, `Put the file itself into the package. ${again}`);
  if (entry.generalPurposeBitFlag & 1)
    refuse('encrypted', shown, `“${shown}” is protected with a password.`, 'Make the archive again without a password.');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    refuse('unreadable_archive', shown, `“${shown}” is packed in a way that cannot be read (method ${entry.compressionMethod}).`, again);
};

const directoryOf = (zip: ZipFile): Promise<Map<string, ArchiveFile>> =>
  new Promise((done, failed) => {
    const files = new Map<string, ArchiveFile>();
    let unpacked = 0;
    let packed = 0;
    zip.on('error', failed);
    zip.on('end', () => done(files));
    zip.on('entry', (entry: Entry) => {
      try {
        const path = nameOf(entry);
        checkName(path, entry);
        unpacked += entry.uncompressedSize;
        packed += entry.compressedSize;
        if (entry.uncompressedSize > packageLimits.fileBytes)
          refuse(
            'too_large',
            path,
            `“${path}” is ${megabytes(entry.uncompressedSize)} when unpacked; ${megabytes(packageLimits.fileBytes)} is the most.`,
            'Make the file smaller, for example a video of lower quality.',
          );
        if (unpacked > packageLimits.unpackedBytes)
          refuse(
            'too_large',
            null,
            `The package is more than ${megabytes(packageLimits.unpackedBytes)} when unpacked.`,
            'Split the course into several packages, or make its videos smaller.',
          );
        if (unpacked > packageLimits.ratioFromBytes && unpacked > packed * packageLimits.ratio)
          refuse('too_large', path, 'The package unpacks to far more than it is packed: it looks like an archive bomb.', again);
        if (!path.endsWith('/') && !isLitter(path)) {
          if (files.has(path)) refuse('unreadable_archive', path, `“${path}” is in the package twice.`, again);
          files.set(path, { path, bytes: entry.uncompressedSize, entry });
          if (files.size > packageLimits.files)
            refuse(
              'too_large',
              null,
              `The package has more than ${packageLimits.files.toLocaleString('en-GB')} files.`,
              'Split the course into several packages.',
            );
        }
        zip.readEntry();
      } catch (error) {
        failed(error);
      }
    });
    zip.readEntry();
  });

/** What a library says of a broken archive, for a person. */
const unreadable = (error: unknown): never => {
  const said = error instanceof Error ? error.message : '';
  return refuse(
    'unreadable_archive',
    null,
    `The file cannot be read as a ZIP archive${said ? `: ${said.replace(/\.$/, '').slice(0, 160)}` : ''}.`,
    'Upload the .zip or .h5p file as it was exported. If it was downloaded, download it again: it may be cut short.',
  );
};

/**
 * Opens an archive and reads its directory before anything is unpacked. Refuses names that point elsewhere, links,
 * passwords, and more than `packageLimits` allow. Nothing but the directory is held in memory.
 */
export const openArchive = async (path: string): Promise<Archive> => {
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true })
    .catch(unreadable);
  try {
    if (zip.entryCount > packageLimits.files * 2)
      refuse(
        'too_large',
        null,
        `The package has more than ${packageLimits.files.toLocaleString('en-GB')} files.`,
        'Split the course into several packages.',
      );
    const files = await directoryOf(zip).catch((error) => ((error as { problems?: unknown }).problems ? Promise.reject(error) : unreadable(error)));
    const open = async (file: ArchiveFile): Promise<Readable> => {
      const source = await zip.openReadStreamPromise(file.entry).catch(unreadable);
      let checksum = 0;
      const checked = new PassThrough({
        transform(chunk: Buffer, _encoding, next) {
          checksum = crc32(chunk, checksum);
          next(null, chunk);
        },
        flush(next) {
          next(checksum === file.entry.crc32 ? null : new Error(`“${file.path}” is damaged`));
        },
      });
      source.on('error', (error) => checked.destroy(error));
      // A small file is read, and found damaged, before anybody listens: whoever reads it learns of it then, and the server goes on.
      checked.on('error', () => undefined);
      return source.pipe(checked);
    };
    return {
      files,
      open,
      read: async (file) => {
        if (file.bytes > packageLimits.readBytes)
          refuse('too_large', file.path, `“${file.path}” is too large to be read (${megabytes(file.bytes)}).`, again);
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of await open(file)) chunks.push(chunk as Buffer);
        } catch (error) {
          unreadable(error);
        }
        return Buffer.concat(chunks);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
};
