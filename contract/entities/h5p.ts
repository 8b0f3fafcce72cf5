import * as z from 'zod/mini';
import { TitleRef } from '#contract/entities/authored-parts.ts';
import { Count, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { CoursePackage } from '#contract/entities/package.ts';

export const H5pTitle = NeededLine(200, 'Enter a title.');

/** An H5P activity in an organisation's library. Fields after `video_id` are ours. */
export const H5p = z.object({
  id: Id,
  title: z.string(),
  video_id: z.nullable(z.string()),
  package: CoursePackage,
  created_at: Instant,
  updated_at: Instant,
});
export type H5p = z.infer<typeof H5p>;
/** One activity, with the topics that contain it, of those that the caller can see: ours. */
export const H5pDetail = z.object({ ...H5p.shape, used_in: z.array(TitleRef) });
export type H5pDetail = z.infer<typeof H5pDetail>;

/**
 * A current or earlier file of an activity: ours. `topics`: those that use this file, of those that the caller can see. `contents`: how many
 * published contents of the caller’s organisation and below use it; `open`: how many of its people have an unfinished attempt with it.
 */
export const H5pVersion = z.object({
  no: Count,
  package: CoursePackage,
  by: z.nullable(Ref),
  at: Instant,
  /** It is the current file. */
  current: z.boolean(),
  topics: z.array(z.object({ ...TitleRef.shape, editable: z.boolean() })),
  contents: Count,
  open: Count,
});
export type H5pVersion = z.infer<typeof H5pVersion>;
