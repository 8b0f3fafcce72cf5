import { cutText } from '#contract/rules/cut-text.ts';
import { open } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { packageLimits, type PackageProblem } from '#contract/entities/package.ts';
import { archiveWindow, WindowReader } from '#server/archives/archive-window.ts';
import { type Mended, mendingList, refuse } from '#server/archives/package-refused.ts';

/** A file of an archive. Sizes in bytes. */
export type ArchiveFile = { path: string; bytes: number; entry: Entry };
export type Archive = {
  files: ReadonlyMap<string, ArchiveFile>;
  /** Repairs made while reading, for the uploader. */
  warnings: readonly PackageProblem[];
  /** Streams the bytes of a file and checks its size and checksum. */
  open(file: ArchiveFile): Promise<Readable>;
  /** Reads a small file completely. Refuses files larger than `packageLimits.readBytes`. */
  read(file: ArchiveFile): Promise<Buffer>;
  close(): void;
};

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000).toLocaleString('en-GB')} MB`;
const again = 'Create the archive again with the tool it came from.';
/** Files that operating systems add for themselves. */
const isLitter = (path: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(path);

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
/** Decodes names as UTF-8 if the archive says so or they are valid UTF-8, otherwise in the encoding of old tools. */
const nameOf = (entry: Entry): string => {
  try {
    return strictUtf8.decode(entry.fileNameRaw);
  } catch {
    return yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  }
};

const symlink = 0o120000;
const checkName = (name: string, entry: Entry) => {
  const shown = cutText(name.replace(/\p{Cc}/gu, '?'), 120);
  const unsafe = (problem: string) => refuse('unsafe_name', shown, `“${shown}” ${problem}`, `Rename the file inside the package. ${again}`);
  if (/\p{Cc}/u.test(name)) unsafe('has a control character in its name.');
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) unsafe('names a place outside the package.');
  if (name.split('/').includes('..')) unsafe('points outside the package.');
  if (name.length > packageLimits.pathLength || name.split('/').length > packageLimits.depth) unsafe('has a path that is too long.');
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === symlink)
    refuse('unsafe_name', shown, `“${shown}” is a link to another place, not a file.`, `Add the file itself to the package. ${again}`);
  if (entry.generalPurposeBitFlag & 1)
    refuse('encrypted', shown, `“${shown}” is protected with a password.`, 'Create the archive again without a password.');
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    refuse('unreadable_archive', shown, `“${shown}” uses an unsupported compression (method ${entry.compressionMethod}).`, again);
};

/** Names as browsers request them: in composed characters, unless another file has that name. */
const composed = (files: ReadonlyMap<string, ArchiveFile>): Map<string, ArchiveFile> => {
  const byName = new Map<string, ArchiveFile>();
  for (const file of files.values()) {
    const path = file.path.normalize('NFC');
    const named = path === file.path || files.has(path) || byName.has(path) ? file : { ...file, path };
    byName.set(named.path, named);
  }
  return byName;
};
const counted = (names: readonly string[], one: string, several: string) =>
  `${names.length === 1 ? `One ${one}` : `${names.length} ${several}`}: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}.`;
const sayMendedNames = (doubled: readonly string[], backslashes: readonly string[], mended: Mended) => {
  if (doubled.length > 0)
    mended(
      doubled[0] as string,
      counted(doubled, 'file was in the archive twice, with the same content', 'files were in the archive twice, with the same content'),
    );
  if (backslashes.length > 0)
    mended(
      backslashes[0] as string,
      counted(backslashes, 'file name used backslashes between folders', 'file names used backslashes between folders'),
    );
};

const directoryOf = (zip: ZipFile, mended: Mended): Promise<Map<string, ArchiveFile>> =>
  new Promise((done, failed) => {
    const files = new Map<string, ArchiveFile>();
    const doubled: string[] = [];
    const backslashes: string[] = [];
    let unpacked = 0;
    let packed = 0;
    zip.on('error', failed);
    zip.on('end', () => {
      sayMendedNames(doubled, backslashes, mended);
      done(composed(files));
    });
    zip.on('entry', (entry: Entry) => {
      try {
        const written = nameOf(entry);
        // Some tools write their system's separator, which the format forbids but which is unambiguous.
        const path = written.replaceAll('\\', '/');
        if (path !== written) backslashes.push(path);
        checkName(path, entry);
        unpacked += entry.uncompressedSize;
        packed += entry.compressedSize;
        if (entry.uncompressedSize > packageLimits.fileBytes)
          refuse(
            'too_large',
            path,
            `“${path}” is ${megabytes(entry.uncompressedSize)} when unpacked. The limit is ${megabytes(packageLimits.fileBytes)}.`,
            'Make the file smaller, for example by lowering the quality of a video.',
          );
        if (unpacked > packageLimits.unpackedBytes)
          refuse(
            'too_large',
            null,
            `The package is more than ${megabytes(packageLimits.unpackedBytes)} when unpacked.`,
            'Split the course into several packages, or make its videos smaller.',
          );
        if (unpacked > packageLimits.ratioFromBytes && unpacked > packed * packageLimits.ratio)
          refuse('too_large', path, 'The package expands to far more than its compressed size and looks like an archive bomb.', again);
        if (!path.endsWith('/') && !isLitter(path)) {
          const twin = files.get(path);
          if (twin && (twin.bytes !== entry.uncompressedSize || twin.entry.crc32 !== entry.crc32))
            refuse('unreadable_archive', path, `“${path}” is in the package twice, with different content.`, again);
          if (twin) doubled.push(path);
          else files.set(path, { path, bytes: entry.uncompressedSize, entry });
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

/** Turns a library error about a broken archive into a message for the uploader. */
const unreadable = (error: unknown): never => {
  const message = error instanceof Error ? error.message : '';
  return refuse(
    'unreadable_archive',
    null,
    `The file cannot be read as a ZIP archive${message ? `: ${cutText(message.replace(/\.$/, ''), 160)}` : ''}.`,
    'Upload the .zip or .h5p file exactly as it was exported. If it was downloaded, download it again: it may be incomplete.',
  );
};

/**
 * Opens an archive and reads its directory before anything is unpacked. Refuses names that point outside it, links,
 * passwords, and anything beyond `packageLimits`. Only the directory is held in memory.
 */
export const openArchive = async (path: string): Promise<Archive> => {
  const { warnings, mended } = mendingList();
  const file = await open(path, 'r');
  const close = () => void file.close().catch(() => undefined);
  try {
    const { size } = await file.stat();
    const { start, end } = (await archiveWindow(file, size)) ?? { start: 0, end: size };
    if (start > 0) mended(null, `The file has ${start.toLocaleString('en-GB')} bytes before the start of the archive. They were ignored.`);
    if (end < size) mended(null, `The file has ${(size - end).toLocaleString('en-GB')} bytes after the end of the archive. They were ignored.`);
    const zip = await yauzl
      .fromRandomAccessReaderPromise(new WindowReader(file, start), end - start, { autoClose: false, decodeStrings: false, validateEntrySizes: true })
      .catch(unreadable);
    if (zip.entryCount > packageLimits.files * 2)
      refuse(
        'too_large',
        null,
        `The package has more than ${packageLimits.files.toLocaleString('en-GB')} files.`,
        'Split the course into several packages.',
      );
    const files = await directoryOf(zip, mended).catch((error) =>
      (error as { problems?: unknown }).problems ? Promise.reject(error) : unreadable(error),
    );
    const openFile = async (file: ArchiveFile): Promise<Readable> => {
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
      // A small file may be found damaged before anything listens; the error is reported when it is read.
      checked.on('error', () => undefined);
      return source.pipe(checked);
    };
    let readTogether = 0;
    return {
      files,
      warnings,
      open: openFile,
      read: async (file) => {
        if (file.bytes > packageLimits.readBytes)
          refuse('too_large', file.path, `“${file.path}” is too large to read (${megabytes(file.bytes)}).`, again);
        readTogether += file.bytes;
        if (readTogether > packageLimits.readTogetherBytes)
          refuse('too_large', file.path, `The definition files of the package exceed ${megabytes(packageLimits.readTogetherBytes)} in total.`, again);
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of await openFile(file)) chunks.push(chunk as Buffer);
        } catch (error) {
          unreadable(error);
        }
        return Buffer.concat(chunks);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};
