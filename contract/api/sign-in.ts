import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id, Name, Slug } from '#contract/entities/fields.ts';
import { AccountActivity, PasskeyJson, signInProviders, SignInWays } from '#contract/entities/sign-in.ts';
import { AuthUser } from '#contract/entities/user.ts';

const Password = z.string().check(z.minLength(1, 'Enter your password.'), z.maxLength(1000, 'This is too long.'));
const Code = z.string().check(z.minLength(1, 'Enter the code.'), z.maxLength(40, 'This is too long.'));
const CredentialId = z.string().check(z.minLength(1), z.maxLength(1400), z.regex(/^[\w-]+$/, 'This is not a passkey.'));
const Provider = z.enum(signInProviders);
const own = ['not_while_acting', 'unauthenticated', 'csrf_mismatch'] as const;

export const signInOptions = endpoint({
  id: 'signInOptions',
  method: 'GET',
  path: '/auth/sign-in-options',
  ours: true,
  summary: 'Who else can say who somebody is, on the sign-in page of an organisation (by slug, else by subdomain), or of all.',
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
  summary: 'What the browser asks a passkey; works once, for five minutes.',
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
  summary: 'Signs a person in with the answer of their passkey. It is both steps at once.',
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
    'Sends the browser to Microsoft or Google (OpenID Connect, code flow with PKCE). With connect: to connect the account of who is signed in.',
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
  summary: 'Where Microsoft or Google send the browser back to. Leads to the app; what went wrong stands in the address as problem.',
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
  summary: 'How the signed-in person can sign in: second step, passkeys, connected accounts.',
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
  summary: 'Takes away that an account of Microsoft or Google signs the person in.',
  params: z.object({ provider: Provider }),
  status: 204,
  errors: ['not_found', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const beginSecondStep = endpoint({
  id: 'beginSecondStep',
  method: 'POST',
  path: '/auth/second-step',
  ours: true,
  summary: 'Makes a key for an authenticator app (TOTP, RFC 6238). It counts once a code of it was confirmed.',
  body: z.object({ password: Password }),
  response: z.object({ key: z.string(), uri: z.string() }),
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const confirmSecondStep = endpoint({
  id: 'confirmSecondStep',
  method: 'POST',
  path: '/auth/second-step/confirm',
  ours: true,
  summary: 'Switches the second step on with a code of the app, and answers the recovery codes: shown once, each works once.',
  body: z.object({ code: Code }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_input', 'too_many_attempts', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const newRecoveryCodes = endpoint({
  id: 'newRecoveryCodes',
  method: 'POST',
  path: '/auth/second-step/recovery-codes',
  ours: true,
  summary: 'New recovery codes; the old ones stop working.',
  body: z.object({ password: Password }),
  response: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_input', 'wrong_credentials', 'not_found', 'too_many_attempts', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const endSecondStep = endpoint({
  id: 'endSecondStep',
  method: 'POST',
  path: '/auth/second-step/end',
  ours: true,
  summary: 'Switches the second step off.',
  body: z.object({ password: Password }),
  status: 204,
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const endSecondStepOf = endpoint({
  id: 'endSecondStepOf',
  method: 'DELETE',
  path: '/users/{id}/second-step',
  ours: true,
  summary: 'Switches the second step of somebody off who has lost their phone and their recovery codes. They are told by e-mail.',
  params: z.object({ id: Id }),
  status: 204,
  errors: ['not_found', 'forbidden', ...own],
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
    'How an account has been used: sign-ins, refused ones, new passwords; one’s own, or, with permission user.activity, those of the people one sees.',
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
  summary: 'What the browser needs to make a passkey that signs the person in; works once, for five minutes.',
  body: z.object({ password: Password }),
  response: PasskeyJson,
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const createPasskey = endpoint({
  id: 'createPasskey',
  method: 'POST',
  path: '/auth/passkeys',
  ours: true,
  summary: 'Keeps a passkey that was made; it signs the person in from then on.',
  body: z.object({ name: Name, credential: PasskeyJson }),
  status: 201,
  response: z.object({ id: z.string() }),
  errors: ['invalid_input', 'passkey_refused', ...own],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const deletePasskey = endpoint({
  id: 'deletePasskey',
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  ours: true,
  summary: 'A passkey no longer signs the person in.',
  params: z.object({ id: CredentialId }),
  status: 204,
  errors: ['not_found', ...own],
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
