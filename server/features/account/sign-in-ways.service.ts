import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { can } from '#contract/can.ts';
import {
  type AccountActivity,
  type AuthEvent,
  providerNames,
  providerSwitches,
  type SignInProvider,
  signInProviders,
} from '#contract/entities/sign-in.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { existing, insertRow } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql, word } from '#server/db/sql.ts';
import { accountLetters } from '#server/features/account/account-mail.service.ts';
import { createOpenId, type ProviderAccount } from '#server/features/account/openid.ts';
import { createPasskeys } from '#server/features/account/passkeys.ts';
import { createSecondStep } from '#server/features/account/second-step.ts';
import { createSignIn } from '#server/features/account/sign-in.service.ts';
import { atSubdomain, brandOf } from '#server/features/branding/branding.rows.ts';
import { mayDoMore, notePerson } from '#server/features/users/people.service.ts';
import { personOf } from '#server/features/users/users.rows.ts';
import type { Actor } from '#server/actor.ts';
import type { By } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** The person signed in here before, if any, and the origin of the request. */
type From = { actor: Actor | null; request: FastifyRequest };

/** Permission to see other people's account activity. */
const seesActivity: PermissionSlug = 'user.activity';
const switchOf = (provider: SignInProvider): Statement => sql`e.${word(providerSwitches[provider])}`;
const switches = sql`${switchOf('microsoft')} as microsoft, ${switchOf('google')} as google`;

