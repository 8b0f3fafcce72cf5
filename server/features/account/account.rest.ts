import { randomUUID } from 'node:crypto';
import type { authEndpoints, login } from '#contract/api/auth.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { FastifyRequest } from 'fastify';
import type { PasswordRequirements } from '#contract/entities/entity.ts';
import { defaultPasswordRequirements } from '#contract/rules/password.ts';
import { type AuthWay, secondStepField } from '#contract/entities/sign-in.ts';
import { plans } from '#contract/entities/plan.ts';
import { can } from '#contract/can.ts';
import { permissionOf, permissions } from '#contract/permissions.ts';
import { passwordProblems } from '#contract/rules/password.ts';
import { beyondScope } from '#server/db/scope.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql, sqlState } from '#server/db/sql.ts';
import { noteAuthEvent } from '#server/features/account/auth-events.ts';
import { tellAddressChanged, unawaited } from '#server/features/account/account-mail.service.ts';
import { endLinks, newLink, type Purpose, takeLink } from '#server/features/account/links.service.ts';
import { createSecondStep } from '#server/features/account/second-step.ts';
import { createSignIn } from '#server/features/account/sign-in.ts';
import { isCompromised } from '#server/http/compromised-passwords.ts';
import { deviceName } from '#server/http/device-name.ts';
import { clearSessionCookie, setCsrf, setSessionCookie } from '#server/http/origin-cookies.ts';
import { hashPassword, verifyPassword } from '#server/http/passwords.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { hashOf, newSecret } from '#server/http/secrets.ts';
import type { Services } from '#server/services.ts';
import { newSlug } from '#server/features/entities/new-slug.ts';
import { visiblePerson } from '#server/db/seen.ts';

const linkHours: Record<Purpose, number> = { reset_password: 1, verify_email: 72, change_email: 24 };
const signUpHours = 72;

