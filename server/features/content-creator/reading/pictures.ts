import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Media } from '#contract/entities/content.ts';
import { type FoundQuestion, questionFileLimits } from '#contract/entities/question-file.ts';
import { packageLimits } from '#contract/entities/package.ts';
import { picturesOf, withPictures } from '#contract/rules/question-pictures.ts';
import type { Archive, ArchiveFile } from '#server/archives/archive.ts';
import { leftPictures } from '#server/features/content-creator/reading/found-question.ts';
import { decodedPath, fileAt } from '#server/features/content-creator/reading/file-at.ts';
import type { FindPicture } from '#server/features/content-creator/reading/picture-slot.ts';

/**
 * The pictures in a file of questions. While questions are read, each picture is named by a hash that stands for it within the file, as in
 * course files; its bytes are checked afterwards, and the reader never returns them with the answer.
 */

type Held = { name: string; bytes: () => Promise<Buffer> };

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
const hashOf = (...parts: (string | Buffer)[]) => {
  const hasher = createHash('sha256');
  for (const part of parts) hasher.update(part);
  return hasher.digest('hex');
};
/** First bytes of PNG, JPEG, GIF and WebP, in hexadecimal. */
const beginnings = /^(?:89504e470d0a1a0a|ffd8ff|474946383[79]61|52494646.{8}57454250)/;
const isDrawing = (text: string) =>
  /^(?:\ufeff|\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<!doctype\s+svg|<svg[\s>])/i.test(text) && /<(?:\w+:)?svg[\s>]/i.test(text);
/** What in an SVG could run or fetch something. An SVG is only ever shown as a rasterised picture. */
const program = /<(?:\w+:)?(?:script|foreignobject|iframe|object|embed)[\s>/]|<!entity|\son[a-z]+\s*=|javascript:/i;
/** Why these bytes cannot be a usable picture, as far as is known without decoding it; null if nothing is wrong. */
export const whyNoPicture = (bytes: Buffer): string | null => {
  if (bytes.length === 0) return 'empty';
  const begins = bytes.toString('latin1', 0, 2000);
  if (beginnings.test(bytes.toString('hex', 0, 12))) return null;
  if (!isDrawing(begins)) return 'no PNG, JPEG, WebP, GIF or SVG';
  return program.test(bytes.toString('latin1')) ? 'a drawing (SVG) that does more than draw' : null;
};

export class PictureFiles {
  readonly #held = new Map<string, Held>();
  readonly #refused = new Map<string, string | null>();
  #together = 0;

  /** Registers a picture of this size; `hash` stands for it. */
  #hold(hash: string, size: number, held: Held): Media | { why: string } {
    if (!this.#held.has(hash)) {
      if (size > packageLimits.readBytes) return { why: `larger than ${megabytes(packageLimits.readBytes)}` };
      if (this.#held.size >= questionFileLimits.pictures || this.#together + size > questionFileLimits.pictureBytes)
        return { why: `of one file ${questionFileLimits.pictures} pictures of ${megabytes(questionFileLimits.pictureBytes)} together are the most` };
      this.#together += size;
      this.#held.set(hash, held);
    }
    return { hash, url: '', type: '', bytes: size };
  }
  /** A picture embedded in the file itself. */
  embedded(base64: string, name: string): Media | { why: string } {
    const size = Math.floor((base64.length * 3) / 4);
    if (size > packageLimits.readBytes) return { why: `larger than ${megabytes(packageLimits.readBytes)}` };
    const bytes = Buffer.from(base64, 'base64');
    return this.#hold(hashOf('bytes\0', bytes), bytes.length, { name, bytes: async () => bytes });
  }
  /** A file of an archive. */
  #entry(archive: Archive, file: ArchiveFile): Media | { why: string } {
    const bytes = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of await archive.open(file)) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    };
    return this.#hold(hashOf('entry\0', file.path), file.bytes, { name: posix.basename(file.path), bytes });
  }
  #data(source: string): Media | { why: string } {
    const [head = '', type, isBase64] = /^data:([^;,]{0,100})(?:;[\w=.-]{1,100}){0,5}?(;base64)?,/i.exec(source.slice(0, 1000)) ?? [];
    if (!type || !/^image\//i.test(type)) return { why: 'no picture' };
    const body = source.slice(head.length);
    if (isBase64) return this.embedded(body, '');
    try {
      return this.embedded(Buffer.from(decodeURIComponent(body)).toString('base64'), '');
    } catch {
      return { why: 'no picture' };
    }
  }
  /** Finds pictures by their references: embedded ones, and else the result of `named` for a path. */
  finder(named: (path: string) => Media | { why: string } | null = () => null): FindPicture {
    return (source) => {
      if (/^data:/i.test(source)) return this.#data(source);
      if (/^([a-z][a-z0-9+.-]*:)?\/\//i.test(source)) return { why: 'on a website' };
      return (source === '' ? null : named(decodedPath(source))) ?? { why: 'not in this file' };
    };
  }
  /** Finds pictures in an archive, relative to the text at `from`. */
  inArchive(archive: Archive, from: string): FindPicture {
    const elsewhere = this.finder();
    return (source) => {
      const file = fileAt(archive, from, source);
      return file ? this.#entry(archive, file) : elsewhere(source);
    };
  }

  /** The bytes of a picture that stands in a question. */
  async bytesOf(hash: string): Promise<{ name: string; bytes: Buffer } | null> {
    const held = this.#held.get(hash);
    return held ? { name: held.name, bytes: await held.bytes() } : null;
  }
  async #whyNot(hash: string): Promise<string | null> {
    const before = this.#refused.get(hash);
    if (before !== undefined) return before;
    const why = await this.bytesOf(hash).then(
      (held) => (held ? whyNoPicture(held.bytes) : 'not in this file'),
      () => 'damaged',
    );
    this.#refused.set(hash, why);
    return why;
  }
  /** The question with its usable pictures, as far as is known before they are decoded; the others are noted. */
  async settled(found: FoundQuestion): Promise<FoundQuestion> {
    if (!found.question) return found;
    const left = new Map<string, string[]>();
    const whyNot = new Map<string, string>();
    for (const { picture } of picturesOf(found.question)) {
      const why = await this.#whyNot(picture.media.hash);
      if (why === null) continue;
      whyNot.set(picture.media.hash, why);
      left.set(why, [...(left.get(why) ?? []), picture.alt || (this.#held.get(picture.media.hash)?.name ?? '')]);
    }
    const question = withPictures(found.question, (picture) => (whyNot.has(picture.media.hash) ? null : picture));
    const taken = picturesOf(question);
    const unsaid = taken.filter(({ picture }) => picture.alt === '' && !picture.decorative).length;
    const say =
      unsaid === 0
        ? []
        : [
            unsaid === 1
              ? 'One of its pictures comes without words for people who do not see it: write them, or say that it is decorative.'
              : `${unsaid} of its pictures come without words for people who do not see them: write them, or say that they are decorative.`,
          ];
    return { ...found, question, pictures: taken.length, notes: [...leftPictures(left), ...say, ...found.notes] };
  }
}
