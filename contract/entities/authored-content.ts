import * as z from 'zod/mini';
import { CompletionRule, Media } from '#contract/entities/content.ts';
import { Count, Id, Instant, NeededLine } from '#contract/entities/fields.ts';
import { CoursePackage } from '#contract/entities/package.ts';

export const contentTypes = ['elearning', 'historical', 'face2face', 'exempt', 'scorm'] as const;
export const ContentType = z.enum(contentTypes);
export type ContentType = z.infer<typeof ContentType>;

const line = z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.'));
/** What an author says about a content. `estimated_duration` in minutes. */
export const contentFields = {
  title: NeededLine(200, 'Enter a title.'),
  aims: z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.')),
  outcomes: z.array(line).check(z.maxLength(30, 'Use no more than 30 outcomes.')),
  estimated_duration: z
    .number()
    .check(z.int('Enter a whole number of minutes.'), z.gte(0, 'Enter a whole number of minutes.'), z.lte(6000, 'Use no more than 6,000 minutes.')),
  cpd_accredited: z.boolean(),
  published: z.boolean(),
  completion: CompletionRule,
};

/** A content as its author sees it. What stands after `cpd_accredited` is ours. */
export const Content = z.object({
  id: Id,
  title: z.string(),
  course: z.object({ id: Id, title: z.string() }),
  published: z.boolean(),
  image: z.nullable(Media),
  estimated_duration: Count,
  aims: z.string(),
  outcomes: z.array(z.string()),
  cpd_accredited: z.boolean(),
  type: ContentType,
  /** The organisation that made it: others may use it and not change it. */
  entity: z.object({ id: Id, name: z.string() }),
  editable: z.boolean(),
  /** Of a SCORM content: when it counts as completed, and what it plays. */
  completion: z.nullable(CompletionRule),
  package: z.nullable(CoursePackage),
  /** Who has begun an earlier version finishes on it. */
  version: Count,
  created_at: Instant,
  updated_at: Instant,
});
export type Content = z.infer<typeof Content>;

/** A course of the organisation, as a list shows it. */
export const Course = z.object({ id: Id, title: z.string(), short_title: z.string(), published: z.boolean() });
export type Course = z.infer<typeof Course>;
