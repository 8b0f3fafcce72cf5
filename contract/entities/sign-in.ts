import * as z from 'zod/mini';
import { Count, Instant } from '#contract/entities/fields.ts';

/** Who else can say who somebody is. An organisation switches each on for its people. */
export const signInProviders = ['microsoft', 'google'] as const;
export type SignInProvider = (typeof signInProviders)[number];
export const providerNames: Record<SignInProvider, string> = { microsoft: 'Microsoft', google: 'Google' };
/** The field of an organisation that switches it on. Specification section 3. */
export const providerSwitches = { microsoft: 'allow_ms_sign_in', google: 'allow_google_sign_in' } as const;

/** The field of a sign-in that takes the second step. */
export const secondStepField = 'second_step_code';
/** How many codes for once are handed out together. */
export const recoveryCodeCount = 10;

const Passkey = z.object({ id: z.string(), name: z.string(), created_at: Instant, last_used_at: z.nullable(Instant) });

/** How somebody can sign in. `recovery_codes` are those not used yet. */
export const SignInWays = z.object({
  second_step: z.object({ on: z.boolean(), since: z.nullable(Instant), recovery_codes: Count }),
  passkeys: z.array(Passkey),
  providers: z.array(
    z.object({
      provider: z.enum(signInProviders),
      /** The person's organisation lets them use it. */
      allowed: z.boolean(),
      connected: z.nullable(z.object({ email: z.nullable(z.string()), at: Instant })),
    }),
  ),
});
export type SignInWays = z.infer<typeof SignInWays>;

/** What happens at an account. */
export const authEventKinds = ['signed_in', 'refused', 'password_changed', 'email_changed'] as const;
/** With what: a password in the browser or in the mobile app, a passkey, a provider, or the link of an e-mail. */
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
/** How an account has been used: whether it can be signed in to, and the newest hundred events. */
export const AccountActivity = z.object({
  last_signed_in_at: z.nullable(Instant),
  second_step: z.boolean(),
  passkeys: Count,
  sessions: Count,
  events: z.array(AuthEvent),
});
export type AccountActivity = z.infer<typeof AccountActivity>;

/** What the browser's passkey calls take and give, as JSON. Their makers check it: @simplewebauthn on both sides. */
export const PasskeyJson = z.record(z.string(), z.unknown());