export const accountHandlers = (services: Services): HandlersOf<typeof authEndpoints> => {
  const { config, db, mail, sessions, now } = services;
  const { throttle, passRestriction, begin, confirmPassword } = createSignIn(services);
  const secondStep = createSecondStep(db, services.secretKey, now);

  const linkFor = (userId: string, email: string, purpose: Purpose) =>
    newLink(db, { id: userId, email }, { purpose, hours: linkHours[purpose], now: now() });
  /** Sent after the token is committed, so that no e-mail is sent for a transaction that is rolled back. */
  const sendVerificationMail = async (user: { id: string; name: string; email: string }) => {
    const token = await linkFor(user.id, user.email, 'verify_email');
    await mail.send({
      to: user.email,
      subject: 'Confirm your e-mail address',
      body: `Hello ${user.name},\n\nOpen this link to confirm that this is your e-mail address:\n${config.PUBLIC_URL}/verify-email/${token}\n\nThe link is valid for ${linkHours.verify_email} hours.\n`,
    });
  };
  const tellPasswordChanged = (userId: string) =>
    unawaited(
      services.log,
      db.one<{ name: string; email: string }>(sql`select name, email from users where id = ${userId}`).then(
        (person) =>
          person &&
          mail.send({
            to: person.email,
            subject: 'Your password was changed',
            body: `Hello ${person.name},\n\nThe password of your account was changed. Links sent earlier no longer work. If this was not you, set a new password now: ${config.PUBLIC_URL}/forgot-password\n`,
          }),
      ),
    );
  /** Creates the organisation of a confirmed sign-up and its first administrator. */
  const finishSignUp = async (tx: Db, token: string): Promise<boolean> => {
    const row = await tx.one<{ organisation: string; name: string; email: string; password_hash: string }>(
      sql`delete from sign_ups where token_hash = ${hashOf(token)} and expires_at > ${now()} returning organisation, name, email, password_hash`,
    );
    if (!row) return false;
    const [entityId, typeId, userId] = [randomUUID(), randomUUID(), randomUUID()];
    const slug = await newSlug(tx, row.organisation, entityId);
    await tx.run(sql`insert into entities (id, name, slug, level, email) values (${entityId}, ${row.organisation}, ${slug}, 'A', ${row.email})`);
    await tx.run(
      sql`insert into whitelabels (entity_id, subdomain, document) values (${entityId}, ${slug}, ${JSON.stringify({ companyName: row.organisation })})`,
    );
    await tx.run(sql`insert into types (id, entity_id, name) values (${typeId}, ${entityId}, 'Administrator')`);
    await tx.run(sql`insert into type_permissions (type_id, permission_id) select ${typeId}, unnest(${permissions.map((p) => p.id)}::int[])`);
    await tx.run(sql`insert into users (id, name, email, password_hash, primary_entity_id, type_id, email_verified_at)
      values (${userId}, ${row.name}, ${row.email}, ${row.password_hash}, ${entityId}, ${typeId}, ${now()})`);
    await tx.run(sql`delete from sign_ups where email = ${row.email}`);
    return true;
  };
  const rulesFor = async (on: Db, userId: string | null): Promise<PasswordRequirements> => {
    const row = userId
      ? await on.one<{ rules: PasswordRequirements | null }>(
          sql`select e.password_requirements as rules from users u join entities e on e.id = u.primary_entity_id where u.id = ${userId}`,
        )
      : undefined;
    return row?.rules ?? defaultPasswordRequirements;
  };

  /** The problems of a new password under the rules of the person's organisation. */
  const problemsOf = async (on: Db, password: string, userId: string): Promise<string[]> => {
    const problems = passwordProblems(password, await rulesFor(on, userId));
    const row = await on.one<{ enforced: boolean }>(
      sql`select e.compromised_passwords = 'enforce_change' as enforced from users u join entities e on e.id = u.primary_entity_id where u.id = ${userId}`,
    );
    if (row?.enforced && (await isCompromised(password))) problems.push('This password has appeared in a data breach. Choose another one.');
    return problems;
  };

  /** The person with these credentials; the same answer and time whether or not the account exists. */
  const signIn = async (body: BodyOf<typeof login>, request: FastifyRequest, way: AuthWay) => {
    const { email, password } = body;
    const { ip } = request;
    const refuse = async (userId: string | undefined) => {
      if (userId) await noteAuthEvent(db, { userId, kind: 'refused', way, at: now(), request });
    };
    const guess = await throttle.begin({ action: 'login', account: email, ip });
    const user = await db.one<{ id: string; name: string; email: string; password_hash: string | null }>(
      sql`select id, name, email, password_hash from users where lower(email) = ${email.toLowerCase()} and disabled_at is null`,
    );
    if (!(await verifyPassword(password, user?.password_hash)) || !user) {
      await refuse(user?.id);
      throw new ProductError('wrong_credentials', { fields: { email: ['The e-mail address or password is incorrect.'] } });
    }
    const letIn = await passRestriction(user.id, body.restricted_access_password, guess);
    const step = await secondStep.take(user.id, body[secondStepField]);
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
    await db.run(sql`update users set password_compromised = ${await isCompromised(password)} where id = ${user.id}`);
    if (step === 'recovery')
      await mail.send({
        to: user.email,
        subject: 'A recovery code was used',
        body: `Hello ${user.name},\n\nSomeone signed in to your account with one of your recovery codes. If this was not you, change your password now and create new recovery codes in your account menu, under “How I sign in”.\n`,
      });
    return { userId: user.id, ...letIn };
  };
  const counted = async (action: string, email: string, ip: string) => {
    await throttle.begin({ action, account: email, ip });
  };

  return {
    csrfCookie: async ({ actor, reply }) => {
      setCsrf(services, reply, actor?.sessionHash ?? null);
    },
    login: async ({ body, actor, request, reply }) => {
      const { userId, ...how } = await signIn(body, request, 'password');
      return { data: (await begin(userId, how, 'password', { actor, request, reply })).user };
    },
    mobileLogin: async ({ body, request }) => {
      const { userId, accessPasswordGiven } = await signIn(body, request, 'app');
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
    logoutUser: async ({ params, actor }) => {
      existing(await db.one(sql`select u.id from users u where u.id = ${params.userId} and ${visiblePerson(actor)}`));
      await sessions.endAll(params.userId);
    },
    register: async ({ params, body, request }) => {
      existing(plans.find((p) => p.id === params.plan));
      const problems = passwordProblems(body.password, defaultPasswordRequirements);
      if (problems.length > 0) throw new ProductError('invalid_input', { fields: { password: problems } });
      await counted('register', body.email, request.ip);
      const passwordHash = await hashPassword(body.password);
      const answer = { data: { message: 'We have sent you an e-mail. Open the link in it to finish signing up.' } };
      const taken = await db.one<{ name: string }>(sql`select name from users where lower(email) = ${body.email}`);
      if (taken) {
        await mail.send({
          to: body.email,
          subject: 'You already have an account',
          body: `Hello ${taken.name},\n\nSomeone tried to create a new account with this e-mail address. You already have one: sign in at ${config.PUBLIC_URL}/login or set a new password at ${config.PUBLIC_URL}/forgot-password\n`,
        });
        return answer;
      }
      const token = newSecret();
      const until = new Date(now().getTime() + signUpHours * 3_600_000);
      await db.run(sql`insert into sign_ups (token_hash, organisation, name, email, password_hash, expires_at)
        values (${hashOf(token)}, ${body.organisation}, ${body.name}, ${body.email}, ${passwordHash}, ${until})`);
      // The address is not confirmed, so the e-mail contains nothing that was typed.
      await mail.send({
        to: body.email,
        subject: 'Confirm your e-mail address',
        body: `Hello,\n\nSomeone has signed up with this e-mail address. If this was you, open this link to confirm it and create your account:\n${config.PUBLIC_URL}/verify-email/${token}\n\nThe link is valid for ${signUpHours} hours. If this was not you, ignore this e-mail and no account will be created.\n`,
      });
      return answer;
    },
    forgotPassword: async ({ body, request }) => {
      await counted('forgot', body.email, request.ip);
      const user = await db.one<{ id: string; name: string; email: string }>(
        sql`select id, name, email from users where lower(email) = ${body.email.toLowerCase()} and disabled_at is null`,
      );
      if (user) {
        const token = await linkFor(user.id, user.email, 'reset_password');
        // Not awaited: the response time must not reveal whether the account exists.
        mail
          .send({
            to: user.email,
            subject: 'Set a new password',
            body: `Hello ${user.name},\n\nOpen this link to set a new password:\n${config.PUBLIC_URL}/reset-password/${token}\n\nThe link is valid for ${linkHours.reset_password} hour. If you did not request it, ignore this e-mail.\n`,
          })
          .catch((error: unknown) => services.log.error({ error }, 'mail could not be sent'));
      }
      return { data: { message: 'If there is an account with this address, we have sent it a link by e-mail.' } };
    },
    resetPassword: async ({ body, actor, request, reply }) => {
      if (body.password !== body.password_confirmation) throw invalid('password_confirmation', 'The two passwords do not match.');
      if (body.token) {
        const token = body.token;
        const userId = await db.tx(async (tx) => {
          const link = await takeLink(tx, token, ['reset_password'], now());
          const problems = await problemsOf(tx, body.password, link.user_id);
          if (problems.length > 0) throw new ProductError('invalid_input', { fields: { password: problems } });
          await tx.run(
            sql`update users set password_hash = ${await hashPassword(body.password)}, password_changed_at = ${now()}, password_compromised = false, email_verified_at = coalesce(email_verified_at, ${now()}) where id = ${link.user_id}`,
          );
          await endLinks(tx, link.user_id, now());
          await noteAuthEvent(tx, { userId: link.user_id, kind: 'password_changed', way: 'link', at: now(), request });
          return link.user_id;
        });
        await sessions.endAll(userId);
        const account = (await db.one<{ email: string }>(sql`select email from users where id = ${userId}`))?.email;
        if (account) await throttle.forgive({ action: 'login', account, ip: request.ip });
        tellPasswordChanged(userId);
        return { data: { message: 'Your password has been changed. You can sign in now.' } };
      }
      if (!actor) throw new ProductError('unauthenticated');
      if (!actor.user.password_expired && !can(actor.user, 'user.update_password')) throw new ProductError('forbidden');
      await confirmPassword(actor, body.current_password ?? '', request, 'current_password');
      const problems = await problemsOf(db, body.password, actor.user.uuid);
      if (body.password === body.current_password) problems.push('Choose a password that you have not used here before.');
      if (problems.length > 0) throw new ProductError('invalid_input', { fields: { password: problems } });
      const passwordHash = await hashPassword(body.password);
      await db.tx(async (tx) => {
        await tx.run(
          sql`update users set password_hash = ${passwordHash}, password_changed_at = ${now()}, password_compromised = false where id = ${actor.user.uuid}`,
        );
        await endLinks(tx, actor.user.uuid, now());
        await noteAuthEvent(tx, { userId: actor.user.uuid, kind: 'password_changed', way: 'password', at: now(), request });
      });
      await sessions.endAll(actor.user.uuid);
      tellPasswordChanged(actor.user.uuid);
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
    passwordRules: async ({ query, actor }) => {
      const link = query.token
        ? await db.one<{ user_id: string }>(
            sql`select user_id from one_time_tokens where token_hash = ${hashOf(query.token)} and purpose = 'reset_password' and used_at is null and expires_at > ${now()}`,
          )
        : undefined;
      return { data: await rulesFor(db, link?.user_id ?? actor?.user.uuid ?? null) };
    },
    verifyEmail: async ({ body, request }) => {
      try {
        const changed = await db.tx(async (tx) => {
          if (await finishSignUp(tx, body.token)) return null;
          const link = await takeLink(tx, body.token, ['verify_email', 'change_email'], now());
          const before = await tx.one<{ id: string; name: string; email: string }>(
            sql`select id, name, email from users where id = ${link.user_id} and disabled_at is null for update`,
          );
          if (!before) throw new ProductError('link_expired');
          await tx.run(sql`update users set email = ${link.email}, email_verified_at = ${now()} where id = ${before.id}`);
          if (link.purpose === 'verify_email') return { before, address: before.email };
          await endLinks(tx, before.id, now());
          await noteAuthEvent(tx, { userId: before.id, kind: 'email_changed', way: 'link', at: now(), request });
          return { before, address: link.email };
        });
        if (changed) sessions.forgetUser(changed.before.id);
        if (changed && changed.address !== changed.before.email)
          unawaited(services.log, tellAddressChanged(mail, changed.before, changed.address, 'themselves'));
      } catch (error) {
        // Another account has taken the address since the link was sent.
        throw sqlState(error) === '23505' ? new ProductError('link_expired') : error;
      }
      return { data: { message: 'Your e-mail address has been confirmed.' } };
    },
    updateEmail: async ({ body, actor, request }) => {
      await confirmPassword(actor, body.password, request);
      if (body.email === actor.user.email.toLowerCase()) throw invalid('email', 'This is already your e-mail address.');
      await counted('email', body.email, request.ip);
      const { uuid: id, name, email } = actor.user;
      const token = await db.tx(async (tx) => {
        // The most recent request counts.
        await endLinks(tx, id, now(), 'change_email');
        return newLink(tx, { id, email: body.email }, { purpose: 'change_email', hours: linkHours.change_email, now: now() });
      });
      // The answer is the same whether or not the address has an account; only its owner is told.
      const taken = await beyondScope(() => db.one(sql`select 1 as one from users where lower(email) = ${body.email}`));
      const sending = taken
        ? mail.send({
            to: body.email,
            subject: 'This e-mail address already has an account',
            body: `Hello,\n\nSomeone tried to use this e-mail address for another account. It already has an account, so nothing was changed. If this was you, sign in at ${config.PUBLIC_URL}/login\n`,
          })
        : mail.send({
            to: body.email,
            subject: 'Confirm your new e-mail address',
            body: `Hello,\n\nOpen this link to confirm that this is your e-mail address. It then replaces your current address for signing in:\n${config.PUBLIC_URL}/verify-email/${token}\n\nThe link is valid for ${linkHours.change_email} hours. If you did not request it, ignore this e-mail.\n`,
          });
      unawaited(services.log, sending);
      unawaited(
        services.log,
        mail.send({
          to: email,
          subject: 'A change of e-mail address was requested',
          body: `Hello ${name},\n\nSomeone signed in to your account has requested a change of its e-mail address. Nothing changes until the new address is confirmed. If this was not you, change your password now: ${config.PUBLIC_URL}/update-password\n`,
        }),
      );
      return { data: { message: `We have sent a link to ${body.email}. Your e-mail address changes when you open it.` } };
    },
    sendVerification: async ({ params, actor, request }) => {
      const user = existing(
        await db.one<{ id: string; name: string; email: string; email_verified_at: string | null }>(
          sql`select u.id, u.name, u.email, u.email_verified_at from users u where u.id = ${params.uuid} and ${visiblePerson(actor)}`,
        ),
      );
      if (user.email_verified_at) return { data: { message: 'This e-mail address is already confirmed.' } };
      await counted('verify', user.email, request.ip);
      await sendVerificationMail(user);
      return { data: { message: 'We have sent the link again.' } };
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
