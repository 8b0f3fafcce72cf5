import * as z from 'zod/mini';
import { Count, Id, Instant, Percent } from '#contract/entities/fields.ts';
import { encodeText, encodeTexts } from '#contract/rules/holdable-text.ts';

/** What a person does inside a SCORM package or an H5P activity, as an attempt carries it. */

/**
 * Bytes (JSON in UTF-8) of what one session of a package may hold: three times what 6,000 interactions with answers of 200
 * characters come to. Beyond, the package is told, and the person; nothing is dropped without a word.
 */
export const packageWorkLimitBytes = 8_000_000;
/** What a request with such work may hold: characters that are encoded take more. */
export const packageWorkBodyBytes = 16_000_000;

/** Text that a package wrote: taken whatever it holds, and encoded where the database could not hold it. */
const PackageText = z.string().check(z.overwrite(encodeText));

/** The identifier of a SCO in its manifest, or of an H5P item. */
export const ItemId = z.string().check(z.minLength(1), z.maxLength(255));

export const ScormCompletion = z.enum(['not attempted', 'incomplete', 'completed']);
export type ScormCompletion = z.infer<typeof ScormCompletion>;
export const ScormSuccess = z.enum(['unknown', 'failed', 'passed']);
export type ScormSuccess = z.infer<typeof ScormSuccess>;

/** How far one session has got. `seconds` and `ticks` only grow within a session; `cmi` is the run-time's data model. */
export const ScormFacts = z.object({
  ticks: Count,
  seconds: Count,
  completion: ScormCompletion,
  success: ScormSuccess,
  score: z.nullable(Percent),
  percent: Percent,
  cmi: z.record(PackageText, PackageText),
});
export type ScormFacts = z.infer<typeof ScormFacts>;

export const ScormSession = z.object({ session_id: Id, at: Instant, ...ScormFacts.shape });
export type ScormSession = z.infer<typeof ScormSession>;

/**
 * A package within an attempt: its sessions, newest first, and the one that is gone on with. What they add up to is
 * `scormTotals` (contract/rules/merge-scorm.ts). Old sessions come without their data model.
 */
export const ScormItem = z.object({ item_id: ItemId, resume: z.nullable(Id), sessions: z.array(ScormSession) });
export type ScormItem = z.infer<typeof ScormItem>;

/** An xAPI statement, without its actor: that is the person of the attempt. */
export const Statement = z.object({
  id: Id,
  at: Instant,
  verb: PackageText.check(z.maxLength(1000)),
  statement: z.record(z.string(), z.unknown()).check(z.overwrite(encodeTexts)),
});
export type Statement = z.infer<typeof Statement>;

/** Where a person is in an H5P activity, in the activity's own words. */
export const H5pPlace = PackageText.check(z.maxLength(packageWorkLimitBytes));

/** What the statements of an H5P activity add up to: `h5pFactsOf` (contract/rules/h5p-facts.ts). `score` in percent of the highest. */
export const H5pFacts = z.object({ completed: z.boolean(), score: z.nullable(Percent) });
export type H5pFacts = z.infer<typeof H5pFacts>;

/** An H5P activity within an attempt: where the person is, how many statements are kept, and what they add up to. */
export const H5pItem = z.object({ item_id: ItemId, state: z.nullable(z.string()), statements: Count, ...H5pFacts.shape });
export type H5pItem = z.infer<typeof H5pItem>;
