import * as z from 'zod/mini';
import { Count, Hash } from '#contract/entities/fields.ts';

/**
 * The list of a package's files with the hash and size of each. The package is named by the hash of this list, so anyone with the
 * name can verify list and files. `salt` prevents guessing the name from known files.
 */
export const PackageTree = z.object({ salt: z.string(), files: z.record(z.string(), z.tuple([Hash, Count])) });
export type PackageTree = z.infer<typeof PackageTree>;
