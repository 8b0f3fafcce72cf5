import * as z from 'zod/mini';
import { Count, Id, Instant } from '#contract/entities/fields.ts';

/** An uploaded course package: a SCORM course or an H5P activity. Immutable; a new upload is a new package. */

const megabyte = 1_000_000;
/** Limits of a package. Sizes in bytes. */
export const packageLimits = {
  uploadBytes: 1000 * megabyte,
  unpackedBytes: 2000 * megabyte,
  fileBytes: 1000 * megabyte,
  /** A file that is read into memory, such as a manifest or definition. */
  readBytes: 20 * megabyte,
  files: 10_000,
  /** Maximum compression ratio, checked above the size below. */
  ratio: 100,
  ratioFromBytes: 50 * megabyte,
  pathLength: 500,
  depth: 32,
  /** Maximum number and depth of an XML file's elements. */
  xmlElements: 200_000,
  xmlDepth: 100,
  /** Attributes of one element and in total. */
  xmlAttributes: { one: 1000, all: 1_000_000 },
  /** Maximum depth and number of values of a JSON file. */
  jsonDepth: 200,
  jsonValues: 500_000,
  /** Of a course: number and depth of items, and characters stored of its manifest. */
  items: 5000,
  itemDepth: 30,
  manifestLength: 3 * megabyte,
  /** Total of the files read into memory. */
  readTogetherBytes: 100 * megabyte,
  /** Time limit for parsing, in milliseconds. */
  readMs: 30_000,
} as const;

export const packageProblemCodes = [
  'unreadable_archive',
  'encrypted',
  'unsafe_name',
  'too_large',
  'not_a_package',
  'malformed_xml',
  'unsafe_xml',
  'malformed_json',
  'invalid_manifest',
  'invalid_definition',
  'missing_file',
  'missing_libraries',
  'left_out',
  'mended',
  'asks_elsewhere',
] as const;

/** A problem of a package: where it is, what it is, and how the author can fix it. */
export const PackageProblem = z.object({ code: z.enum(packageProblemCodes), file: z.nullable(z.string()), problem: z.string(), remedy: z.string() });
export type PackageProblem = z.infer<typeof PackageProblem>;

/** An element of the sequencing vocabulary with its attributes and children, as in the manifest. */
export const SequencingElement = z.object({
  name: z.string(),
  attributes: z.record(z.string(), z.string()),
  text: z.string(),
  get children() {
    return z.array(SequencingElement);
  },
});
export type SequencingElement = z.infer<typeof SequencingElement>;

/** An item of a course. `href` is relative to the package, and null for an item that only groups others. */
export const ScormActivity = z.object({
  id: z.string(),
  title: z.string(),
  visible: z.boolean(),
  href: z.nullable(z.string()),
  kind: z.nullable(z.enum(['sco', 'asset'])),
  prerequisites: z.nullable(z.string()),
  mastery_score: z.nullable(z.number()),
  max_time: z.nullable(z.string()),
  time_limit_action: z.nullable(z.string()),
  launch_data: z.nullable(z.string()),
  /** `adlcp` and `adlnav` elements and the item's sequencing. */
  extensions: z.array(SequencingElement),
  get children() {
    return z.array(ScormActivity);
  },
});
export type ScormActivity = z.infer<typeof ScormActivity>;

export const scormStandards = ['1.2', '2004 2nd', '2004 3rd', '2004 4th'] as const;
export const ScormManifest = z.object({
  kind: z.literal('scorm'),
  standard: z.enum(scormStandards),
  title: z.string(),
  /** The manifest's identifier. */
  identifier: z.string(),
  activities: z.array(ScormActivity),
  /** Of the organisation itself, and the collection that items refer to. */
  extensions: z.array(SequencingElement),
  collection: z.array(SequencingElement),
  items: Count,
  scos: Count,
});
export type ScormManifest = z.infer<typeof ScormManifest>;

export const H5pLibrary = z.object({ name: z.string(), major: Count, minor: Count, patch: Count, title: z.string(), path: z.string() });
export type H5pLibrary = z.infer<typeof H5pLibrary>;
export const H5pManifest = z.object({
  kind: z.literal('h5p'),
  title: z.string(),
  /** Such as `H5P.TrueFalse 1.6`. */
  main_library: z.string(),
  libraries: z.array(H5pLibrary),
  licence: z.string(),
  authors: z.array(z.string()),
  source: z.nullable(z.string()),
});
export type H5pManifest = z.infer<typeof H5pManifest>;

export const PackageManifest = z.discriminatedUnion('kind', [ScormManifest, H5pManifest]);
export type PackageManifest = z.infer<typeof PackageManifest>;

/**
 * `tree` names the package on the content origin: a hash of the list of its files and their hashes, by which a stored copy can be
 * verified, and of a salt, so that the name cannot be guessed. `bytes`: size on a device.
 */
export const CoursePackage = z.object({
  id: Id,
  tree: z.string(),
  bytes: Count,
  files: Count,
  manifest: PackageManifest,
  warnings: z.array(PackageProblem),
  created_at: Instant,
});
export type CoursePackage = z.infer<typeof CoursePackage>;
