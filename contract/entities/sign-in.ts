import * as z from 'zod/mini';
import { Count, Instant } from '#contract/entities/fields.ts';

/** External sign-in providers. An organisation enables each for its people. */
export const signInProviders = ['microsoft', 'google'] as const;
export type SignInProvider = (typeof signInProviders)[number];
export const providerNames: Record<SignInProvider, string> = { microsoft: 'Microsoft', google: 'Google' };
/** The organisation's field that enables each provider. Specification section 3. */
export const providerSwitches = { microsoft: 'allow_ms_sign_in', google: 'allow_google_sign_in' } as const;

/** The sign-in field for the two-step verification code. */
export const secondStepField = 'second_step_code';
/** Number of recovery codes issued together. */
export const recoveryCodeCount = 10;

const Passkey = z.object({ id: z.string(), name: z.string(), created_at: Instant, last_used_at: z.nullable(Instant) });

/** A person's sign-in methods. `recovery_codes`: number still unused. */
export const SignInWays = z.object({
  second_step: z.object({ on: z.boolean(), since: z.nullable(Instant), recovery_codes: Count }),
  passkeys: z.array(Passkey),
  providers: z.array(
    z.object({
      provider: z.enum(signInProviders),
      /** Whether the person's organisation allows it. */
      allowed: z.boolean(),
      connected: z.nullable(z.object({ email: z.nullable(z.string()), at: Instant })),
    }),
  ),
});
export type SignInWays = z.infer<typeof SignInWays>;

/** Events recorded for an account. */
export const authEventKinds = ['signed_in', 'refused', 'password_changed', 'email_changed'] as const;
/** The method: a password in the browser or mobile app, a passkey, a provider, or the link in an e-mail. */
export const authWays = ['password', 'passkey', 'microsoft', 'google', 'app', 'link'] as const;
export type AuthWay = (typeof authWays)[number];
export type AuthEventKind = (typeof authEventKinds)[number];
export const AuthEvent = z.object({
  at: Instant,
  kind: z.enum(authEventKinds),
  way: z.enum(authWays),
  device: z.nullable(z.string()),
  address: z.string(),
});
export type AuthEvent = z.infer<typeof AuthEvent>;
/** Use of an account: whether sign-in is possible, and the latest hundred events. */
export const AccountActivity = z.object({
  last_signed_in_at: z.nullable(Instant),
  second_step: z.boolean(),
  passkeys: Count,
  sessions: Count,
  events: z.array(AuthEvent),
});
export type AccountActivity = z.infer<typeof AccountActivity>;

/** Input and output of the browser's passkey calls as JSON; @simplewebauthn validates it on both sides. */
export const PasskeyJson = z.record(z.string(), z.unknown());
