import { isPasswordOld } from '#contract/rules/password.ts';
import { createHash } from 'node:crypto';
import type { EntityRef } from '#contract/entities/entity.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { type PermissionSlug, permissions } from '#contract/permissions.ts';
import type { Actor } from '#server/actor.ts';
import type { Config } from '#server/config.ts';
import { type Db, instant, often, sql } from '#server/db/sql.ts';
import { isMailRead } from '#server/mail/mailer.ts';
import { restrictionOf } from '#server/security/restricted-access.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';

/** The id under which a person sees their session, derived from the hash without revealing it. */
const publicId = sql`left(encode(sha256(convert_to(id_hash, 'UTF8')), 'hex'), 24)`;
const actsForOthers: PermissionSlug = 'entity.act_as';

const slugOf = new Map<number, string>(permissions.map((p) => [p.id, p.slug]));

type UserRow = {
  id: string;
  name: string;
  email: string;
  email_verified_at: string | null;
  super_admin: boolean;
  is_trainer: boolean;
  preferences: Record<string, unknown>;
  password_changed_at: string;
  password_expire_period_in_months: number | null;
  must_change: boolean;
  has_password: boolean;
  entity: { id: string; name: string; slug: string };
  flags: AuthUser['a_entity'];
  time_zone: string;
  role: { id: string; name: string } | null;
  type: { id: string; name: string } | null;
  login_popup: AuthUser['login_popup'];
  permission_ids: number[];
  entity_ids: string[];
};

const personById = (userId: string, evenLeft: boolean) => sql`
  select u.id, u.name, u.email, u.email_verified_at, u.super_admin, u.is_trainer, u.preferences, u.password_changed_at, e.password_expire_period_in_months,
    (u.password_compromised and e.compromised_passwords = 'enforce_change') as must_change, u.password_hash is not null as has_password,
    json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, e.time_zone,
    json_build_object('can_view_internal_bookings', e.can_view_internal_bookings, 'can_view_external_bookings', e.can_view_external_bookings,
      'can_manage_bookings', e.can_manage_bookings, 'can_see_new_dashboards', e.can_see_new_dashboards) as flags,
    (select json_build_object('id', r.id, 'name', r.name) from roles r where r.id = u.role_id) as role,
    (select json_build_object('id', t.id, 'name', t.name) from types t where t.id = u.type_id) as type,
    (select json_build_object('title', coalesce(n.login_popup_alt_name, n.name), 'link', n.popup_link, 'always', n.always_show_popup_on_login)
      from (with recursive up as (select id, parent_id, 0 as depth from entities where id = u.primary_entity_id
          union all select p.id, p.parent_id, depth + 1 from entities p join up on p.id = up.parent_id)
        select x.*, up.depth from up join entities x on x.id = up.id where x.popup_link is not null order by depth limit 1) n) as login_popup,
    array(select permission_id from type_permissions where type_id = u.type_id
      union select permission_id from entity_permissions where entity_id = u.primary_entity_id
      union select permission_id from user_permissions where user_id = u.id order by 1) as permission_ids,
    array(with recursive below as (select id from entities where id = u.primary_entity_id
      union all select c.id from entities c join below b on c.parent_id = b.id) select id::text from below) as entity_ids
  from users u join entities e on e.id = u.primary_entity_id
  where u.id = ${userId} and (u.disabled_at is null or ${evenLeft})`;

/**
 * Web sessions and mobile app tokens. Only the holder has the secret; the database stores its hash. A session ends at sign-out,
 * after inactivity, at its maximum age, when the person is disabled and when the password changes. Resolved sessions are cached
 * for `cacheMs`. Changes by this process clear the cache at once; a change by another server process is seen after `cacheMs` at
 * the latest.
 */
