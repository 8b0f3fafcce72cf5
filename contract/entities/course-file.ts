import * as z from 'zod/mini';
import { contentFields, courseFields } from '#contract/entities/authored-content.ts';
import { lessonFields, partLimits, quizFields, topicFields } from '#contract/entities/authored-parts.ts';
import { Design } from '#contract/entities/design.ts';
import { Count, Hash, Instant } from '#contract/entities/fields.ts';

/**
 * A course in a file: a ZIP archive with `course.json` (described in docs/course-files.md) and the files that it names, so that it can
 * be taken to another organisation or server. Ours.
 */

/** `schema` is raised when a reader of the one before could no longer read it; those in `read` are. 2: topics have questions for practice, and contents may be designed. */
export const courseFile = { name: 'course.json', format: 'lantern-course', schema: 2, read: [1, 2], readMs: 30_000, files: 5000 } as const;

const FileLine = z.object({
  /** SHA-256 of its bytes, by which it is checked. */
  hash: Hash,
  path: z.string().check(z.regex(/^files\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/)),
  name: z.string().check(z.maxLength(255)),
  bytes: Count,
});
export type CourseFileLine = z.infer<typeof FileLine>;
/** Whether a lesson or quiz has to be done to complete the content; absent: it has to. */
const required = z.optional(z.boolean());
const { title, aims, outcomes, estimated_duration, cpd_accredited, admin_only, image, image_alt } = contentFields;

/** `course.json`: a content with all that it is made of, by value. Questions have no ids; files are named by their hashes. */
export const CourseDescription = z.object({
  format: z.literal(courseFile.format),
  schema: z.literal(courseFile.read),
  exported_at: Instant,
  organisation: z.string().check(z.maxLength(500)),
  course: z.pick(z.object(courseFields), { title: true, short_title: true }),
  content: z.object({ title, aims, outcomes, estimated_duration, cpd_accredited, admin_only, image, image_alt }),
  lessons: z
    .array(z.object({ ...lessonFields, required, topics: z.array(z.object(topicFields)).check(z.maxLength(partLimits.topics)) }))
    .check(z.maxLength(partLimits.lessons)),
  quizzes: z
    .array(z.object({ ...quizFields, required, question_qty: Count.check(z.lte(partLimits.questions)) }))
    .check(z.maxLength(partLimits.quizzes)),
  /** Of a content made in the content designer, instead of lessons and quizzes. */
  design: z.optional(Design),
  files: z.array(FileLine).check(z.maxLength(courseFile.files)),
  /** What of the content is not in the file, in sentences. */
  left_out: z.array(z.string().check(z.maxLength(500))).check(z.maxLength(200)),
});
export type CourseDescription = z.infer<typeof CourseDescription>;

/** A course as it was read, of our own file or of another system's (Common Cartridge), which does not say when it was exported. */
export type ReadCourse = Omit<CourseDescription, 'exported_at'> & { exported_at: string | null };

/** What a course in a file holds, before anything is made of it. */
export const CourseInFile = z.object({
  title: z.string(),
  course: z.string(),
  organisation: z.string(),
  /** null where the file does not say it. */
  exported_at: z.nullable(Instant),
  lessons: z.array(z.object({ title: z.string(), topics: z.array(z.string()) })),
  quizzes: z.array(z.object({ title: z.string(), questions: Count })),
  /** The titles of the pages of a designed content. */
  pages: z.array(z.string()),
  /** `here`: the organisation has them already; they are not stored again. */
  files: z.object({ count: Count, bytes: Count, here: Count }),
  /** The organisation has an e-learning of this title already. */
  same_title: z.boolean(),
  /** What is not taken, and why, in sentences. */
  left_out: z.array(z.string()),
});
export type CourseInFile = z.infer<typeof CourseInFile>;
