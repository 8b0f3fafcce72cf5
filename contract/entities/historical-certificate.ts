import * as z from 'zod/mini';
import { Choice, Day, Id, Instant, NeededLine, Ref } from '#contract/entities/fields.ts';

/** A care certificate achieved elsewhere or before this product was used. */
export const HistoricalCertificateFields = z.object({
  achieved_on: Day,
  issuer: NeededLine(200, 'Enter who signed it off.'),
  /** How it was verified, for example the paper or a call to the employer. */
  note: z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.')),
});
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
