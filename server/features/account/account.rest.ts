import type { authEndpoints } from '#contract/api/auth.ts';
import { can } from '#contract/can.ts';
import { plans } from '#contract/entities/plan.ts';
import { permissionOf } from '#contract/permissions.ts';
import { existing } from '#server/db/rows.ts';
import { accountOf } from '#server/features/account/account.service.ts';
import { noteAuthEvent } from '#server/features/account/auth-events.ts';
import { createSignIn } from '#server/features/account/sign-in.ts';
import { deviceName } from '#server/features/account/device-name.ts';
import { clearSessionCookie, setCsrf, setSessionCookie } from '#server/http/origin-cookies.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { hashOf } from '#server/security/secrets.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

export const accountHandlers = (services: Services): HandlersOf<typeof authEndpoints> => {
  const { db, sessions, now } = services;
  const { begin } = createSignIn(services);
  const account = accountOf(services);
  return {
    csrfCookie: async ({ actor, reply }) => {
      setCsrf(services, reply, actor?.sessionHash ?? null);
    },
    login: async ({ body, actor, request, reply }) => {
      const { userId, ...how } = await account.signIn(body, request, 'password');
      return { data: (await begin(userId, how, 'password', { actor, request, reply })).user };
    },
    mobileLogin: async ({ body, request }) => {
      const { userId, accessPasswordGiven } = await account.signIn(body, request, 'app');
      await noteAuthEvent(db, { userId, kind: 'signed_in', way: 'app', at: now(), request, device: body.device_name });
      return { data: { token: await sessions.start(userId, 'token', { deviceName: body.device_name, accessPasswordGiven }) } };
    },
    logout: async ({ actor, reply }) => {
      if (actor) await sessions.end(actor.sessionHash);
      clearSessionCookie(services, reply);
      setCsrf(services, reply, null);
    },
    mobileLogout: async ({ actor }) => {
      await sessions.end(actor.sessionHash);
    },
    logoutUser: ({ params, actor }) => account.signOut(actor, params.userId),
    register: async ({ params, body, request }) => {
      existing(plans.find((p) => p.id === params.plan));
      await account.register(body, request);
      return { data: { message: 'We have sent you an e-mail. Open the link in it to finish signing up.' } };
    },
    forgotPassword: async ({ body, request }) => {
      await account.forgotPassword(body.email, request);
      return { data: { message: 'If there is an account with this address, we have sent it a link by e-mail.' } };
    },
    resetPassword: async ({ body, actor, request, reply }) => {
      const { token, password, current_password: current, password_confirmation: confirmation } = body;
      if (password !== confirmation) throw invalid('password_confirmation', 'The two passwords do not match.');
      if (token) {
        await account.resetPassword(token, password, request);
        return { data: { message: 'Your password has been changed. You can sign in now.' } };
      }
      if (!actor) throw new ProductError('unauthenticated');
      await account.changePassword({ actor, request }, password, current);
      if (actor.kind === 'web') {
        const secret = await sessions.start(actor.user.uuid, 'web', {
          deviceName: deviceName(request.headers['user-agent']),
          accessPasswordGiven: actor.accessPasswordGiven,
        });
        setSessionCookie(services, reply, secret);
        setCsrf(services, reply, hashOf(secret));
      }
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
      return { data: { message: `We have sent a link to ${body.email}. Your e-mail address changes when you open it.` } };
    },
    sendVerification: async ({ params, ...by }) => {
      const sent = await account.sendVerification(by, params.uuid);
      return { data: { message: sent ? 'We have sent the link again.' : 'This e-mail address is already confirmed.' } };
    },
    authPermissions: async ({ actor }) => ({ data: actor.user.permissions }),
    permissionCheck: async ({ body, actor }) => {
      const asked = body.permission_ids.map((p) => permissionOf(p)?.slug);
      const known = asked.filter((slug) => slug !== undefined);
      // A list containing an unknown permission is held in full only by a super administrator.
      const missing = body.mode === 'all' && known.length < asked.length && !actor.user.super_admin;
      return { data: { allowed: !missing && can(actor.user, known, body.mode) } };
    },
    authUser: async ({ actor }) => ({ data: actor.user }),
  };
};
