import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { signInEndpoints } from '#contract/api/sign-in.ts';
import {
  type AccountActivity,
  type AuthEvent,
  providerNames,
  providerSwitches,
  type SignInProvider,
  signInProviders,
} from '#contract/entities/sign-in.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { can } from '#contract/can.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { subdomainOf } from '#contract/rules/subdomain.ts';
import { existing } from '#server/db/rows.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { createOpenId, type Told } from '#server/features/account/openid.ts';
import { createPasskeys } from '#server/features/account/passkeys.ts';
import { createSecondStep } from '#server/features/account/second-step.ts';
import { createSignIn } from '#server/features/account/sign-in.ts';
import { noteChange } from '#server/note-change.ts';
import { atSubdomain, brandOf } from '#server/features/branding/brand-of.ts';
import { mayDoMore } from '#server/features/users/people.service.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { FileAnswer, HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

/** Identifies the browser that was sent to a provider. Lax, because it returns from another site. */
const journeyCookie = 'lantern_sign_in';
const journeyPath = '/api/auth/openid';

/** Permission to see other people's account activity. */
const seesActivity: PermissionSlug = 'user.activity';

const redirect = (to: string): FileAnswer => ({ file: Buffer.alloc(0), type: 'text/html', status: 302, headers: { Location: to } });
/** Only paths of this app, never another host. */
const safePath = (to: string | undefined): string => (to?.startsWith('/') && !/^\/[/\\]/.test(to) ? to : '/');
const switchOf = (provider: SignInProvider): Statement => sql([`e.${providerSwitches[provider]}`] as unknown as TemplateStringsArray);

