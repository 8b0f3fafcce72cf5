import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { PasswordRequirements } from '#contract/entities/entity.ts';
import { Email, Id, Instant, Name } from '#contract/entities/fields.ts';
import { AuthUser } from '#contract/entities/user.ts';

const Password = z.string().check(z.minLength(1, 'Enter a password.'), z.maxLength(1000, 'This value is too long.'));
/** The access password, if the organisation has restricted access. */
const AccessPassword = z.optional(z.string().check(z.maxLength(1000)));
const SecondStep = z.optional(z.string().check(z.maxLength(40)));
const Token = z.string().check(z.minLength(1), z.maxLength(200));
const message = z.object({ message: z.string() });
const permissionList = z.array(z.object({ id: z.number(), slug: z.string() }));

export const csrfCookie = endpoint({
  id: 'csrfCookie',
  method: 'GET',
  path: '/sanctum/csrf-cookie',
  summary: 'Sets the anti-forgery cookie; its value is also in the response header X-XSRF-TOKEN.',
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
  errors: [
    'invalid_input',
    'wrong_credentials',
    'account_deactivated',
    'second_step_needed',
    'access_restricted',
    'too_many_attempts',
    'csrf_mismatch',
  ],
  access: 'public',
  offline: 'online-only',
});
export const mobileLogin = endpoint({
  id: 'mobileLogin',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Signs a person in to the mobile app and returns a bearer token.',
  body: z.object({ email: Email, password: Password, device_name: Name, restricted_access_password: AccessPassword, second_step_code: SecondStep }),
  response: z.object({ token: z.string() }),
  errors: ['invalid_input', 'wrong_credentials', 'account_deactivated', 'second_step_needed', 'access_restricted', 'too_many_attempts'],
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
    'Signs an organisation up for a plan and sends a link to confirm the e-mail address. The organisation and its first administrator are created when the link is opened.',
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
  summary: 'Sends a link to reset the password if the account exists. The response is the same either way.',
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
  summary: 'Sets a new password, authorised by the token of a link or, when signed in, by the current password.',
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
  summary: 'Returns the password rules: those of the reset link’s or the signed-in person’s organisation, otherwise the defaults.',
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
  summary: 'Confirms an e-mail address with the token of a link: for an account, a change of address or a sign-up.',
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
    'Sends a link to a new e-mail address of the signed-in person. It replaces the current address when the link is opened; the current address is notified.',
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
  summary: 'Resends the link to confirm an e-mail address.',
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
  summary: 'Lists the permissions of the signed-in person.',
  response: permissionList,
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const permissionCheck = endpoint({
  id: 'permissionCheck',
  method: 'POST',
  path: '/auth/permission-check',
  summary: 'Checks whether the signed-in person has all (or any) of the given permissions, by id or slug.',
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
  /** For example Chrome on Android, or the name given by the mobile app. */
  device: z.string(),
  created_at: Instant,
  last_seen_at: Instant,
  /** Whether this is the session making the request. */
  current: z.boolean(),
});
export const listSessions = endpoint({
  id: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  ours: true,
  summary: 'Lists the sessions of the signed-in person, most recently used first.',
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
  summary: 'Ends another session of the signed-in person.',
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{24}$/, 'This is not a valid session id.')) }),
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
