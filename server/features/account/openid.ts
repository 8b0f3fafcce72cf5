import type { Configuration } from 'openid-client';
import type { SignInProvider } from '#contract/entities/sign-in.ts';
import type { Config } from '#server/config.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { hashOf } from '#server/security/secrets.ts';

const stateMs = 10 * 60_000;

/** Loaded at the first such sign-in. */
const openid = () => import('openid-client');

/** The identity reported by the provider. The e-mail address is set only if the provider vouches for it. */
export type ProviderAccount = { issuer: string; subject: string; email: string | null; provenEmail: string | null };
export type Journey = { account: ProviderAccount; returnTo: string; userId: string | null };

const registered = (config: Config) => ({
  microsoft: { issuer: config.MICROSOFT_ISSUER, id: config.MICROSOFT_CLIENT_ID, secret: config.MICROSOFT_CLIENT_SECRET },
  google: { issuer: config.GOOGLE_ISSUER, id: config.GOOGLE_CLIENT_ID, secret: config.GOOGLE_CLIENT_SECRET },
});

/**
 * Whether the provider vouches for the address. Google reports this. An administrator of any Microsoft tenant can put any
 * address into an account, so Microsoft's counts only if it reports that the owner of the domain was verified.
 */
const provesEmail = (provider: SignInProvider, claims: Record<string, unknown>): boolean =>
  provider === 'google' ? claims.email_verified === true : ['true', '1'].includes(String(claims.xms_edov));

/** Sign-in by OpenID Connect: code flow with PKCE, state and nonce, bound to the browser that started it. */
export const createOpenId = (db: Db, config: Config, now: () => Date) => {
  const known = new Map<SignInProvider, Configuration>();
  const settings = registered(config);
  const redirectUri = (provider: SignInProvider) => `${config.PUBLIC_URL}/api/auth/openid/${provider}/callback`;
  const configurationOf = async (provider: SignInProvider): Promise<Configuration> => {
    const cached = known.get(provider);
    if (cached) return cached;
    const { issuer, id, secret } = settings[provider];
    const { allowInsecureRequests, discovery } = await openid();
    // Only tests and developers run a provider without TLS.
    const found = await discovery(new URL(issuer), id as string, secret as string, undefined, {
      execute: issuer.startsWith('http:') && config.NODE_ENV !== 'production' ? [allowInsecureRequests] : [],
    });
    known.set(provider, found);
    return found;
  };

  return {
    /** The providers configured on this server. */
    providers: (Object.keys(settings) as SignInProvider[]).filter((p) => settings[p].id !== undefined),
    /** The redirect URL, and the secret that the browser returns in a cookie. */
    begin: async (
      provider: SignInProvider,
      { returnTo, userId }: { returnTo: string; userId: string | null },
    ): Promise<{ url: string; secret: string }> => {
      const client = await openid();
      const configuration = await configurationOf(provider);
      const [secret, verifier, nonce] = [client.randomState(), client.randomPKCECodeVerifier(), client.randomNonce()];
      const url = client.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri(provider), scope: 'openid email profile', state: secret, nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
        prompt: 'select_account',
      });
      await db.run(sql`delete from openid_states where expires_at < ${now()}`);
      await db.run(sql`insert into openid_states (state_hash, provider, code_verifier, nonce, return_to, user_id, expires_at)
        values (${hashOf(secret)}, ${provider}, ${verifier}, ${nonce}, ${returnTo}, ${userId}, ${new Date(now().getTime() + stateMs)})`);
      return { url: url.href, secret };
    },
    /** The identity returned by the provider. Null if the request was not started by this browser, has been used, or is not confirmed by the provider. */
    end: async (
      provider: SignInProvider,
      search: string,
      { state, secret }: { state: string | undefined; secret: string | undefined },
    ): Promise<Journey | null> => {
      if (!state || state !== secret) return null;
      const pending = await db.one<{ code_verifier: string; nonce: string; return_to: string; user_id: string | null }>(sql`delete from openid_states
        where state_hash = ${hashOf(state)} and provider = ${provider} and expires_at > ${now()} returning code_verifier, nonce, return_to, user_id`);
      if (!pending) return null;
      const client = await openid();
      const tokens = await client
        .authorizationCodeGrant(await configurationOf(provider), new URL(redirectUri(provider) + search), {
          ...{ pkceCodeVerifier: pending.code_verifier, expectedNonce: pending.nonce, expectedState: state, idTokenExpected: true },
        })
        .catch(() => null);
      const claims = tokens?.claims();
      if (!claims) return null;
      const email = typeof claims.email === 'string' ? claims.email : null;
      return {
        account: { issuer: claims.iss, subject: claims.sub, email, provenEmail: email && provesEmail(provider, claims) ? email.toLowerCase() : null },
        ...{ returnTo: pending.return_to, userId: pending.user_id },
      };
    },
  };
};