/** Ways to sign in other than a password alone: a second step, passkeys, Microsoft and Google accounts. */
export const signInHandlers = (services: Services): HandlersOf<typeof signInEndpoints> => {
  const { config, db, mail, now } = services;
  const { throttle, passRestriction, begin, confirmPassword } = createSignIn(services);
  const secondStep = createSecondStep(db, services.secretKey, now);
  const passkeys = createPasskeys(db, config.PUBLIC_URL, now);
  const openid = createOpenId(db, config, now);

  /** Notifies a person of a change to their sign-in methods. */
  const tell = (to: { name: string; email: string }, subject: string, what: string) =>
    mail
      .send({
        ...{ to: to.email, subject },
        body: `Hello ${to.name},\n\n${what} If this was not you, change your password now and check “How I sign in” in your account menu.\n`,
      })
      .catch((error: unknown) => services.log.error({ error }, 'mail could not be sent'));
  const mustBeHere = (provider: SignInProvider) => {
    existing(openid.providers.includes(provider));
  };
  const serviceName = async (actor: Actor) => (await brandOf(db, actor.user.primary_entity.id)).whitelabel.companyName;

  /** The person for a provider's account: the one it is connected to, otherwise the one whose address the provider vouches for. */
  const personOf = async (provider: SignInProvider, told: Told): Promise<{ id: string; email: string; allowed: boolean } | undefined> => {
    type Person = { id: string; email: string; allowed: boolean };
    const columns = sql`u.id, u.email, ${switchOf(provider)} as allowed from users u join entities e on e.id = u.primary_entity_id`;
    const connected = await db.one<Person>(sql`select ${columns} join identities i on i.user_id = u.id
      where i.provider = ${provider} and i.issuer = ${told.issuer} and i.subject = ${told.subject} and u.disabled_at is null`);
    if (connected || !told.provenEmail) return connected;
    // An unconfirmed address does not identify a person.
    const found = await db.one<Person>(sql`select ${columns} where lower(u.email) = ${told.provenEmail} and u.disabled_at is null
      and (u.email_verified_at is not null or u.password_hash is null)`);
    if (!found?.allowed) return found;
    const kept = await db.run(sql`insert into identities (provider, issuer, subject, user_id, email, at)
      values (${provider}, ${told.issuer}, ${told.subject}, ${found.id}, ${told.email}, ${now()}) on conflict do nothing`);
    // A different account of this provider is connected; only the signed-in person can change that.
    if (kept === 0) return undefined;
    await db.run(sql`update users set email_verified_at = coalesce(email_verified_at, ${now()}) where id = ${found.id}`);
    return found;
  };
  const connect = async (provider: SignInProvider, told: Told, actor: Actor) => {
    const allowed = await db.one<{ allowed: boolean }>(
      sql`select ${switchOf(provider)} as allowed from entities e where e.id = ${actor.user.primary_entity.id}`,
    );
    if (!allowed?.allowed) throw new ProductError('sign_in_not_allowed');
    await db.tx(async (tx) => {
      const other = await tx.one(sql`select 1 as a from identities
        where provider = ${provider} and issuer = ${told.issuer} and subject = ${told.subject} and user_id <> ${actor.user.uuid}`);
      if (other) throw new ProductError('already_connected');
      await tx.run(sql`insert into identities (provider, issuer, subject, user_id, email, at)
        values (${provider}, ${told.issuer}, ${told.subject}, ${actor.user.uuid}, ${told.email}, ${now()})
        on conflict (user_id, provider) do update set issuer = excluded.issuer, subject = excluded.subject, email = excluded.email, at = excluded.at`);
    });
    void tell(
      actor.user,
      `You can now sign in with ${providerNames[provider]}`,
      `A ${providerNames[provider]} account (${told.email ?? 'without an e-mail address'}) was connected to your account. You can now sign in with it.`,
    );
  };
  const letIn = async (provider: SignInProvider, told: Told, by: { actor: Actor | null; request: FastifyRequest; reply: FastifyReply }) => {
    const person = await personOf(provider, told);
    if (!person) throw new ProductError('sign_in_unknown');
    if (!person.allowed) throw new ProductError('sign_in_not_allowed');
    await begin(person.id, await passRestriction(person.id, undefined), provider, by);
  };

  return {
    signInOptions: async ({ query, request }) => {
      const subdomain = subdomainOf(request.hostname);
      const where = query.slug ? sql`e.slug = ${query.slug}` : subdomain ? atSubdomain(subdomain) : null;
      const row = where
        ? await db.one<{ microsoft: boolean; google: boolean }>(sql`select ${switchOf('microsoft')} as microsoft, ${switchOf('google')} as google
            from entities e left join whitelabels w on w.entity_id = e.id where ${where}`)
        : undefined;
      return { data: { providers: openid.providers.filter((p) => row?.[p] ?? true) } };
    },
    beginPasskeySignIn: async () => {
      return { data: { ...(await passkeys.beginSignIn()) } };
    },
    passkeySignIn: async ({ body, actor, request, reply }) => {
      const guess = await throttle.begin({ action: 'passkey', ip: request.ip });
      try {
        const person = await passkeys.signIn(body.credential as never as AuthenticationResponseJSON, request.headers.origin);
        await guess.takenBack();
        // The access password of the organisation can be guessed; the passkey cannot.
        const access = body.restricted_access_password ? await throttle.begin({ action: 'login', account: person.email, ip: request.ip }) : undefined;
        return {
          data: (
            await begin(person.userId, await passRestriction(person.userId, body.restricted_access_password, access), 'passkey', {
              actor,
              request,
              reply,
            })
          ).user,
        };
      } catch (error) {
        if (!(error instanceof ProductError && error.code === 'passkey_refused')) await guess.takenBack();
        throw error;
      }
    },
    openIdSignIn: async ({ params, query, actor, reply, request }) => {
      mustBeHere(params.provider);
      const home = new URL(config.PUBLIC_URL);
      // Requests from an organisation's subdomain go to the main host: the provider knows only that address, and cookies must be set there.
      if (request.host !== home.host && request.hostname.endsWith(`.${home.hostname}`)) return redirect(new URL(request.url, home).href);
      const returnTo = safePath(query.to);
      try {
        const { url, secret } = await openid.begin(params.provider, { returnTo, userId: query.connect ? (actor?.user.uuid ?? null) : null });
        reply.setCookie(journeyCookie, secret, { httpOnly: true, sameSite: 'lax', secure: config.secure, path: journeyPath, maxAge: 600 });
        return redirect(url);
      } catch (error) {
        services.log.error({ err: error }, 'the provider could not be reached');
        return redirect(`${query.connect ? '/sign-in-ways' : '/login'}?problem=unavailable`);
      }
    },
    openIdCallback: async ({ params, query, actor, request, reply }) => {
      mustBeHere(params.provider);
      const secret = request.cookies[journeyCookie];
      reply.clearCookie(journeyCookie, { path: journeyPath });
      const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      const journey = await openid.end(params.provider, search, { state: query.state, secret });
      const refused = (code: ErrorCode) => redirect(`${journey?.userId ? '/sign-in-ways' : '/login'}?problem=${code}`);
      if (!journey) return refused('sign_in_interrupted');
      try {
        if (!journey.userId) {
          await letIn(params.provider, journey.told, { actor, request, reply });
          return redirect(`/login?signed_in=1&redirect=${encodeURIComponent(journey.returnTo)}`);
        }
        // The person who started connecting an account must be the one who returns.
        if (actor?.user.uuid !== journey.userId || actor.actingAs) throw new ProductError('sign_in_interrupted');
        await connect(params.provider, journey.told, actor);
        return redirect(`/sign-in-ways?connected=${params.provider}`);
      } catch (error) {
        if (error instanceof ProductError) return refused(error.code);
        throw error;
      }
    },
    signInWays: async ({ actor }) => {
      const kept = await db.all<{ provider: SignInProvider; email: string | null; at: string }>(
        sql`select provider, email, at from identities where user_id = ${actor.user.uuid}`,
      );
      const allowed = await db.one<Record<SignInProvider, boolean>>(sql`select ${switchOf('microsoft')} as microsoft, ${switchOf('google')} as google
        from entities e where e.id = ${actor.user.primary_entity.id}`);
      const providers = signInProviders.map((provider) => {
        const { email, at } = kept.find((k) => k.provider === provider) ?? {};
        return {
          provider,
          allowed: openid.providers.includes(provider) && Boolean(allowed?.[provider]),
          connected: at ? { email: email ?? null, at } : null,
        };
      });
      return {
        data: {
          second_step: await secondStep.stateOf(actor.user.uuid),
          passkeys: await passkeys.list(actor.user.uuid),
          providers: providers.filter((p) => p.allowed || p.connected),
        },
      };
    },
    disconnectProvider: async ({ params, actor }) => {
      existing(await db.run(sql`delete from identities where user_id = ${actor.user.uuid} and provider = ${params.provider}`));
      void tell(
        actor.user,
        `You can no longer sign in with ${providerNames[params.provider]}`,
        `Your ${providerNames[params.provider]} account was disconnected.`,
      );
    },
    beginSecondStep: async ({ body, actor, request }) => {
      await confirmPassword(actor, body.password, request);
      const made = await secondStep.begin(actor.user.uuid, await serviceName(actor), actor.user.email);
      if (!made) throw invalid('password', 'The second step is already on. Turn it off first.');
      return { data: made };
    },
    confirmSecondStep: async ({ body, actor, request }) => {
      const guess = await throttle.begin({ action: 'second-step', account: actor.user.email, ip: request.ip });
      const codes = await secondStep.confirm(actor.user.uuid, body.code);
      if (!codes) {
        throw invalid('code', 'This code is incorrect. Codes change every 30 seconds: enter the one shown now.');
      }
      await guess.succeeded();
      void tell(
        actor.user,
        'A second step was turned on',
        'From now on, signing in with your password also requires a code from your authenticator app.',
      );
      return { data: { recovery_codes: codes } };
    },
    newRecoveryCodes: async ({ body, actor, request }) => {
      await confirmPassword(actor, body.password, request);
      const codes = existing(await secondStep.renewCodes(actor.user.uuid));
      void tell(actor.user, 'New recovery codes were created', 'Your old recovery codes no longer work.');
      return { data: { recovery_codes: codes } };
    },
    endSecondStep: async ({ body, actor, request }) => {
      await confirmPassword(actor, body.password, request);
      if (await secondStep.end(db, actor.user.uuid))
        void tell(actor.user, 'The second step was turned off', 'You can sign in with your password alone again.');
    },
    endSecondStepOf: async ({ params, actor, request }) => {
      // Turning off one's own requires the password: POST /auth/second-step/end.
      if (params.id === actor.user.uuid) throw new ProductError('forbidden');
      const person = await db.tx(async (tx) => {
        const row = await tx.one<{ id: string; name: string; email: string; entity: string }>(
          sql`select u.id, u.name, u.email, u.primary_entity_id as entity from users u where u.id = ${params.id} and ${visiblePerson(actor)}`,
        );
        if (row && (await mayDoMore(tx, actor, row.id)))
          throw new ProductError('forbidden', { message: 'This person has permissions that you do not have. Ask someone who has them.' });
        if (!row || !(await secondStep.end(tx, row.id))) throw new ProductError('not_found');
        await noteChange(
          tx,
          { actor, request },
          {
            ...{ entityId: row.entity, action: 'updated', subject: { kind: 'user', id: row.id, name: row.name } },
            ...{ before: { second_step: true }, after: { second_step: false } },
          },
          now(),
        );
        return row;
      });
      void tell(
        person,
        'The second step was turned off',
        `${actor.user.name} has turned off the second step of your account. You can sign in with your password alone.`,
      );
    },
    accountActivity: async ({ params, actor }) => {
      if (params.id !== actor.user.uuid && !can(actor.user, seesActivity)) throw new ProductError('forbidden');
      const account = existing(
        await db.one<Omit<AccountActivity, 'events'>>(sql`select
          (select max(at) from auth_events v where v.user_id = u.id and v.kind = 'signed_in') as last_signed_in_at,
          exists (select 1 from second_steps s where s.user_id = u.id and s.confirmed_at is not null) as second_step,
          (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
          (select count(*)::int from sessions s where s.user_id = u.id and s.last_seen_at > ${new Date(now().getTime() - config.SESSION_IDLE_HOURS * 3_600_000)}) as sessions
        from users u where u.id = ${params.id} and ${visiblePerson(actor)}`),
      );
      const events = await db.all<AuthEvent>(
        sql`select at, kind, way, device, address from auth_events where user_id = ${params.id} order by at desc, id desc limit 100`,
      );
      return { data: { ...account, events } };
    },
    beginPasskey: async ({ body, actor, request }) => {
      await confirmPassword(actor, body.password, request);
      const { uuid: id, name, email } = actor.user;
      return { data: { ...(await passkeys.begin({ id, name, email }, await serviceName(actor))) } };
    },
    createPasskey: async ({ body, actor, request }) => {
      const id = await passkeys.keep(actor.user.uuid, body.name, body.credential as never as RegistrationResponseJSON, request.headers.origin);
      void tell(actor.user, 'A passkey was added', `You can now sign in with the passkey “${body.name}”.`);
      return { data: { id } };
    },
    deletePasskey: async ({ params, actor }) => {
      existing(await passkeys.remove(actor.user.uuid, params.id));
      void tell(actor.user, 'A passkey was removed', 'You can no longer sign in with one of your passkeys.');
    },
  };
};
