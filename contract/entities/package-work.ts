import * as z from 'zod/mini';
import { Count, Id, Instant, Percent } from '#contract/entities/fields.ts';
import { encodeText, encodeTexts } from '#contract/rules/holdable-text.ts';

/** What an attempt stores of a person's work inside a SCORM package or an H5P activity. */

/**
 * Maximum bytes (JSON in UTF-8) of one package session: three times the size of 6,000 interactions with answers of 200
 * characters. Beyond it, the package gets an error and the person is told.
 */
export const packageWorkLimitBytes = 8_000_000;
/** Maximum request body for such work: encoded characters take more space. */
export const packageWorkBodyBytes = 16_000_000;

/** Text written by a package: always accepted; characters that the database cannot store are encoded. */
const PackageText = z.string().check(z.overwrite(encodeText));

/** The identifier of a SCO in its manifest, or of an H5P item. */
export const ItemId = z.string().check(z.minLength(1), z.maxLength(255));

export const ScormCompletion = z.enum(['not attempted', 'incomplete', 'completed']);
export type ScormCompletion = z.infer<typeof ScormCompletion>;
export const ScormSuccess = z.enum(['unknown', 'failed', 'passed']);
export type ScormSuccess = z.infer<typeof ScormSuccess>;

/**
 * Progress of one session. `seconds` and `ticks` only grow within a session; `cmi` is the run-time's data model. `completion` and `success` are
 * what the standard makes of the data if the session ends now. `ended: false`: it may go on, and nothing is decided yet; absent: it has ended.
 */
export const ScormFacts = z.object({
  ticks: Count,
  seconds: Count,
  ended: z.optional(z.boolean()),
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
 * A package within an attempt: its sessions, newest first, and the one to resume. Totals: `scormTotals`
 * (contract/rules/merge-scorm.ts). Old sessions come without their data model.
 */
export const ScormItem = z.object({ item_id: ItemId, resume: z.nullable(Id), sessions: z.array(ScormSession) });
export type ScormItem = z.infer<typeof ScormItem>;

/** An xAPI statement without its actor, who is the person of the attempt. */
export const Statement = z.object({
  id: Id,
  at: Instant,
  verb: PackageText.check(z.maxLength(1000)),
  statement: z.record(z.string(), z.unknown()).check(z.overwrite(encodeTexts)),
});
export type Statement = z.infer<typeof Statement>;

/** The current position in an H5P activity, in the activity's own format. */
export const H5pPlace = PackageText.check(z.maxLength(packageWorkLimitBytes));

/** Totals of an H5P activity's statements: `h5pFactsOf` (contract/rules/h5p-facts.ts). `score` in percent of the maximum. */
export const H5pFacts = z.object({ completed: z.boolean(), score: z.nullable(Percent) });
export type H5pFacts = z.infer<typeof H5pFacts>;

/** An H5P activity within an attempt: current position, number of stored statements, and their totals. */
export const H5pItem = z.object({ item_id: ItemId, state: z.nullable(z.string()), statements: Count, ...H5pFacts.shape });
export type H5pItem = z.infer<typeof H5pItem>;