export const createSessions = (db: Db, config: Config, now: () => Date, cacheMs = 2000) => {
  const cache = new Map<string, { actor: Actor; until: number; touched: number }>();

  const actorOf = async (
    userId: string,
    sessionHash: string,
    kind: 'web' | 'token',
    more: { evenLeft?: boolean; accessPasswordGiven?: boolean } = {},
  ): Promise<Actor | null> => {
    const row = await db.one<UserRow>(often(personById(userId, more.evenLeft ?? false)));
    if (!row) return null;
    const months = row.password_expire_period_in_months;
    return {
      sessionHash,
      kind,
      entityIds: row.entity_ids,
      place: row.entity,
      actingAs: null,
      seesAll: row.super_admin,
      accessPasswordGiven: more.accessPasswordGiven ?? false,
      user: {
        uuid: row.id,
        name: row.name,
        email: row.email,
        emailVerified: row.email_verified_at !== null,
        super_admin: row.super_admin,
        time_zone: row.time_zone,
        is_trainer: row.is_trainer,
        // A person who signs in through a provider and has no password here has none to change.
        password_expired:
          row.has_password && (row.must_change || (months !== null && isPasswordOld(row.password_changed_at, months, now(), row.time_zone))),
        primary_entity: row.entity,
        a_entity: row.flags,
        role: row.role,
        type: row.type,
        client_entity: null,
        user_preferences: row.preferences,
        content_origin: config.CONTENT_ORIGIN,
        ...(isMailRead(config) ? {} : { mail_waits: true as const }),
        login_popup: row.login_popup,
        permissions: row.permission_ids.flatMap((id) => (slugOf.has(id) ? [{ id, slug: slugOf.get(id) as string }] : [])),
      },
    };
  };

  const forgetUser = (userId: string) => {
    for (const [hash, entry] of cache) if (entry.actor.user.uuid === userId) cache.delete(hash);
  };

  return {
    /** Starts a new session and returns its secret. An existing session is never reused. */
    start: async (userId: string, kind: 'web' | 'token', more: { deviceName?: string; accessPasswordGiven: boolean }) => {
      const secret = newSecret();
      await db.run(
        sql`insert into sessions (id_hash, user_id, kind, device_name, access_password_given, created_at, last_seen_at)
          values (${hashOf(secret)}, ${userId}, ${kind}, ${more.deviceName ?? null}, ${more.accessPasswordGiven}, ${now()}, ${now()})`,
      );
      return secret;
    },
    /** The holder of a secret, or null if it is unknown or has ended. */
    resolve: async (secret: string): Promise<Actor | null> => {
      const hash = hashOf(secret);
      const at = now().getTime();
      const cachedSession = cache.get(hash);
      if (cachedSession && cachedSession.until > at) return cachedSession.actor;
      const oldestUse = new Date(at - config.SESSION_IDLE_HOURS * 3_600_000);
      const oldestStart = new Date(at - config.SESSION_MAX_HOURS * 3_600_000);
      const session = await db.one<{ user_id: string; kind: 'web' | 'token'; given: boolean }>(
        often(
          sql`select user_id, kind, access_password_given as given from sessions where id_hash = ${hash} and locked_at is null and last_seen_at > ${oldestUse} and created_at > ${oldestStart}`,
        ),
      );
      const shutOut = session && !session.given && (await restrictionOf(db, session.user_id, now())) !== undefined;
      const actor = session && !shutOut ? await actorOf(session.user_id, hash, session.kind, { accessPasswordGiven: session.given }) : null;
      if (!actor) {
        cache.delete(hash);
        return null;
      }
      const touched = cachedSession?.touched ?? 0;
      if (at - touched > 60_000) await db.run(sql`update sessions set last_seen_at = ${now()} where id_hash = ${hash}`);
      if (cache.size > 5000) cache.clear();
      cache.set(hash, { actor, until: at + cacheMs, touched: at - touched > 60_000 ? at : touched });
      return actor;
    },
    /**
     * The same person acting for another organisation: they see only it and those below. Null if they may not (`entity.act_as`),
     * cannot see it, or it does not exist, so that the three are indistinguishable.
     */
    actingFor: async (actor: Actor, entityId: string): Promise<Actor | null> => {
      if (entityId === actor.user.primary_entity.id) return actor;
      if (!can(actor.user, actsForOthers) || !(actor.seesAll || actor.entityIds.includes(entityId))) return null;
      const found = await db.one<EntityRef & { below: string[] }>(sql`select e.id, e.name, e.slug,
          array(with recursive below as (select id from entities where id = e.id
            union all select c.id from entities c join below b on c.parent_id = b.id) select id::text from below) as below
        from entities e where e.id::text = ${entityId}`);
      if (!found) return null;
      const { below, ...place } = found;
      return { ...actor, entityIds: below, place, actingAs: place, seesAll: false };
    },
    end: async (sessionHash: string) => {
      cache.delete(sessionHash);
      await db.run(sql`delete from sessions where id_hash = ${sessionHash}`);
    },
    /** Blocks this session until the secret with this hash is given. */
    lock: async (sessionHash: string, unlockHash: string) => {
      cache.delete(sessionHash);
      await db.run(sql`update sessions set locked_at = ${now()}, unlock_hash = ${unlockHash} where id_hash = ${sessionHash}`);
    },
    /** Whether the session of this cookie is unlocked: it was not locked, or the secret is correct. */
    unlock: async (cookieSecret: string, secret: string) => {
      const hash = hashOf(cookieSecret);
      const sentHash = createHash('sha256').update(secret).digest('hex');
      cache.delete(hash);
      return (
        (await db.run(
          sql`update sessions set locked_at = null, unlock_hash = null where id_hash = ${hash} and (locked_at is null or unlock_hash = ${sentHash})`,
        )) > 0
      );
    },
    /** A person's current sessions. The id identifies a session only to its own person and grants no access. */
    list: async (actor: Actor) => {
      const oldestUse = new Date(now().getTime() - config.SESSION_IDLE_HOURS * 3_600_000);
      const oldestStart = new Date(now().getTime() - config.SESSION_MAX_HOURS * 3_600_000);
      return db.all<{ id: string; device: string; created_at: string; last_seen_at: string; current: boolean }>(sql`
        select ${publicId} as id, coalesce(device_name, 'An unknown browser') as device, ${instant(sql`created_at`)} as created_at,
          ${instant(sql`last_seen_at`)} as last_seen_at, id_hash = ${actor.sessionHash} as current
        from sessions where user_id = ${actor.user.uuid} and last_seen_at > ${oldestUse} and created_at > ${oldestStart} order by last_seen_at desc, id_hash limit 100`);
    },
    /** Ends one of a person's sessions by that id; false if there is none. */
    endOne: async (actor: Actor, id: string): Promise<boolean> => {
      forgetUser(actor.user.uuid);
      return (await db.run(sql`delete from sessions where user_id = ${actor.user.uuid} and ${publicId} = ${id}`)) > 0;
    },
    /** Ends all sessions of a person except the given one. In a transaction (`tx`), call `forgetUser` after it. */
    endAll: async (userId: string, { except = null, tx }: { except?: string | null; tx?: Db } = {}) => {
      forgetUser(userId);
      await (tx ?? db).run(sql`delete from sessions where user_id = ${userId} and id_hash is distinct from ${except}`);
    },
    /** Clears the cache after a person's details have changed. */
    forgetUser,
    /** Clears the cache after a change that affects the permissions of many people. */
    forgetAll: () => cache.clear(),
    /** The person as an actor without a session, for work done in their name. A leaver only on request. */
    actorOf,
  };
};
export type Sessions = ReturnType<typeof createSessions>;
