import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { login, mobileLogin, permissionCheck, register } from '#contract/api/auth.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import type { PasswordRequirements } from '#contract/entities/entity.ts';
import { plans } from '#contract/entities/plan.ts';
import { type AuthWay, secondStepField } from '#contract/entities/sign-in.ts';
import { permissionOf, permissions } from '#contract/permissions.ts';
import { defaultPasswordRequirements, passwordProblems } from '#contract/rules/password.ts';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { personAt } from '#server/db/seen.ts';
import { type Db, sql, sqlState } from '#server/db/sql.ts';
import { newOrganisation } from '#server/mail/mailer.ts';
import { accountLetters, tellAddressChanged } from '#server/features/account/account-mail.service.ts';
import { noteAuthEvent } from '#server/features/account/auth-events.ts';
import { deviceName } from '#server/features/account/device-name.ts';
import { endLinks, newLink, type Purpose, takeLink } from '#server/features/account/links.service.ts';
import { createSecondStep } from '#server/features/account/second-step.ts';
import { createSignIn } from '#server/features/account/sign-in.service.ts';
import { newSlug } from '#server/features/entities/entities.service.ts';
import { isCompromised } from '#server/security/compromised-passwords.ts';
import { hashPassword, verifyPassword } from '#server/security/passwords.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';
import type { Actor } from '#server/actor.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const linkHours: Record<Purpose, number> = { reset_password: 1, verify_email: 72, change_email: 24 };
const signUpHours = 72;
const forgottenAtOnce = 100;
type Account = { id: string; name: string; email: string };
/** Who makes the call and from where: account activity is recorded with its browser and address. */
type Asking = { actor: Actor; request: FastifyRequest };

