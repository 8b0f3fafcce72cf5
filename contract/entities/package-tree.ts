import * as z from 'zod/mini';
import { Count, Hash } from '#contract/entities/fields.ts';

/**
 * The list of a package's files, each with the hash of its bytes and its size. The package is named by the hash of this
 * list, as it is written: whoever has the name can tell whether list and files are what was uploaded. `salt` keeps the
 * name from being guessed by somebody who knows the files.
 */
export const PackageTree = z.object({ salt: z.string(), files: z.record(z.string(), z.tuple([Hash, Count])) });
export type PackageTree = z.infer<typeof PackageTree>;
