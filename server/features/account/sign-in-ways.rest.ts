import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { appPath } from '#contract/rules/links.ts';
import type { signInEndpoints } from '#contract/api/sign-in.ts';
import type { SignInProvider } from '#contract/entities/sign-in.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { subdomainOf } from '#contract/rules/subdomain.ts';
import { existing } from '#server/db/rows.ts';
import { signInWaysOf } from '#server/features/account/sign-in-ways.service.ts';
import { giveSession } from '#server/http/origin-cookies.ts';
import type { FileAnswer, HandlersOf } from '#server/http/register-endpoints.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** Identifies the browser that was sent to a provider. Lax, because it returns from another site. */
const journeyCookie = 'lantern_sign_in';
const journeyPath = '/api/auth/openid';

const redirect = (to: string): FileAnswer => ({ file: Buffer.alloc(0), type: 'text/html', status: 302, headers: { Location: to } });

export const signInHandlers = (services: Services): HandlersOf<typeof signInEndpoints> => {
  const { config } = services;
  const ways = signInWaysOf(services);
  const { openid } = ways;
  const mustBeHere = (provider: SignInProvider) => {
    existing(openid.providers.includes(provider));
  };

  return {
    signInOptions: async ({ query, request }) => ({ data: { providers: await ways.offered(query.slug, subdomainOf(request.hostname)) } }),
    beginPasskeySignIn: async () => ({ data: { ...(await ways.beginPasskeySignIn()) } }),
    passkeySignIn: async ({ body, actor, request, reply }) => {
      const answer = body.credential as never as AuthenticationResponseJSON;
      const { user, secret } = await ways.passkeySignIn(answer, body.restricted_access_password, { actor, request });
      giveSession(services, reply, secret);
      return { data: user };
    },
    openIdSignIn: async ({ params, query, actor, reply, request }) => {
      mustBeHere(params.provider);
      const home = new URL(config.PUBLIC_URL);
      // Requests from an organisation's subdomain go to the main host: the provider knows only that address, and cookies must be set there.
      if (request.host !== home.host && request.hostname.endsWith(`.${home.hostname}`)) return redirect(new URL(request.url, home).href);
      const returnTo = appPath(query.to) ?? '/';
      try {
        const { url, secret } = await openid.begin(params.provider, { returnTo, userId: query.connect ? (actor?.user.uuid ?? null) : null });
        reply.setCookie(journeyCookie, secret, { httpOnly: true, sameSite: 'lax', secure: config.secure, path: journeyPath, maxAge: 600 });
        return redirect(url);
      } catch (error) {
        services.log.error({ err: error }, 'the provider could not be reached');
        return redirect(`${query.connect ? '/sign-in-ways' : '/login'}?problem=unavailable`);
      }
    },
    openIdCallback: async ({ params: { provider }, query, actor, request, reply }) => {
      mustBeHere(provider);
      const secret = request.cookies[journeyCookie];
      reply.clearCookie(journeyCookie, { path: journeyPath });
      const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      const journey = await openid.end(provider, search, { state: query.state, secret });
      const refused = (code: ErrorCode) => redirect(`${journey?.userId ? '/sign-in-ways' : '/login'}?problem=${code}`);
      if (!journey) return refused('sign_in_interrupted');
      try {
        if (!journey.userId) {
          const { secret } = await ways.providerSignIn(provider, journey.account, { actor, request });
          giveSession(services, reply, secret);
          return redirect(`/login?signed_in=1&redirect=${encodeURIComponent(journey.returnTo)}`);
        }
        // The person who started connecting an account must be the one who returns.
        if (actor?.user.uuid !== journey.userId || actor.actingAs) throw new ProductError('sign_in_interrupted');
        await ways.connect(actor, provider, journey.account);
        return redirect(`/sign-in-ways?connected=${provider}`);
      } catch (error) {
        if (error instanceof ProductError) return refused(error.code);
        throw error;
      }
    },
    signInWays: async ({ actor }) => ({ data: await ways.of(actor) }),
    disconnectProvider: ({ params, actor }) => ways.disconnect(actor, params.provider),
    beginSecondStep: async ({ body, ...by }) => ({ data: await ways.beginSecondStep(by, body.password) }),
    confirmSecondStep: async ({ body, ...by }) => ({ data: { recovery_codes: await ways.confirmSecondStep(by, body.code) } }),
    newRecoveryCodes: async ({ body, ...by }) => ({ data: { recovery_codes: await ways.newRecoveryCodes(by, body.password) } }),
    endSecondStep: ({ body, ...by }) => ways.endSecondStep(by, body.password),
    endSecondStepOf: ({ params, ...by }) => ways.endSecondStepOf(by, params.id),
    accountActivity: async ({ params, actor }) => ({ data: await ways.activityOf(actor, params.id) }),
    beginPasskey: async ({ body, ...by }) => ({ data: { ...(await ways.beginPasskey(by, body.password)) } }),
    createPasskey: async ({ body, actor, request }) => {
      const answer = body.credential as never as RegistrationResponseJSON;
      return { data: { id: await ways.keepPasskey(actor, body.name, answer, request.headers.origin) } };
    },
    deletePasskey: ({ params, actor }) => ways.deletePasskey(actor, params.id),
  };
};
