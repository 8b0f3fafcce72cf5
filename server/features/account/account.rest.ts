import type { authEndpoints } from '#contract/api/auth.ts';
import { existing } from '#server/db/rows.ts';
import { accountOf } from '#server/features/account/account.service.ts';
import { giveSession, setCsrf, takeSession } from '#server/http/origin-cookies.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

export const accountHandlers = (services: Services): HandlersOf<typeof authEndpoints> => {
  const { sessions } = services;
  const account = accountOf(services);
  /** What an answer says of a mail; where the server has no mail server, the truth. */
  const ifSent = (said: string) =>
    services.mail.isRead ? said : 'This server cannot send e-mail yet, so nothing has been sent. Ask whoever runs it.';
  return {
    csrfCookie: async ({ actor, reply }) => {
      setCsrf(services, reply, actor?.sessionHash ?? null);
    },
    login: async ({ body, actor, request, reply }) => {
      const { user, secret } = await account.signIn(body, { actor, request });
      giveSession(services, reply, secret);
      return { data: user };
    },
    mobileLogin: async ({ body, request }) => ({ data: { token: await account.signInApp(body, request) } }),
    logout: async ({ actor, reply }) => {
      if (actor) await sessions.end(actor.sessionHash);
      takeSession(services, reply);
    },
    mobileLogout: async ({ actor }) => {
      await sessions.end(actor.sessionHash);
    },
    logoutUser: ({ params, actor }) => account.signOut(actor, params.userId),
    register: async ({ params, body, request }) => {
      await account.register(params.plan, body, request);
      return { data: { message: ifSent('We have sent you an e-mail. Open the link in it to finish signing up.') } };
    },
    forgotPassword: async ({ body, request }) => {
      await account.forgotPassword(body.email, request);
      return { data: { message: ifSent('If there is an account with this address, we have sent it a link by e-mail.') } };
    },
    resetPassword: async ({ body, actor, request, reply }) => {
      const { token, password, current_password: current, password_confirmation: confirmation } = body;
      if (password !== confirmation) throw invalid('password_confirmation', 'The two passwords do not match.');
      if (token) {
        await account.resetPassword(token, password, request);
        return { data: { message: 'Your password has been changed. You can sign in now.' } };
      }
      if (!actor) throw new ProductError('unauthenticated');
      const secret = await account.changePassword({ actor, request }, password, current);
      if (secret) giveSession(services, reply, secret);
      return { data: { message: 'Your password has been changed.' } };
    },
    listSessions: async ({ actor }) => ({ data: await sessions.list(actor) }),
    endSession: async ({ params, actor }) => {
      existing(await sessions.endOne(actor, params.id));
    },
    passwordRules: async ({ query, actor }) => ({ data: await account.passwordRules(query.token, actor) }),
    verifyEmail: async ({ body, request }) => {
      await account.verifyEmail(body.token, request);
      return { data: { message: 'Your e-mail address has been confirmed.' } };
    },
    updateEmail: async ({ body, ...by }) => {
      await account.updateEmail(by, body.email, body.password);
      return { data: { message: ifSent(`We have sent a link to ${body.email}. Your e-mail address changes when you open it.`) } };
    },
    sendVerification: async ({ params, ...by }) => {
      const sent = await account.sendVerification(by, params.uuid);
      return { data: { message: sent ? ifSent('We have sent the link again.') : 'This e-mail address is already confirmed.' } };
    },
    authPermissions: async ({ actor }) => ({ data: actor.user.permissions }),
    permissionCheck: async ({ body, actor }) => ({ data: { allowed: account.holds(actor, body) } }),
    authUser: async ({ actor }) => ({ data: actor.user }),
  };
};
