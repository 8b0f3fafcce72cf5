import * as z from 'zod/mini';
import { contentFields, courseFields } from '#contract/entities/authored-content.ts';
import { lessonFields, partLimits, quizFields, topicFields } from '#contract/entities/authored-parts.ts';
import { contentFileLimits } from '#contract/entities/content-file.ts';
import { Design } from '#contract/entities/design.ts';
import { Count, Hash, Instant } from '#contract/entities/fields.ts';
import { packageLimits } from '#contract/entities/package.ts';

/**
 * A course in a file: a ZIP archive with `course.json` (described in docs/course-files.md) and the files and packages that it names, so
 * that it can be taken to another organisation or server. Ours.
 */

/** `schema` is raised when a reader of the one before could no longer read it; those in `read` are. 2: topics have questions for practice, and contents may be designed. */
export const courseFile = {
  ...{ name: 'course.json', format: 'lantern-course', schema: 2, read: [1, 2], readMs: 30_000 },
  ...{ files: 5000, packages: 200 },
  /** Of all its packages when they are unpacked: those beyond it do not come along. */
  packageBytes: contentFileLimits.bytes,
} as const;

const FileLine = z.object({
  /** SHA-256 of its bytes, by which it is checked. */
  hash: Hash,
  path: z.string().check(z.regex(/^files\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/)),
  name: z.string().check(z.maxLength(255)),
  bytes: Count,
});
export type CourseFileLine = z.infer<typeof FileLine>;
const PackageLine = z.object({
  /** By which the activities in topics name it. */
  tree: Hash,
  path: z.string().check(z.regex(/^packages\/[0-9a-f]{64}\.h5p$/)),
  /** SHA-256 of what it consists of, by which it is checked and known again. */
  hash: Hash,
  /** When it is unpacked. */
  bytes: Count.check(z.lte(packageLimits.unpackedBytes)),
  files: Count.check(z.lte(packageLimits.files)),
});
export type CoursePackageLine = z.infer<typeof PackageLine>;
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
  /** Of the activities in its topics. Absent in files that were exported before packages came along. */
  packages: z.optional(z.array(PackageLine).check(z.maxLength(courseFile.packages))),
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
  /** Of its H5P activities, as far as they are taken; `bytes` unpacked, `here` as of files. */
  packages: z.object({ count: Count, bytes: Count, here: Count }),
  /** The organisation has an e-learning of this title already. */
  same_title: z.boolean(),
  /** What is not taken, and why, in sentences. */
  left_out: z.array(z.string()),
});
export type CourseInFile = z.infer<typeof CourseInFile>;
