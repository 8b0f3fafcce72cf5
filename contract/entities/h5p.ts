import * as z from 'zod/mini';
import { Id, Instant, NeededLine } from '#contract/entities/fields.ts';
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
