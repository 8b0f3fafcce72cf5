import * as z from 'zod/mini';
import { Media } from '#contract/entities/content.ts';
import { Count, Id, NeededLine } from '#contract/entities/fields.ts';

/** The files of contents beside pictures: films, sound, files to download, and captions; courses to be imported; and documents of training sessions. Ours. */

export const contentFileKinds = ['video', 'audio', 'download', 'captions', 'course', 'document'] as const;
export type ContentFileKind = (typeof contentFileKinds)[number];
/** In bytes. A piece is small enough to arrive between two cuts of a bad line. */
export const contentFileLimits = { bytes: 500_000_000, pieceBytes: 256_000, captionsBytes: 2_000_000 } as const;
/** The kinds of files that people can be given to download, by their endings. */
export const downloadEndings = ['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'txt', 'csv'] as const;
/** What can be chosen where one is asked for. */
export const acceptedDownloads = downloadEndings.map((ending) => `.${ending}`).join(',');
/** How many pieces a file of this size comes in. */
export const contentPiecesOf = (bytes: number): number => Math.ceil(bytes / contentFileLimits.pieceBytes);

/** What is said of a file before it is sent. `bytes` is its size. */
export const contentFileFields = {
  kind: z.enum(contentFileKinds),
  name: NeededLine(255, 'The file has no name.'),
  bytes: z
    .int()
    .check(
      z.gte(1, 'This file is empty.'),
      z.lte(contentFileLimits.bytes, `This file is too large: ${contentFileLimits.bytes / 1_000_000} MB at most.`),
    ),
};
/** A file on its way: which pieces have not arrived yet; `media` once it is whole and was looked at. */
export const ContentFile = z.object({
  id: Id,
  kind: z.enum(contentFileKinds),
  name: z.string(),
  bytes: Count,
  piece_bytes: Count,
  missing: z.array(Count),
  media: z.nullable(Media),
});
export type ContentFile = z.infer<typeof ContentFile>;
