import { posix } from 'node:path';
import type { Media, Picture } from '#contract/entities/content.ts';
import { decodedPath } from '#server/features/content-creator/reading/file-at.ts';

/** The picture that a source refers to, or why it cannot be used: as the words after “It is left behind:”. */
export type FindPicture = (source: string) => Media | { why: string };

/** A question's room for one picture: its own, or that of an answer. The first usable one fills it. */
export class PictureSlot {
  readonly belongsTo: 'question' | 'answer';
  readonly find: FindPicture;
  picture: Picture | undefined;
  constructor(belongsTo: PictureSlot['belongsTo'], find: FindPicture) {
    this.belongsTo = belongsTo;
    this.find = find;
  }
}

/** The displayed name of a picture: its file name. */
export const nameOfSource = (source: string): string =>
  /^data:/i.test(source) ? '' : posix.basename(decodedPath(source.slice(0, 2000)).replace(/^\$IMS[-_]CC[-_]FILEBASE\$/i, ''));
