import * as z from 'zod/mini';
import { LessonLine, TitleRef, TopicOfLesson } from '#contract/entities/authored-parts.ts';
import { CompletionRule, Media } from '#contract/entities/content.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Count, Day, Hash, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { OpenFeedback } from '#contract/entities/feedback.ts';
import { CoursePackage } from '#contract/entities/package.ts';

export const contentTypes = ['elearning', 'historical', 'face2face', 'exempt', 'scorm'] as const;
export const ContentType = z.enum(contentTypes);
export type ContentType = z.infer<typeof ContentType>;
/** The kinds that authors can add: an exemption is not content. */
export const authoredTypes = ['elearning', 'scorm', 'face2face', 'historical'] as const satisfies ContentType[];
export type AuthoredType = (typeof authoredTypes)[number];

const line = z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.'));
/** Groups of contents: at least one of each group must be completed before this content can be started. */
const PrerequisiteGroups = z
  .array(z.object({ prerequisite_contents: z.array(z.object({ id: Id })).check(z.minLength(1, 'Choose at least one.'), z.maxLength(50)) }))
  .check(z.maxLength(20, 'Use no more than 20 groups.'));
/** What an author enters for a content. `estimated_duration` in minutes; `image` is a picture uploaded with POST /content/images. */
export const contentFields = {
  title: NeededLine(200, 'Enter a title.'),
  aims: z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.')),
  outcomes: z.array(line).check(z.maxLength(30, 'Use no more than 30 outcomes.')),
  estimated_duration: z
    .number()
    .check(z.int('Enter a whole number of minutes.'), z.gte(0, 'Enter a whole number of minutes.'), z.lte(6000, 'Use no more than 6,000 minutes.')),
  cpd_accredited: z.boolean(),
  /** Only people who may record training can enter it; learners do not take or claim it themselves. */
  admin_only: z.boolean(),
  published: z.boolean(),
  image: z.nullable(z.object({ hash: Hash })),
  /** Our addition: the alternative text of the picture; empty if it is decorative. */
  image_alt: z.string().check(z.trim(), z.maxLength(300, 'Use no more than 300 characters.')),
  prerequisites: PrerequisiteGroups,
};

/** A content in a list. Fields after `cpd_accredited` are ours. */
export const ContentLine = z.object({
  id: Id,
  title: z.string(),
  course: TitleRef,
  published: z.boolean(),
  image: z.nullable(Media),
  estimated_duration: Count,
  aims: z.string(),
  outcomes: z.array(z.string()),
  admin_only: z.boolean(),
  cpd_accredited: z.boolean(),
  image_alt: z.string(),
  type: ContentType,
  /** Made in the content designer: an e-learning content whose parts are pages of blocks instead of lessons and quizzes. */
  designed: z.boolean(),
  /** The owning organisation; others may use it but not change it. */
  entity: Ref,
  editable: z.boolean(),
  /** Of a SCORM content: its completion rule and package. */
  completion: z.nullable(CompletionRule),
  package: z.nullable(CoursePackage),
  /** The version that is played; 0 before the first. People who have begun an earlier version finish that one. */
  version: Count,
  rev: Count,
  created_at: Instant,
  updated_at: Instant,
});
export type ContentLine = z.infer<typeof ContentLine>;
/** A content as its author sees it: its working copy. `topics` are those of its lessons, in their order. */
export const Content = z.object({
  ...ContentLine.shape,
  lessons: z.array(
    z.object({
      ...z.pick(LessonLine, { id: true, title: true, published: true, question_qty: true, editable: true }).shape,
      topics: z.array(TopicOfLesson),
    }),
  ),
  quizzes: z.array(z.object({ ...TitleRef.shape, published: z.boolean(), question_qty: Count, question_count: Count })),
  topics: z.array(TitleRef),
  prerequisites: z.array(z.object({ prerequisite_contents: z.array(TitleRef) })),
  /** Ours: the ways in which the working copy differs from what learners see, and what prevents publishing it. */
  has_changes: z.boolean(),
  changes: z.array(z.string()),
  problems: z.array(z.string()),
  /** Ours: when it is complete, as a sentence, and which of its lessons and quizzes are optional. Both are published with a version. */
  complete_when: z.string(),
  uncounted: z.array(Id),
});
export type Content = z.infer<typeof Content>;

/** The author's totals: how many of each, and how many of the organisation's e-learning contents are unavailable or have unpublished changes. */
export const ContentOverview = z.object({
  courses: Count,
  contents: z.object(Object.fromEntries(authoredTypes.map((type) => [type, Count])) as Record<AuthoredType, typeof Count>),
  lessons: Count,
  topics: Count,
  quizzes: Count,
  h5ps: Count,
  drafts: Count,
  /** E-learning with unpublished changes, the latest change first. */
  changed: z.array(z.object({ ...TitleRef.shape, designed: z.boolean() })),
  /** Feedback that learners wait for. */
  feedback: OpenFeedback,
});
export type ContentOverview = z.infer<typeof ContentOverview>;

