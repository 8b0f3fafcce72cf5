import * as z from 'zod/mini';
import { Media } from '#contract/entities/content.ts';
import { Count, Id, NeededLine } from '#contract/entities/fields.ts';

/** Files of contents other than pictures (films, sound, downloads, captions), courses to import, and documents of training sessions. Ours. */

export const contentFileKinds = ['video', 'audio', 'download', 'captions', 'course', 'document'] as const;
export type ContentFileKind = (typeof contentFileKinds)[number];
/** In bytes. A piece is small enough to arrive between two interruptions of a bad connection. */
export const contentFileLimits = { bytes: 500_000_000, pieceBytes: 256_000, captionsBytes: 2_000_000 } as const;
/** The kinds of files that can be offered for download, by extension. */
export const downloadEndings = ['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'txt', 'csv'] as const;
/** The `accept` attribute of each file input. */
export const acceptedDownloads = downloadEndings.map((ending) => `.${ending}`).join(',');
/** The number of pieces of a file of this size. */
export const contentPiecesOf = (bytes: number): number => Math.ceil(bytes / contentFileLimits.pieceBytes);

/** The description of a file, before its upload. `bytes` is its size. */
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
/** A file being uploaded: the pieces that are missing; `media` once it is complete and checked. */
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
