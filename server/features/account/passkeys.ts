import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';
import { hashOf } from '#server/security/secrets.ts';

const challengeMs = 5 * 60_000;

/** Loaded on first use: a large library that a server without passkeys never needs. */
const webauthn = () => import('@simplewebauthn/server');

/**
 * Passkeys for sign-in, held by the person's device or password manager, which asks for a fingerprint, face or PIN. They
 * are valid on this host and its subdomains. Each has its own user handle, so that none replaces the passkey that unlocks
 * a device (src/device/passkey.ts).
 */
export const createPasskeys = (db: Db, publicUrl: string, now: () => Date) => {
  const home = new URL(publicUrl);
  /** Accepted origins: this host, or the subdomain of an organisation. */
  const expectedOrigin = (origin: string | undefined): string => {
    const from = URL.canParse(origin ?? '') ? new URL(origin as string) : home;
    const ours = from.protocol === home.protocol && from.port === home.port && from.hostname.endsWith(`.${home.hostname}`);
    return ours ? from.origin : home.origin;
  };
  const keepChallenge = async (challenge: string, userId: string | null) => {
    const until = new Date(now().getTime() + challengeMs);
    await db.run(sql`delete from passkey_challenges where expires_at < ${now()}`);
    await db.run(sql`insert into passkey_challenges (challenge_hash, user_id, expires_at) values (${hashOf(challenge)}, ${userId}, ${until})`);
  };
  /** Each challenge can be answered once, by the person it was issued to. */
  const takeChallenge = (userId: string | null) => async (challenge: string) =>
    (await db.run(sql`delete from passkey_challenges
      where challenge_hash = ${hashOf(challenge)} and user_id is not distinct from ${userId}::uuid and expires_at > ${now()}`)) > 0;
  /** The library throws on any error; its messages are not meant for users. */
  const verified = async <T extends { verified: boolean }>(answer: Promise<T>): Promise<T> => {
    const result = await answer.catch(() => null);
    if (!result?.verified) throw new ProductError('passkey_refused');
    return result;
  };

  return {
    list: (userId: string) =>
      db.all<{ id: string; name: string; created_at: string; last_used_at: string | null }>(
        sql`select id, name, created_at, last_used_at from passkeys where user_id = ${userId} order by created_at, id`,
      ),
    /** The options the browser needs to create one. */
    begin: async (person: { id: string; name: string; email: string }, service: string) => {
      const { generateRegistrationOptions } = await webauthn();
      const known = await db.all<{ id: string }>(sql`select id from passkeys where user_id = ${person.id}`);
      const options = await generateRegistrationOptions({
        ...{ rpName: service, rpID: home.hostname, userName: person.email, userDisplayName: person.name },
        excludeCredentials: known,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await keepChallenge(options.challenge, person.id);
      return options;
    },
    /** Registers a new passkey, and tells of it in the same transaction. Throws `passkey_refused`. */
    keep: async (
      userId: string,
      name: string,
      response: RegistrationResponseJSON,
      origin: string | undefined,
      told: (tx: Db) => Promise<void>,
    ): Promise<string> => {
      const { verifyRegistrationResponse } = await webauthn();
      const { registrationInfo } = await verified(
        verifyRegistrationResponse({
          ...{ response, expectedChallenge: takeChallenge(userId), expectedOrigin: expectedOrigin(origin) },
          ...{ expectedRPID: home.hostname, requireUserVerification: true },
        }),
      );
      const { id, publicKey, counter, transports } = registrationInfo?.credential ?? ({} as never);
      await db.tx(async (tx) => {
        const inserted = await tx.run(sql`insert into passkeys (id, user_id, name, public_key, counter, transports, created_at)
          values (${id}, ${userId}, ${name}, ${Buffer.from(publicKey)}, ${counter}, ${transports ?? []}, ${now()}) on conflict (id) do nothing`);
        if (inserted === 0) throw new ProductError('passkey_refused');
        await told(tx);
      });
      return id;
    },
    remove: async (tx: Db, userId: string, id: string): Promise<boolean> =>
      (await tx.run(sql`delete from passkeys where id = ${id} and user_id = ${userId}`)) > 0,
    /** The options for signing in; the passkey itself identifies the person. */
    beginSignIn: async () => {
      const { generateAuthenticationOptions } = await webauthn();
      const options = await generateAuthenticationOptions({ rpID: home.hostname, userVerification: 'required' });
      await keepChallenge(options.challenge, null);
      return options;
    },
    /** The owner of the passkey that answered. Throws `passkey_refused` if it is unknown or invalid, or its owner has left. */
    signIn: async (response: AuthenticationResponseJSON, origin: string | undefined): Promise<{ userId: string; email: string }> => {
      const { verifyAuthenticationResponse } = await webauthn();
      const known = await db.one<{
        id: string;
        user_id: string;
        email: string;
        public_key: Buffer;
        counter: number;
      }>(sql`select p.id, p.user_id, u.email, p.public_key, p.counter
        from passkeys p join users u on u.id = p.user_id where p.id = ${typeof response.id === 'string' ? response.id : ''} and u.disabled_at is null`);
      if (!known) throw new ProductError('passkey_refused');
      const { authenticationInfo } = await verified(
        verifyAuthenticationResponse({
          ...{ response, expectedChallenge: takeChallenge(null), expectedOrigin: expectedOrigin(origin), expectedRPID: home.hostname },
          ...{ requireUserVerification: true, credential: { id: known.id, publicKey: new Uint8Array(known.public_key), counter: known.counter } },
        }),
      );
      await db.run(sql`update passkeys set counter = ${authenticationInfo.newCounter}, last_used_at = ${now()} where id = ${known.id}`);
      return { userId: known.user_id, email: known.email };
    },
  };
};
