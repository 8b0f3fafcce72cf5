import * as z from 'zod/mini';
import { Count, Hash } from '#contract/entities/fields.ts';

/** A course file. `url` ends in the hash of its bytes, so it is immutable and can be cached indefinitely. */
export const Media = z.object({ hash: Hash, url: z.string(), type: z.string(), bytes: Count });
export type Media = z.infer<typeof Media>;
