import { posix } from 'node:path';
import type { Media, Picture } from '#contract/entities/content.ts';
import { decodedPath } from '#server/features/content-creator/reading/file-at.ts';

/** The picture that a source names, or why it cannot be taken: as the words after “It is left behind:”. */
export type FindPicture = (source: string) => Media | { why: string };

/** Where a question has room for one picture: for its own, or for that of an answer. The first that can be taken fills it. */
export class PictureSlot {
  readonly of: 'question' | 'answer';
  readonly find: FindPicture;
  picture: Picture | undefined;
  constructor(of: PictureSlot['of'], find: FindPicture) {
    this.of = of;
    this.find = find;
  }
}

/** What a picture is called in words: the name of its file. */
export const nameOfSource = (source: string): string =>
  /^data:/i.test(source) ? '' : posix.basename(decodedPath(source.slice(0, 2000)).replace(/^\$IMS[-_]CC[-_]FILEBASE\$/i, ''));
