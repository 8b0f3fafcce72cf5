import * as z from 'zod/mini';
import { Choice, Count, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';
import { andFollowing } from '#contract/entities/training-session.ts';

/** The files of a training session. Ours. */

/** Who can read one: delegates, trainer and office; or only trainer and office. */
export const documentAudiences = ['delegates', 'trainers'] as const;
export const documentLimits = { bytes: 50_000_000, perSession: 30 } as const;
export const documentTooLarge = `This file is too large: ${documentLimits.bytes / 1_000_000} MB at most.`;

/** A document as its readers see it. `ending` is the file name extension: pdf. */
export const DocumentFile = z.object({ id: Id, name: z.string(), ending: z.string(), bytes: Count });
export type DocumentFile = z.infer<typeof DocumentFile>;

export const SessionDocument = z.object({
  ...DocumentFile.shape,
  audience: z.enum(documentAudiences),
  added_by: Ref,
  added_at: Instant,
  /** Whether the following sessions of its series get it as well. */
  in_following: z.boolean(),
});
export type SessionDocument = z.infer<typeof SessionDocument>;

export const documentFields = {
  name: NeededLine(150, 'Enter what it is called.'),
  audience: z.enum(documentAudiences, 'Choose who it is for.'),
};
/** A document whose file has been uploaded, by the id of the upload. */
export const NewSessionDocument = z.object({ ...documentFields, upload_id: Choice('Choose a file.'), ...andFollowing });
