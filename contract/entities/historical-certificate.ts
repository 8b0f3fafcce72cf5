import * as z from 'zod/mini';
import { Choice, Day, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';

/** A care certificate that somebody brought with them: achieved elsewhere, or before this product was there. */
export const HistoricalCertificateFields = z.object({
  /** The day on which it was achieved. */
  achieved_on: Day,
  /** Who signed it off. */
  issuer: NeededLine(200, 'Enter who signed it off.'),
  /** What was seen of it: the paper, a call to the employer. */
  note: z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.')),
});
/** The same, of a person who has none yet. */
export const NewHistoricalCertificate = z.object({ user_id: Choice('Choose who has it.'), ...HistoricalCertificateFields.shape });
export const HistoricalCertificate = z.object({
  ...HistoricalCertificateFields.shape,
  id: Id,
  user: Ref,
  place: z.string(),
  added_by: Ref,
  added_at: Instant,
});
export type HistoricalCertificate = z.infer<typeof HistoricalCertificate>;
