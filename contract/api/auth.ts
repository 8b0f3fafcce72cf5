import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { PasswordRequirements } from '#contract/entities/entity.ts';
import { Email, Id, Instant, Name } from '#contract/entities/fields.ts';
import { AuthUser } from '#contract/entities/user.ts';

const Password = z.string().check(z.minLength(1, 'Enter a password.'), z.maxLength(1000, 'This is too long.'));
/** Where the organisation has restricted access: what lets one in all the same. */
const AccessPassword = z.optional(z.string().check(z.maxLength(1000)));
const SecondStep = z.optional(z.string().check(z.maxLength(40)));
const Token = z.string().check(z.minLength(1), z.maxLength(200));
const message = z.object({ message: z.string() });
const permissionList = z.array(z.object({ id: z.number(), slug: z.string() }));

export const csrfCookie = endpoint({
  id: 'csrfCookie',
  method: 'GET',
  path: '/sanctum/csrf-cookie',
  summary: 'Sets the anti-forgery cookie; its value also stands in the answer’s X-XSRF-TOKEN header.',
  status: 204,
  errors: [],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const login = endpoint({
  id: 'login',
  method: 'POST',
  path: '/login',
  summary: 'Signs a person in with a session cookie.',
  body: z.object({ email: Email, password: Password, restricted_access_password: AccessPassword, second_step_code: SecondStep }),
  response: AuthUser,
  errors: ['invalid_input', 'wrong_credentials', 'second_step_needed', 'access_restricted', 'too_many_attempts', 'csrf_mismatch'],
  access: 'public',
  offline: 'online-only',
});
export const mobileLogin = endpoint({
  id: 'mobileLogin',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Signs a person in on the mobile app; answers a bearer token.',
  body: z.object({ email: Email, password: Password, device_name: Name, restricted_access_password: AccessPassword, second_step_code: SecondStep }),
  response: z.object({ token: z.string() }),
  errors: ['invalid_input', 'wrong_credentials', 'second_step_needed', 'access_restricted', 'too_many_attempts'],
  access: 'public',
  offline: 'online-only',
});
export const logout = endpoint({
  id: 'logout',
  method: 'POST',
  path: '/logout',
  summary: 'Ends the session.',
  status: 204,
  errors: ['csrf_mismatch'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const mobileLogout = endpoint({
  id: 'mobileLogout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Revokes the bearer token.',
  status: 204,
  errors: ['unauthenticated'],
  access: 'signed-in',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const logoutUser = endpoint({
  id: 'logoutUser',
  method: 'POST',
  path: '/auth/logout/{userId}',
  summary: 'Ends every session of a person whom the caller may update.',
  params: z.object({ userId: Id }),
  status: 204,
  errors: ['not_found', 'forbidden'],
  access: ['user.update'],
  offline: 'online-only',
});
export const register = endpoint({
  id: 'register',
  method: 'POST',
  path: '/register/{plan}',
  summary:
    'Signs an organisation up for a plan: sends a link to confirm the address. The organisation and its first administrator are made when it is opened.',
  params: z.object({ plan: z.string().check(z.maxLength(40)) }),
  body: z.object({ organisation: Name, name: Name, email: Email, password: Password }),
  response: message,
  status: 201,
  errors: ['invalid_input', 'not_found', 'too_many_attempts', 'csrf_mismatch'],
  access: 'public',
  offline: 'online-only',
});
export const forgotPassword = endpoint({
  id: 'forgotPassword',
  method: 'POST',
  path: '/auth/forgot-password',
  summary: 'Sends a link to reset the password, where the account exists. The answer is the same either way.',
  body: z.object({ email: Email }),
  response: message,
  errors: ['invalid_input', 'too_many_attempts', 'csrf_mismatch'],
  access: 'public',
  offline: 'online-only',
});
export const resetPassword = endpoint({
  id: 'resetPassword',
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Sets a new password: with the token of a link, or, signed in, with the current password.',
  body: z.object({ token: z.optional(Token), current_password: z.optional(Password), password: Password, password_confirmation: Password }),
  response: message,
  errors: ['not_while_acting', 'invalid_input', 'link_expired', 'wrong_credentials', 'unauthenticated', 'too_many_attempts', 'csrf_mismatch'],
  access: 'public',
  duringPasswordChange: true,
  notWhileActing: true,
  offline: 'online-only',
});
export const passwordRules = endpoint({
  id: 'passwordRules',
  method: 'GET',
  path: '/auth/password-rules',
  ours: true,
  summary: 'What a password must have: by the token of a reset link, by the signed-in person’s organisation, else the defaults.',
  query: z.object({ token: z.optional(Token) }),
  response: PasswordRequirements,
  errors: [],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const verifyEmail = endpoint({
  id: 'verifyEmail',
  method: 'POST',
  path: '/auth/verify-email',
  summary: 'Confirms an e-mail address with the token of a link: of a person, of a change of address, or of a sign-up.',
  body: z.object({ token: Token }),
  response: message,
  errors: ['invalid_input', 'link_expired', 'csrf_mismatch'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const updateEmail = endpoint({
  id: 'updateEmail',
  method: 'POST',
  path: '/auth/update-email',
  summary:
    'Sends a link to a new e-mail address of the signed-in person, which takes the place of theirs when the link is opened. The one before is told.',
  body: z.object({ email: Email, password: Password }),
  response: message,
  errors: ['not_while_acting', 'invalid_input', 'wrong_credentials', 'unauthenticated', 'too_many_attempts'],
  access: 'signed-in',
  notWhileActing: true,
  offline: 'online-only',
});
export const sendVerification = endpoint({
  id: 'sendVerification',
  method: 'GET',
  path: '/auth/{uuid}/verification-send',
  summary: 'Sends the link to confirm an e-mail address again.',
  params: z.object({ uuid: Id }),
  response: message,
  errors: ['not_found', 'too_many_attempts'],
  access: 'signed-in',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const authPermissions = endpoint({
  id: 'authPermissions',
  method: 'GET',
  path: '/auth/permissions',
  summary: 'The permissions that the signed-in person holds.',
  response: permissionList,
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const permissionCheck = endpoint({
  id: 'permissionCheck',
  method: 'POST',
  path: '/auth/permission-check',
  summary: 'Whether the signed-in person holds all (or any) of some permissions, by id or slug.',
  body: z.object({
    permission_ids: z.array(z.union([z.number(), z.string()])).check(z.minLength(1), z.maxLength(200)),
    mode: z._default(z.enum(['all', 'any']), 'all'),
  }),
  response: z.object({ allowed: z.boolean() }),
  errors: ['invalid_input', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const authUser = endpoint({
  id: 'authUser',
  method: 'GET',
  path: '/auth/user',
  summary: 'The signed-in person.',
  response: AuthUser,
  errors: ['unauthenticated'],
  access: 'signed-in',
  duringPasswordChange: true,
  offline: 'cached',
});

const Session = z.object({
  id: z.string(),
  /** Such as Chrome on Android, or the name that the mobile app has given. */
  device: z.string(),
  created_at: Instant,
  last_seen_at: Instant,
  /** The one that asks. */
  current: z.boolean(),
});
export const listSessions = endpoint({
  id: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  ours: true,
  summary: 'Where the signed-in person is signed in, the last used first.',
  response: z.array(Session),
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const endSession = endpoint({
  id: 'endSession',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  ours: true,
  summary: 'Signs the person out somewhere else.',
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{24}$/, 'This is not a session.')) }),
  status: 204,
  errors: ['not_found', 'unauthenticated', 'csrf_mismatch'],
  access: 'signed-in',
  offline: 'online-only',
});

export const authEndpoints = [
  csrfCookie,
  login,
  mobileLogin,
  logout,
  mobileLogout,
  logoutUser,
  register,
  forgotPassword,
  resetPassword,
  passwordRules,
  verifyEmail,
  updateEmail,
  sendVerification,
  authPermissions,
  permissionCheck,
  authUser,
  listSessions,
  endSession,
] as const;