/** One published version. `people` have an attempt at it, `open` of them unfinished. */
export const ContentVersion = z.object({
  version: Count,
  published_at: Instant,
  by: z.nullable(Ref),
  note: z.string(),
  /** The change matters to people who have done the course before. */
  material: z.boolean(),
  /** Within how many days people who are in date on an older version are asked to take it; null if nobody is. */
  take_within_days: z.nullable(Count),
  /** Of those who had completed an older version: how many have completed this one or a later one, and how many are still asked to. */
  taken: Count,
  asked: Count,
  current: z.boolean(),
  people: Count,
  open: Count,
  /** How many devices of these people have it stored for offline use, as last reported. */
  devices: Count,
});
export type ContentVersion = z.infer<typeof ContentVersion>;

export const courseFields = {
  title: NeededLine(200, 'Enter a title.'),
  short_title: NeededLine(40, 'Enter a short title.'),
  published: z.boolean(),
};
/** `lessons`, `topics` and `contents` of a course are in the answer for one course (`CourseDetail`). */
export const Course = z.object({ id: Id, title: z.string(), short_title: z.string(), published: z.boolean() });
export type Course = z.infer<typeof Course>;
/** A course in the author's list. Fields after `published` are ours. */
export const CourseLine = z.object({
  ...Course.shape,
  entity: Ref,
  editable: z.boolean(),
  content_count: Count,
  renewal_months: z.nullable(Count),
  /** Its categories in the caller's organisation and in those above. */
  categories: z.array(Ref),
  rev: Count,
});
export type CourseLine = z.infer<typeof CourseLine>;
export const CourseDetail = z.object({
  ...CourseLine.shape,
  /** `designed` is ours: made in the content designer. */
  contents: z.array(z.object({ ...TitleRef.shape, type: ContentType, published: z.boolean(), designed: z.boolean() })),
  lessons: z.array(TitleRef),
  topics: z.array(TitleRef),
});
export type CourseDetail = z.infer<typeof CourseDetail>;
/**
 * An organisation to which a course or a content was assigned. Counts cover the people there and below: `people_in_it` have begun and not
 * finished, `people_required` have a job role that requires it. `inherited`: an organisation above has it too, so that people there can
 * take it even without this assignment.
 */
export const GivenPlace = z.object({
  ...EntityRef.shape,
  /** The owning organisation. */
  own: z.boolean(),
  roles: z.array(Ref),
  types: z.array(Ref),
  inherited: z.boolean(),
  people_in_it: Count,
  people_required: Count,
});
export type GivenPlace = z.infer<typeof GivenPlace>;
const Uses = z.object({
  organisations: z.array(GivenPlace),
  roles: z.array(z.object({ ...Ref.shape, entity: EntityRef })),
  pathways: z.array(Ref),
  /** The next 50 sessions; how many there are, and how many of their places are taken. */
  sessions: z.array(z.object({ id: Id, date: Day, entity: Ref })),
  sessions_to_come: Count,
  people_booked: Count,
  people_in_it: Count,
  people_done: Count,
  people_required: Count,
  /** Why it cannot be deleted, in words, for its owners only: what they can see is counted, of the rest only its existence is mentioned. */
  needed_by: z.array(z.string()),
});
export type Uses = z.infer<typeof Uses>;
/**
 * Where a course is used, within what the caller can see: where it was assigned, which job roles require it, which pathways contain it, its
 * coming training sessions, and how many people are taking it now, have completed it, and are required to. `goes`: what does not prevent
 * deletion but is changed by it.
 */
export const CourseUses = z.object({
  ...Uses.shape,
  goes: z.object({
    /** The people recorded as its trainers, and the organisations that prioritise it. */
    trainers: Count,
    focused: z.array(Ref),
    /** Report presets that name it, and scheduled reports: those filtered to this course only fail after it is deleted. */
    presets: Count,
    schedules: Count,
    schedules_of_it_alone: Count,
    /** Whether any of this also exists outside what the caller can see: neither whose nor how much is revealed. */
    elsewhere: z.boolean(),
  }),
});
export type CourseUses = z.infer<typeof CourseUses>;
/**
 * The same for one content: its own assignments, attempts and completions; what requires it is its course. `before`: contents that follow it.
 */
export const ContentUses = z.object({ ...Uses.shape, before: z.array(TitleRef) });
export type ContentUses = z.infer<typeof ContentUses>;