/** Ways to sign in other than a password alone: a second step, passkeys, Microsoft and Google accounts. */
export const signInWaysOf = (services: Services) => {
  const { config, db, mail, now } = services;
  const { throttle, passRestriction, begin, confirmPassword } = createSignIn(services);
  const secondStep = createSecondStep(db, services.secretKey, now);
  const passkeys = createPasskeys(db, config.PUBLIC_URL, now);
  const openid = createOpenId(db, config, now);
  const letters = accountLetters(config);

  /** Notifies a person of a change to their sign-in methods, in its transaction. */
  const tell = (tx: Db, to: { name: string; email: string }, subject: string, what: string) =>
    mail.send(letters.signInChanged(to, subject, what), tx);
  /** A change with the e-mail about it: both, or neither. */
  const changing = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    const done = await db.tx(work);
    mail.wake();
    return done;
  };
  const serviceName = async (actor: Actor) => (await brandOf(db, actor.user.primary_entity.id)).whitelabel.companyName;
  const identity = (provider: SignInProvider, { issuer, subject, email }: ProviderAccount, userId: string) =>
    insertRow('identities', { provider, issuer, subject, user_id: userId, email, at: now() });
  const allowedIn = (entityId: string) => db.one<Record<SignInProvider, boolean>>(sql`select ${switches} from entities e where e.id = ${entityId}`);

  return {
    openid,
    beginPasskeySignIn: passkeys.beginSignIn,
    /** The providers offered on the sign-in page of an organisation (by slug, otherwise by subdomain), or overall. */
    offered: async (slug: string | undefined, subdomain: string | undefined): Promise<SignInProvider[]> => {
      const where = slug ? sql`e.slug = ${slug}` : subdomain ? atSubdomain(subdomain) : null;
      const row = where
        ? await db.one<Record<SignInProvider, boolean>>(
            sql`select ${switches} from entities e left join whitelabels w on w.entity_id = e.id where ${where}`,
          )
        : undefined;
      return openid.providers.filter((p) => row?.[p] ?? true);
    },
    /** Signs in the person of a provider's account: the one it is connected to, otherwise the one whose address the provider vouches for. */
    providerSignIn: async (provider: SignInProvider, account: ProviderAccount, from: From) => {
      type Person = { id: string; allowed: boolean };
      const columns = sql`u.id, ${switchOf(provider)} as allowed from users u join entities e on e.id = u.primary_entity_id`;
      const known = async (): Promise<Person | undefined> => {
        const connected = await db.one<Person>(sql`select ${columns} join identities i on i.user_id = u.id
          where i.provider = ${provider} and i.issuer = ${account.issuer} and i.subject = ${account.subject} and u.disabled_at is null`);
        if (connected || !account.provenEmail) return connected;
        // An unconfirmed address does not identify a person.
        const found = await db.one<Person>(sql`select ${columns} where lower(u.email) = ${account.provenEmail} and u.disabled_at is null
          and (u.email_verified_at is not null or u.password_hash is null)`);
        if (!found?.allowed) return found;
        const inserted = await db.run(sql`${identity(provider, account, found.id)} on conflict do nothing`);
        // A different account of this provider is connected; only the signed-in person can change that.
        if (inserted === 0) return undefined;
        await db.run(sql`update users set email_verified_at = coalesce(email_verified_at, ${now()}) where id = ${found.id}`);
        return found;
      };
      const person = await known();
      if (!person) throw new ProductError('sign_in_unknown');
      if (!person.allowed) throw new ProductError('sign_in_not_allowed');
      return begin(person.id, await passRestriction(person.id, undefined), provider, from);
    },
    connect: async ({ user }: Actor, provider: SignInProvider, account: ProviderAccount): Promise<void> => {
      if (!(await allowedIn(user.primary_entity.id))?.[provider]) throw new ProductError('sign_in_not_allowed');
      await changing(async (tx) => {
        const other = await tx.one(sql`select 1 as a from identities
          where provider = ${provider} and issuer = ${account.issuer} and subject = ${account.subject} and user_id <> ${user.uuid}`);
        if (other) throw new ProductError('already_connected');
        await tx.run(sql`${identity(provider, account, user.uuid)}
          on conflict (user_id, provider) do update set issuer = excluded.issuer, subject = excluded.subject, email = excluded.email, at = excluded.at`);
        await tell(
          tx,
          user,
          `You can now sign in with ${providerNames[provider]}`,
          `A ${providerNames[provider]} account (${account.email ?? 'without an e-mail address'}) was connected to your account. You can now sign in with it.`,
        );
      });
    },
    disconnect: async ({ user }: Actor, provider: SignInProvider): Promise<void> => {
      const name = providerNames[provider];
      await changing(async (tx) => {
        existing(await tx.run(sql`delete from identities where user_id = ${user.uuid} and provider = ${provider}`));
        await tell(tx, user, `You can no longer sign in with ${name}`, `Your ${name} account was disconnected.`);
      });
    },
    of: async ({ user }: Actor) => {
      const connectedRows = await db.all<{ provider: SignInProvider; email: string | null; at: string }>(
        sql`select provider, email, at from identities where user_id = ${user.uuid}`,
      );
      const allowed = await allowedIn(user.primary_entity.id);
      const providers = signInProviders.map((provider) => {
        const { email, at } = connectedRows.find((k) => k.provider === provider) ?? {};
        return {
          provider,
          allowed: openid.providers.includes(provider) && Boolean(allowed?.[provider]),
          connected: at ? { email: email ?? null, at } : null,
        };
      });
      return {
        ...{ second_step: await secondStep.stateOf(user.uuid), passkeys: await passkeys.list(user.uuid) },
        providers: providers.filter((p) => p.allowed || p.connected),
      };
    },
    beginSecondStep: async ({ actor, request }: By, password: string) => {
      await confirmPassword(actor, password, request);
      const made = await secondStep.begin(actor.user.uuid, await serviceName(actor), actor.user.email);
      if (!made) throw invalid('password', 'The second step is already on. Turn it off first.');
      return made;
    },
    /** Turns the second step on. Returns the recovery codes. */
    confirmSecondStep: async ({ actor: { user }, request }: By, code: string): Promise<string[]> => {
      const guess = await throttle.begin({ action: 'second-step', account: user.email, ip: request.ip });
      const codes = await changing(async (tx) => {
        const made = await secondStep.confirm(tx, user.uuid, code);
        const what = 'From now on, signing in with your password also requires a code from your authenticator app.';
        if (made) await tell(tx, user, 'A second step was turned on', what);
        return made;
      });
      if (!codes) throw invalid('code', 'This code is incorrect. Codes change every 30 seconds: enter the one shown now.');
      await guess.succeeded();
      return codes;
    },
    newRecoveryCodes: async ({ actor, request }: By, password: string): Promise<string[]> => {
      await confirmPassword(actor, password, request);
      return changing(async (tx) => {
        const codes = existing(await secondStep.renewCodes(tx, actor.user.uuid));
        await tell(tx, actor.user, 'New recovery codes were created', 'Your old recovery codes no longer work.');
        return codes;
      });
    },
    endSecondStep: async ({ actor, request }: By, password: string): Promise<void> => {
      await confirmPassword(actor, password, request);
      await changing(async (tx) => {
        if (await secondStep.end(tx, actor.user.uuid))
          await tell(tx, actor.user, 'The second step was turned off', 'You can sign in with your password alone again.');
      });
    },
    endSecondStepOf: async (by: By, id: string): Promise<void> => {
      const { actor } = by;
      // Turning off one's own requires the password: POST /auth/second-step/end.
      if (id === actor.user.uuid) throw new ProductError('forbidden');
      await changing(async (tx) => {
        const person = await personOf(tx, id, visiblePerson(actor));
        if (await mayDoMore(tx, actor, id))
          throw new ProductError('forbidden', { message: 'This person has permissions that you do not have. Ask someone who has them.' });
        existing(await secondStep.end(tx, id));
        await notePerson(tx, by, person, { action: 'updated', before: { second_step: true }, after: { second_step: false } }, now());
        await tell(
          tx,
          person,
          'The second step was turned off',
          `${actor.user.name} has turned off the second step of your account. You can sign in with your password alone.`,
        );
      });
    },
    activityOf: async (actor: Actor, id: string): Promise<AccountActivity> => {
      if (id !== actor.user.uuid && !can(actor.user, seesActivity)) throw new ProductError('forbidden');
      const account = existing(
        await db.one<Omit<AccountActivity, 'events'>>(sql`select
          (select max(at) from auth_events v where v.user_id = u.id and v.kind = 'signed_in') as last_signed_in_at,
          exists (select 1 from second_steps s where s.user_id = u.id and s.confirmed_at is not null) as second_step,
          (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
          (select count(*)::int from sessions s where s.user_id = u.id and s.last_seen_at > ${new Date(now().getTime() - config.SESSION_IDLE_HOURS * 3_600_000)}) as sessions
        from users u where u.id = ${id} and ${visiblePerson(actor)}`),
      );
      const events = await db.all<AuthEvent>(
        sql`select at, kind, way, device, address from auth_events where user_id = ${id} order by at desc, id desc limit 100`,
      );
      return { ...account, events };
    },
    /** Signs in the owner of the passkey that answered. Only a refused answer counts as a guess. */
    passkeySignIn: async (answer: AuthenticationResponseJSON, accessPassword: string | undefined, from: From) => {
      const { ip, headers } = from.request;
      const guess = await throttle.begin({ action: 'passkey', ip });
      const { userId, email } = await passkeys.signIn(answer, headers.origin).catch(async (error) => {
        if (!(error instanceof ProductError && error.code === 'passkey_refused')) await guess.takenBack();
        throw error;
      });
      await guess.takenBack();
      // The access password of the organisation can be guessed; the passkey cannot.
      const access = accessPassword ? await throttle.begin({ action: 'login', account: email, ip }) : undefined;
      return begin(userId, await passRestriction(userId, accessPassword, access), 'passkey', from);
    },
    beginPasskey: async ({ actor, request }: By, password: string) => {
      await confirmPassword(actor, password, request);
      const { uuid: id, name, email } = actor.user;
      return passkeys.begin({ id, name, email }, await serviceName(actor));
    },
    keepPasskey: async ({ user }: Actor, name: string, answer: RegistrationResponseJSON, origin: string | undefined): Promise<string> => {
      const told = (tx: Db) => tell(tx, user, 'A passkey was added', `You can now sign in with the passkey “${name}”.`);
      const id = await passkeys.keep(user.uuid, name, answer, origin, told);
      mail.wake();
      return id;
    },
    deletePasskey: async ({ user }: Actor, id: string): Promise<void> => {
      await changing(async (tx) => {
        existing(await passkeys.remove(tx, user.uuid, id));
        await tell(tx, user, 'A passkey was removed', 'You can no longer sign in with one of your passkeys.');
      });
    },
  };
};
