import * as z from 'zod/mini';
import { contentFields, courseFields } from '#contract/entities/authored-content.ts';
import { lessonFields, partLimits, quizFields, topicFields } from '#contract/entities/authored-parts.ts';
import { contentFileLimits } from '#contract/entities/content-file.ts';
import { Design } from '#contract/entities/design.ts';
import { Count, Hash, Instant } from '#contract/entities/fields.ts';
import { packageLimits } from '#contract/entities/package.ts';

/**
 * A course as a file: a ZIP archive with `course.json` (described in docs/course-files.md) and the files and packages that it names, to be
 * imported by another organisation or server. Ours.
 */

/** `schema` is raised on a breaking change; `read` lists the versions that can be imported. 2: practice questions in topics, designed contents. */
export const courseFile = {
  ...{ name: 'course.json', format: 'lantern-course', schema: 2, read: [1, 2], readMs: 30_000 },
  ...{ files: 5000, packages: 200 },
  /** Total unpacked size of all its packages: those beyond it are left out. */
  packageBytes: contentFileLimits.bytes,
} as const;

const FileLine = z.object({
  /** SHA-256 of its bytes, for verification. */
  hash: Hash,
  path: z.string().check(z.regex(/^files\/[0-9a-f]{64}\.[a-z0-9]{1,8}$/)),
  name: z.string().check(z.maxLength(255)),
  bytes: Count,
});
export type CourseFileLine = z.infer<typeof FileLine>;
const PackageLine = z.object({
  /** The name by which activities in topics refer to it. */
  tree: Hash,
  path: z.string().check(z.regex(/^packages\/[0-9a-f]{64}\.h5p$/)),
  /** SHA-256 of its contents, by which it is verified and recognised. */
  hash: Hash,
  /** Unpacked size. */
  bytes: Count.check(z.lte(packageLimits.unpackedBytes)),
  files: Count.check(z.lte(packageLimits.files)),
});
export type CoursePackageLine = z.infer<typeof PackageLine>;
/** Whether a lesson or quiz is required to complete the content; absent: it is. */
const required = z.optional(z.boolean());
const { title, aims, outcomes, estimated_duration, cpd_accredited, admin_only, image, image_alt } = contentFields;

/** `course.json`: a content with all its parts by value. Questions have no ids; files are named by their hashes. */
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
  /** For a content made in the content designer, instead of lessons and quizzes. */
  design: z.optional(Design),
  files: z.array(FileLine).check(z.maxLength(courseFile.files)),
  /** Packages of the activities in its topics. Absent in files exported before packages were included. */
  packages: z.optional(z.array(PackageLine).check(z.maxLength(courseFile.packages))),
  /** What the file leaves out of the content, in sentences. */
  left_out: z.array(z.string().check(z.maxLength(500))).check(z.maxLength(200)),
});
export type CourseDescription = z.infer<typeof CourseDescription>;

/** A course as read from our own format or another system's (Common Cartridge), which has no export date. */
export type ReadCourse = Omit<CourseDescription, 'exported_at'> & { exported_at: string | null };

/** A preview of a course file, before anything is imported. */
export const CourseInFile = z.object({
  title: z.string(),
  course: z.string(),
  organisation: z.string(),
  /** Null if the file does not say. */
  exported_at: z.nullable(Instant),
  lessons: z.array(z.object({ title: z.string(), topics: z.array(z.string()) })),
  quizzes: z.array(z.object({ title: z.string(), questions: Count })),
  /** The titles of the pages of a designed content. */
  pages: z.array(z.string()),
  /** `here`: the organisation has them already; they are not stored again. */
  files: z.object({ count: Count, bytes: Count, here: Count }),
  /** Its H5P activities that can be imported; `bytes` unpacked, `here` as for files. */
  packages: z.object({ count: Count, bytes: Count, here: Count }),
  /** The organisation has an e-learning of this title already. */
  same_title: z.boolean(),
  /** What is not imported, and why, in sentences. */
  left_out: z.array(z.string()),
});
export type CourseInFile = z.infer<typeof CourseInFile>;
