import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id, Name, Slug } from '#contract/entities/fields.ts';
import { AccountActivity, PasskeyJson, signInProviders, SignInWays } from '#contract/entities/sign-in.ts';
import { AuthUser } from '#contract/entities/user.ts';

const Password = z.string().check(z.minLength(1, 'Enter your password.'), z.maxLength(1000, 'This value is too long.'));
const Code = z.string().check(z.minLength(1, 'Enter the code.'), z.maxLength(40, 'This value is too long.'));
const CredentialId = z.string().check(z.minLength(1), z.maxLength(1400), z.regex(/^[\w-]+$/, 'This is not a valid passkey.'));
const Provider = z.enum(signInProviders);
const ownErrors = ['not_while_acting', 'unauthenticated', 'csrf_mismatch'] as const;

export const signInOptions = endpoint({
  id: 'signInOptions',
  method: 'GET',
  path: '/auth/sign-in-options',
  ours: true,
  summary: 'Lists the sign-in providers offered on the sign-in page of an organisation (by slug, otherwise by subdomain), or overall.',
  query: z.object({ slug: z.optional(Slug) }),
  response: z.object({ providers: z.array(Provider) }),
  errors: [],
  access: 'public',
  offline: 'online-only',
});
export const beginPasskeySignIn = endpoint({
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/login/passkey/options',
  ours: true,
  summary: 'Returns the options for signing in with a passkey; valid once, for five minutes.',
  response: PasskeyJson,
  errors: ['too_many_attempts', 'csrf_mismatch'],
  access: 'public',
  offline: 'online-only',
});
export const passkeySignIn = endpoint({
  id: 'passkeySignIn',
  method: 'POST',
  path: '/login/passkey',
  ours: true,
  summary: 'Signs a person in with their passkey. It replaces both password and second step.',
  body: z.object({ credential: PasskeyJson, restricted_access_password: z.optional(z.string().check(z.maxLength(1000))) }),
  response: AuthUser,
  errors: ['invalid_input', 'passkey_refused', 'access_restricted', 'too_many_attempts', 'csrf_mismatch'],
  access: 'public',
  offline: 'online-only',
});
export const openIdSignIn = endpoint({
  id: 'openIdSignIn',
  method: 'GET',
  path: '/auth/openid/{provider}',
  ours: true,
  summary:
    'Redirects the browser to Microsoft or Google (OpenID Connect, code flow with PKCE). With connect, connects the signed-in person’s account.',
  params: z.object({ provider: Provider }),
  query: z.object({ to: z.optional(z.string().check(z.maxLength(500))), connect: z.optional(z.literal('1')) }),
  file: 'text/html',
  status: 302,
  errors: ['not_while_acting', 'not_found'],
  access: 'public',
  notWhileActing: true,
  offline: 'online-only',
});
export const openIdCallback = endpoint({
  id: 'openIdCallback',
  method: 'GET',
  path: '/auth/openid/{provider}/callback',
  ours: true,
  summary: 'The redirect target for Microsoft and Google. Redirects to the app, with any error in the URL parameter problem.',
  params: z.object({ provider: Provider }),
  query: z.object({ code: z.optional(z.string()), state: z.optional(z.string().check(z.maxLength(200))), error: z.optional(z.string()) }),
  file: 'text/html',
  status: 302,
  errors: ['not_found'],
  access: 'public',
  offline: 'online-only',
});
export const signInWays = endpoint({
  id: 'signInWays',
  method: 'GET',
  path: '/auth/sign-in-ways',
  ours: true,
  summary: 'Returns the signed-in person’s sign-in methods: second step, passkeys, connected accounts.',
  response: SignInWays,
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const disconnectProvider = endpoint({
  id: 'disconnectProvider',
  method: 'DELETE',
  path: '/auth/openid/{provider}',
  ours: true,
  summary: 'Disconnects a Microsoft or Google account.',
  params: z.object({ provider: Provider }),
  status: 204,
  errors: ['not_found', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const beginSecondStep = endpoint({
  id: 'beginSecondStep',
  method: 'POST',
  path: '/auth/second-step',
  ours: true,
  summary: 'Creates a key for an authenticator app (TOTP, RFC 6238). It takes effect when a code is confirmed.',
  body: z.object({ password: Password }),
  response: z.object({ key: z.string(), uri: z.string() }),
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const confirmSecondStep = endpoint({
  id: 'confirmSecondStep',
  method: 'POST',
  path: '/auth/second-step/confirm',
  ours: true,
  summary: 'Turns on the second step with a code from the app and returns the recovery codes: shown once, each valid once.',
  body: z.object({ code: Code }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_input', 'too_many_attempts', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const newRecoveryCodes = endpoint({
  id: 'newRecoveryCodes',
  method: 'POST',
  path: '/auth/second-step/recovery-codes',
  ours: true,
  summary: 'Creates new recovery codes; the old ones stop working.',
  body: z.object({ password: Password }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_input', 'wrong_credentials', 'not_found', 'too_many_attempts', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const endSecondStep = endpoint({
  id: 'endSecondStep',
  method: 'POST',
  path: '/auth/second-step/end',
  ours: true,
  summary: 'Turns off the second step.',
  body: z.object({ password: Password }),
  status: 204,
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const endSecondStepOf = endpoint({
  id: 'endSecondStepOf',
  method: 'DELETE',
  path: '/users/{id}/second-step',
  ours: true,
  summary: 'Turns off the second step of a person who has lost their phone and recovery codes. They are notified by e-mail.',
  params: z.object({ id: Id }),
  status: 204,
  errors: ['not_found', 'forbidden', ...ownErrors],
  access: ['user.update'],
  notWhileActing: true,
  offline: 'online-only',
});
export const accountActivity = endpoint({
  id: 'accountActivity',
  method: 'GET',
  path: '/users/{id}/account-activity',
  ours: true,
  summary:
    'Lists the account activity (sign-ins, failed sign-ins, password changes) of the caller or, with permission user.activity, of people the caller can see.',
  params: z.object({ id: Id }),
  response: AccountActivity,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const beginPasskey = endpoint({
  id: 'beginPasskey',
  method: 'POST',
  path: '/auth/passkeys/options',
  ours: true,
  summary: 'Returns the options for creating a sign-in passkey; valid once, for five minutes.',
  body: z.object({ password: Password }),
  response: PasskeyJson,
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const createPasskey = endpoint({
  id: 'createPasskey',
  method: 'POST',
  path: '/auth/passkeys',
  ours: true,
  summary: 'Registers a new passkey for sign-in.',
  body: z.object({ name: Name, credential: PasskeyJson }),
  status: 201,
  response: z.object({ id: z.string() }),
  errors: ['invalid_input', 'passkey_refused', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const deletePasskey = endpoint({
  id: 'deletePasskey',
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  ours: true,
  summary: 'Removes a passkey.',
  params: z.object({ id: CredentialId }),
  status: 204,
  errors: ['not_found', ...ownErrors],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});

export const signInEndpoints = [
  signInOptions,
  beginPasskeySignIn,
  passkeySignIn,
  openIdSignIn,
  openIdCallback,
  signInWays,
  disconnectProvider,
  beginSecondStep,
  confirmSecondStep,
  newRecoveryCodes,
  endSecondStep,
  endSecondStepOf,
  accountActivity,
  beginPasskey,
  createPasskey,
  deletePasskey,
] as const;