/** Accounts: signing up and in with a password, passwords, and addresses. */
export const accountOf = (services: Services) => {
  const { config, db, log, mail, sessions, now } = services;
  const { throttle, passRestriction, begin, confirmPassword } = createSignIn(services);
  const secondStep = createSecondStep(db, services.secretKey, now);
  const letters = accountLetters(config);

  const linkFor = (user: { id: string; email: string }, purpose: Purpose, tx: Db) =>
    newLink(tx, user, { purpose, hours: linkHours[purpose], now: now() });
  const counted = async (action: string, email: string, { ip }: { ip: string }) => {
    await throttle.begin({ action, account: email, ip });
  };
  type Kept = Account & { password_hash: string | null; disabled: boolean; organisation: string; office: string | null; telephone: string | null };
  const accountAt = (email: string, { evenDeactivated = false, on = db }: { evenDeactivated?: boolean; on?: Db } = {}) =>
    on.one<Kept>(
      sql`select u.id, u.name, u.email, u.password_hash, u.disabled_at is not null as disabled,
        e.name as organisation, e.email as office, e.telephone
        from users u join entities e on e.id = u.primary_entity_id
        where lower(u.email) = ${email.toLowerCase()} and (${evenDeactivated} or u.disabled_at is null)`,
    );
  /** Writes the links for new passwords that were asked for, each with its e-mail. One that a server did not get to is written by the next run. */
  const answerForgotten = async (): Promise<void> => {
    const written = await beyondScope(() =>
      db.tx(async (tx) => {
        const asked = await tx.all<{ email: string }>(sql`delete from forgotten_passwords where id in (
          select id from forgotten_passwords order by at limit ${forgottenAtOnce} for update skip locked) returning email`);
        for (const { email } of asked) {
          const user = await accountAt(email, { on: tx });
          if (user) await mail.send(letters.resetPassword(user, await linkFor(user, 'reset_password', tx), linkHours.reset_password), tx);
        }
        return asked.length;
      }),
    );
    if (written > 0) mail.wake();
    if (written === forgottenAtOnce) await answerForgotten();
  };
  /** Whom a person asks whose account has been deactivated. They have proved who they are. */
  const deactivatedWords = ({ organisation, office, telephone }: Kept) => {
    const how = [office && `write to ${office}`, telephone && `call ${telephone}`].filter(Boolean).join(' or ');
    return `Your account at ${organisation} has been deactivated. Ask your manager there${how ? `, or ${how}` : ''}: they can activate it again.`;
  };

  /** Creates the organisation of a confirmed sign-up and its first administrator. */
  const finishSignUp = async (tx: Db, token: string): Promise<boolean> => {
    const row = await tx.one<{ organisation: string; name: string; email: string; password_hash: string }>(
      sql`delete from sign_ups where token_hash = ${hashOf(token)} and expires_at > ${now()} returning organisation, name, email, password_hash`,
    );
    if (!row) return false;
    const { organisation, ...person } = row;
    const [entity_id, type_id] = [randomUUID(), randomUUID()];
    const slug = await newSlug(tx, organisation, entity_id);
    await tx.run(insertRow('entities', { id: entity_id, name: organisation, slug, level: 'A', email: row.email }));
    const limited_until = new Date(now().getTime() + newOrganisation.days * 86_400_000);
    await tx.run(insertRow('mail_turns', { root_id: entity_id, at: now(), day: now().toISOString().slice(0, 10), taken: 0, limited_until }));
    await tx.run(insertRow('whitelabels', { entity_id, subdomain: slug, document: JSON.stringify({ companyName: organisation }) }));
    await tx.run(insertRow('types', { id: type_id, entity_id, name: 'Administrator' }));
    await tx.run(sql`insert into type_permissions (type_id, permission_id) select ${type_id}, unnest(${permissions.map((p) => p.id)}::int[])`);
    await tx.run(insertRow('users', { id: randomUUID(), ...person, primary_entity_id: entity_id, type_id, email_verified_at: now() }));
    await tx.run(sql`delete from sign_ups where email = ${row.email}`);
    return true;
  };

  type Rules = { rules: PasswordRequirements | null; enforced: boolean };
  const rulesOf = (on: Db, userId: string) =>
    on.one<Rules>(sql`select e.password_requirements as rules, e.compromised_passwords = 'enforce_change' as enforced
      from users u join entities e on e.id = u.primary_entity_id where u.id = ${userId}`);
  /** Throws the problems of a new password under the rules of the person's organisation. */
  const checkPassword = async (on: Db, password: string, userId: string, used?: string) => {
    const row = await rulesOf(on, userId);
    const problems = passwordProblems(password, row?.rules ?? defaultPasswordRequirements);
    if (row?.enforced && (await isCompromised(password))) problems.push('This password has appeared in a data breach. Choose another one.');
    if (password === used) problems.push('Choose a password that you have not used here before.');
    if (problems.length > 0) throw new ProductError('invalid_input', { fields: { password: problems } });
  };
  /** Writes a new password, ends every session and tells the owner: all of it, or none. */
  const writePassword = async (tx: Db, userId: string, password_hash: string, way: AuthWay, request: FastifyRequest): Promise<Account> => {
    await updateRows(tx, 'users', { password_hash, password_changed_at: now(), password_compromised: false }, sql`id = ${userId}`);
    await endLinks(tx, userId, now());
    await noteAuthEvent(tx, { userId, kind: 'password_changed', way, at: now(), request });
    await sessions.endAll(userId, { tx });
    const account = existing(await tx.one<Account>(sql`select id, name, email from users where id = ${userId}`));
    await mail.send(letters.passwordChanged(account), tx);
    return account;
  };

  /** The person with these credentials; the answer and its timing do not reveal whether the account exists. Throws if a further step is needed. */
  const letIn = async (body: BodyOf<typeof login>, request: FastifyRequest, way: AuthWay) => {
    const { email, password } = body;
    const refuse = async (userId: string | undefined) => {
      if (userId) await noteAuthEvent(db, { userId, kind: 'refused', way, at: now(), request });
    };
    const guess = await throttle.begin({ action: 'login', account: email, ip: request.ip });
    const user = await accountAt(email, { evenDeactivated: true });
    if (!(await verifyPassword(password, user?.password_hash)) || !user) {
      await refuse(user?.id);
      throw new ProductError('wrong_credentials', { fields: { email: ['The e-mail address or password is incorrect.'] } });
    }
    if (user.disabled) {
      await guess.succeeded();
      await refuse(user.id);
      throw new ProductError('account_deactivated', { message: deactivatedWords(user) });
    }
    const access = await passRestriction(user.id, body.restricted_access_password, guess);
    const step = await db.tx(async (tx) => {
      const taken = await secondStep.take(tx, user.id, body[secondStepField]);
      if (taken === 'recovery') await mail.send(letters.recoveryCodeUsed(user), tx);
      return taken;
    });
    mail.wake();
    if (step === 'wrong') await refuse(user.id);
    if (step === 'missing') await guess.takenBack();
    if (step === 'missing' || step === 'wrong')
      throw new ProductError('second_step_needed', {
        fields: {
          [secondStepField]: [
            step === 'wrong' ? 'This code is incorrect or has already been used.' : 'Enter the code from your authenticator app, or a recovery code.',
          ],
        },
      });
    await guess.succeeded();
    await updateRows(db, 'users', { password_compromised: await isCompromised(password) }, sql`id = ${user.id}`);
    return { userId: user.id, ...access };
  };

  return {
    /** Signs a browser in. Returns the person and the secret of their session. */
    signIn: async (body: BodyOf<typeof login>, { actor, request }: { actor: Actor | null; request: FastifyRequest }) => {
      const { userId, ...access } = await letIn(body, request, 'password');
      return begin(userId, access, 'password', { actor, request });
    },
    /** Signs the mobile app in. Returns its token. */
    signInApp: async (body: BodyOf<typeof mobileLogin>, request: FastifyRequest): Promise<string> => {
      const { userId, accessPasswordGiven } = await letIn(body, request, 'app');
      await noteAuthEvent(db, { userId, kind: 'signed_in', way: 'app', at: now(), request, device: body.device_name });
      return sessions.start(userId, 'token', { deviceName: body.device_name, accessPasswordGiven });
    },
    register: async (plan: string, { organisation, name, email, password }: BodyOf<typeof register>, request: FastifyRequest): Promise<void> => {
      existing(plans.find((p) => p.id === plan));
      const problems = passwordProblems(password, defaultPasswordRequirements);
      if (problems.length > 0) throw new ProductError('invalid_input', { fields: { password: problems } });
      await counted('register', email, request);
      const password_hash = await hashPassword(password);
      const taken = await db.one<{ name: string }>(sql`select name from users where lower(email) = ${email}`);
      const token = newSecret();
      const expires_at = new Date(now().getTime() + signUpHours * 3_600_000);
      await db.tx(async (tx) => {
        if (taken) return mail.send(letters.accountExists({ name: taken.name, email }), tx);
        await tx.run(insertRow('sign_ups', { token_hash: hashOf(token), organisation, name, email, password_hash, expires_at }));
        await mail.send(letters.confirmSignUp(email, token, signUpHours), tx);
      });
      mail.wake();
    },
    forgotPassword: async (email: string, request: FastifyRequest): Promise<void> => {
      await counted('forgot', email, request);
      // The same work for every address: the response time does not reveal whether there is an account. What differs is done after the answer.
      await db.run(insertRow('forgotten_passwords', { id: randomUUID(), email, at: now() }));
      void answerForgotten().catch((error: unknown) => log.error({ err: error }, 'links for new passwords wait'));
    },
    answerForgotten,
    /** Sets a new password through a link. */
    resetPassword: async (token: string, password: string, request: FastifyRequest): Promise<void> => {
      const account = await db.tx(async (tx) => {
        const link = await takeLink(tx, token, ['reset_password'], now());
        await checkPassword(tx, password, link.user_id);
        await tx.run(sql`update users set email_verified_at = coalesce(email_verified_at, ${now()}) where id = ${link.user_id}`);
        return writePassword(tx, link.user_id, await hashPassword(password), 'link', request);
      });
      sessions.forgetUser(account.id);
      mail.wake();
      await throttle.forgive({ action: 'login', account: account.email, ip: request.ip });
    },
    /** Replaces one's own password. Every session ends; returns the secret of a new one for a browser, null for the app. */
    changePassword: async ({ actor, request }: Asking, password: string, current: string | undefined): Promise<string | null> => {
      if (!actor.user.password_expired && !can(actor.user, 'user.update_password')) throw new ProductError('forbidden');
      await confirmPassword(actor, current ?? '', request, 'current_password');
      await checkPassword(db, password, actor.user.uuid, current);
      const hash = await hashPassword(password);
      await db.tx((tx) => writePassword(tx, actor.user.uuid, hash, 'password', request));
      sessions.forgetUser(actor.user.uuid);
      mail.wake();
      if (actor.kind !== 'web') return null;
      const { accessPasswordGiven } = actor;
      return sessions.start(actor.user.uuid, 'web', { deviceName: deviceName(request.headers['user-agent']), accessPasswordGiven });
    },
    /** The password rules for the person who has this link or is signed in. */
    passwordRules: async (token: string | undefined, actor: Actor | null): Promise<PasswordRequirements> => {
      const link = token
        ? await db.one<{ user_id: string }>(
            sql`select user_id from one_time_tokens where token_hash = ${hashOf(token)} and purpose = 'reset_password' and used_at is null and expires_at > ${now()}`,
          )
        : undefined;
      const userId = link?.user_id ?? actor?.user.uuid;
      return (userId && (await rulesOf(db, userId))?.rules) || defaultPasswordRequirements;
    },
    /** Confirms the address to which a link was sent: of a sign-up, of an account, or a new one. */
    verifyEmail: async (token: string, request: FastifyRequest): Promise<void> => {
      try {
        const changed = await db.tx(async (tx) => {
          if (await finishSignUp(tx, token)) return null;
          const link = await takeLink(tx, token, ['verify_email', 'change_email'], now());
          const before = await tx.one<Account>(sql`select id, name, email from users where id = ${link.user_id} and disabled_at is null for update`);
          if (!before) throw new ProductError('link_expired');
          await updateRows(tx, 'users', { email: link.email, email_verified_at: now() }, sql`id = ${before.id}`);
          if (link.purpose === 'verify_email') return before.id;
          await endLinks(tx, before.id, now());
          await noteAuthEvent(tx, { userId: before.id, kind: 'email_changed', way: 'link', at: now(), request });
          if (link.email !== before.email) await tellAddressChanged(mail, before, link.email, 'themselves', tx);
          return before.id;
        });
        if (changed) sessions.forgetUser(changed);
        mail.wake();
      } catch (error) {
        // Another account has taken the address since the link was sent.
        throw sqlState(error) === '23505' ? new ProductError('link_expired') : error;
      }
    },
    updateEmail: async ({ actor, request }: Asking, email: string, password: string): Promise<void> => {
      await confirmPassword(actor, password, request);
      const { user } = actor;
      if (email === user.email.toLowerCase()) throw invalid('email', 'This is already your e-mail address.');
      await counted('email', email, request);
      // The answer is the same whether or not the address has an account; only its owner is notified.
      const taken = await beyondScope(() => db.one(sql`select 1 as one from users where lower(email) = ${email}`));
      await db.tx(async (tx) => {
        // The most recent request counts.
        await endLinks(tx, user.uuid, now(), 'change_email');
        const token = await linkFor({ id: user.uuid, email }, 'change_email', tx);
        await mail.send(taken ? letters.addressTaken(email) : letters.confirmChange(email, token, linkHours.change_email), tx);
        await mail.send(letters.changeRequested(user), tx);
      });
      mail.wake();
    },
    /** Sends the link to confirm somebody's address again. False if it is already confirmed. */
    sendVerification: async ({ actor, request }: Asking, id: string): Promise<boolean> => {
      const user = await personAt(db, actor, id);
      if (user.email_verified_at) return false;
      await counted('verify', user.email, request);
      await db.tx(async (tx) => mail.send(letters.confirmAddress(user, await linkFor(user, 'verify_email', tx), linkHours.verify_email), tx));
      mail.wake();
      return true;
    },
    /** Whether the caller holds all, or any, of these permissions. */
    holds: ({ user }: Actor, { permission_ids: ids, mode }: BodyOf<typeof permissionCheck>): boolean => {
      const slugs = ids.map((id) => permissionOf(id)?.slug);
      const known = slugs.filter((slug) => slug !== undefined);
      // A list containing an unknown permission is held in full only by a super administrator.
      const missing = mode === 'all' && known.length < slugs.length && !user.super_admin;
      return !missing && can(user, known, mode);
    },
    /** Signs somebody out everywhere. */
    signOut: async (actor: Actor, id: string): Promise<void> => {
      await personAt(db, actor, id);
      await sessions.endAll(id);
    },
  };
};
