import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Email, Id, Instant, NeededLine } from '#contract/entities/fields.ts';

/** An organisation that may book with a provider. `ended_at`: since when it no longer may. */
export const TrainingClient = z.object({ id: Id, client: EntityRef, added_at: Instant, ended_at: z.nullable(Instant) });
export type TrainingClient = z.infer<typeof TrainingClient>;
/** A code with which an organisation becomes a client. `name`: the provider's own label for it. */
export const ClientInvitation = z.object({
  id: Id,
  name: z.string(),
  email: z.nullable(z.string()),
  created_at: Instant,
  expires_at: Instant,
  accepted_at: z.nullable(Instant),
});
export type ClientInvitation = z.infer<typeof ClientInvitation>;
export const NewClientInvitation = z.object({ name: NeededLine(200, 'Enter who it is for.'), email: z.nullable(Email) });

/** A provider as its clients see it. */
export const TrainingProvider = z.object({
  id: Id,
  provider: EntityRef,
  logo: z.nullable(z.string()),
  email: z.nullable(z.string()),
  telephone: z.nullable(z.string()),
  website: z.nullable(z.string()),
  added_at: Instant,
  ended_at: z.nullable(Instant),
});
export type TrainingProvider = z.infer<typeof TrainingProvider>;

/** Letters and digits that are not easily confused. */
export const invitationAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const invitationLength = 12;
/** A code in its displayed form, typed with or without hyphens. */
export const InvitationCode = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(new RegExp(`^([${invitationAlphabet}]{4}[- ]?){2}[${invitationAlphabet}]{4}$`), 'Enter the code, for example K7QM-2XPD-9F4T.'),
  );
