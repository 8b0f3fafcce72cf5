import type { FastifyRequest } from 'fastify';
import type { AuthWay } from '#contract/entities/sign-in.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { sql } from '#server/db/sql.ts';
import { noteAuthEvent } from '#server/features/account/auth-events.ts';
import { deviceName } from '#server/features/account/device-name.ts';
import { verifyPassword } from '#server/security/passwords.ts';
import { ProductError } from '#server/product-error.ts';
import { restrictionOf } from '#server/security/restricted-access.ts';
import type { Actor } from '#server/actor.ts';
import { createThrottle, type Guess } from '#server/security/throttle.ts';
import type { Services } from '#server/services.ts';

/** The final step of every sign-in: checks access to the organisation and begins the session. `giveSession` hands it to the browser. */
export const createSignIn = (services: Services) => {
  const { db, sessions, now } = services;
  const throttle = createThrottle(db, now);

  /** Throws if the organisation has restricted access and the access password is missing or wrong; otherwise returns whether one was needed. */
  const passRestriction = async (userId: string, accessPassword: string | undefined, guess?: Guess): Promise<{ accessPasswordGiven: boolean }> => {
    const restriction = await restrictionOf(db, userId, now());
    if (restriction && !(restriction.password_hash && accessPassword && (await verifyPassword(accessPassword, restriction.password_hash)))) {
      // Only an attempt with a password counts as a guess.
      if (!accessPassword) await guess?.takenBack();
      throw new ProductError('access_restricted', {
        ...(restriction.message ? { message: restriction.message } : {}),
        ...(restriction.password_hash
          ? { fields: { restricted_access_password: [accessPassword ? 'The access password is incorrect.' : 'Enter the access password.'] } }
          : {}),
      });
    }
    return { accessPasswordGiven: restriction !== undefined };
  };

  /** Begins a web session in place of the existing one. Returns the person and the secret of their session. */
  const begin = async (
    userId: string,
    { accessPasswordGiven }: { accessPasswordGiven: boolean },
    way: AuthWay,
    { actor, request }: { actor: Actor | null; request: FastifyRequest },
  ): Promise<{ user: AuthUser; secret: string }> => {
    if (actor) await sessions.end(actor.sessionHash);
    const secret = await sessions.start(userId, 'web', { deviceName: deviceName(request.headers['user-agent']), accessPasswordGiven });
    const signedIn = await sessions.resolve(secret);
    if (!signedIn) throw new ProductError('wrong_credentials');
    await noteAuthEvent(db, { userId, kind: 'signed_in', way, at: now(), request });
    return { user: signedIn.user, secret };
  };

  /** Asks the signed-in person for their password again; wrong passwords are counted. */
  const confirmPassword = async (actor: Actor, password: string, request: Pick<FastifyRequest, 'ip'>, field = 'password'): Promise<void> => {
    const guess = await throttle.begin({ action: 'password', account: actor.user.email, ip: request.ip });
    const row = await db.one<{ password_hash: string | null }>(sql`select password_hash from users where id = ${actor.user.uuid}`);
    if (await verifyPassword(password, row?.password_hash)) return guess.succeeded();
    const message = field === 'current_password' ? 'The current password is incorrect.' : 'The password is incorrect.';
    throw new ProductError('wrong_credentials', { message, fields: { [field]: [message] } });
  };

  return { throttle, passRestriction, begin, confirmPassword };
};
