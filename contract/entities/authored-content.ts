import * as z from 'zod/mini';
import { CompletionRule, Media } from '#contract/entities/content.ts';
import { Count, Id, Instant, NeededLine } from '#contract/entities/fields.ts';
import { CoursePackage } from '#contract/entities/package.ts';

export const contentTypes = ['elearning', 'historical', 'face2face', 'exempt', 'scorm'] as const;
export const ContentType = z.enum(contentTypes);
export type ContentType = z.infer<typeof ContentType>;

const line = z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.'));
/** What an author enters for a content. `estimated_duration` in minutes. */
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

/** A content as its author sees it. Fields after `cpd_accredited` are ours. */
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
  /** The owning organisation; others may use it but not change it. */
  entity: z.object({ id: Id, name: z.string() }),
  editable: z.boolean(),
  /** Of a SCORM content: its completion rule and package. */
  completion: z.nullable(CompletionRule),
  package: z.nullable(CoursePackage),
  /** People who have begun an earlier version finish that one. */
  version: Count,
  created_at: Instant,
  updated_at: Instant,
});
export type Content = z.infer<typeof Content>;

export const Course = z.object({ id: Id, title: z.string(), short_title: z.string(), published: z.boolean() });
export type Course = z.infer<typeof Course>;
