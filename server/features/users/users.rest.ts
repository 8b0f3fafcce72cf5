import { randomUUID } from 'node:crypto';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { updateUser, userEndpoints } from '#contract/api/users.ts';
import { type UserField, type UserRow, userFieldNeeds } from '#contract/entities/user.ts';
import { can, personalPermissions } from '#contract/permissions.ts';
import { type Db, type Statement, sql, sqlState } from '#server/db/sql.ts';
import { endLinks, newLink } from '#server/features/account/links.ts';
import { noteChange } from '#server/features/audit/note-change.ts';
import { visibleEntity } from '#server/features/entities/visible-entity.ts';
import { eventCountsOf } from '#server/features/learning/events.sql.ts';
import { contains, pagesOf } from '#server/http/paging.ts';
import { invalid, ProductError } from '#server/http/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';
import { listedPerson, visiblePerson } from '#server/features/users/visible-person.ts';

type Row = Omit<UserRow, 'courses' | 'uuid'>;
const columns = sql`u.id, u.name, u.email, u.is_trainer, u.disabled_at, u.started_on, u.password_hash is not null as has_password,
  json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as primary_entity,
  (select json_build_object('id', r.id, 'name', r.name) from roles r where r.id = u.role_id) as role,
  (select json_build_object('id', t.id, 'name', t.name) from types t where t.id = u.type_id) as type`;

type Fields = BodyOf<typeof updateUser>;
/** Who adds a person says who they are and where they belong; these need a permission of their own then too. */
const ofItsOwn: ReadonlySet<string> = new Set(['role_id', 'type_id', 'is_trainer'] satisfies UserField[]);
/** A welcome waits over a week of nights. */
const welcomeHours = 168;

export const userHandlers = ({ db, now, mail, config, sessions }: Services): HandlersOf<typeof userEndpoints> => {
  const withCounts = async (rows: Row[]): Promise<UserRow[]> => {
    const counts = await eventCountsOf(
      db,
      rows.map((r) => r.id),
      now(),
    );
    return rows.map((r) => ({ ...r, uuid: r.id, courses: counts.get(r.id) ?? { current: 0, overdue: 0, completed: 0 } }));
  };
  /** The condition for `actingAs`: an organisation at or below one's own, or any with permission 19 that one can see. */
  const actingAs = async (actor: Actor, slug: string | undefined): Promise<Statement> => {
    if (!slug) return sql`true`;
    const entity = await db.one<{ id: string }>(sql`select id from entities where slug = ${slug}`);
    const own = entity !== undefined && entity.id === actor.place.id;
    const allowed = entity !== undefined && (actor.seesAll || own || (can(actor.user, 19) && actor.entityIds.includes(entity.id)));
    if (!allowed) throw new ProductError('forbidden');
    return sql`u.primary_entity_id in (with recursive below as (select id from entities where id = ${entity.id} union all select c.id from entities c join below b on c.parent_id = b.id) select id from below)`;
  };
  const found = async (on: Db, id: string, seen: Statement): Promise<Row> => {
    const row = await on.one<Row>(sql`select ${columns} from users u join entities e on e.id = u.primary_entity_id where u.id = ${id} and ${seen}`);
    if (!row) throw new ProductError('not_found');
    return row;
  };
  /** What the audit log says of a person. */
  const told = (u: Row) => ({
    ...{ name: u.name, email: u.email, belongs_to: u.primary_entity.name, job_role: u.role?.name ?? null, user_type: u.type?.name ?? null },
    ...{ trainer: u.is_trainer, started_on: u.started_on, left: u.disabled_at !== null },
  });
  const free = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      throw sqlState(error) === '23505' ? invalid('email', 'This address cannot be used: it may belong to somebody already.') : error;
    });
  /** Refuses what the caller may not change, whom they may not change it of, and what does not fit together. */
  const check = async (tx: Db, actor: Actor, body: Fields, person: Row | null) => {
    const own = person?.id === actor.user.uuid;
    const refuse = (field: string, message: string) => new ProductError('forbidden', { message, fields: { [field]: [message] } });
    for (const field of Object.keys(body) as UserField[])
      if (
        (person || (ofItsOwn.has(field) && body[field])) &&
        !can(actor.user, userFieldNeeds[field]) &&
        !(own && field === 'name' && can(actor.user, 127))
      )
        throw refuse(field, 'You do not have permission to change this.');
    if (own && body.disabled) throw refuse('disabled', 'You cannot deactivate yourself.');
    // One's own address asks for one's password: POST /auth/update-email.
    if (own && body.email !== undefined && body.email !== person.email)
      throw refuse('email', 'Change your own address in your account, with your password.');
    const mine = [...actor.user.permissions.map((p) => p.id), ...personalPermissions];
    // Whoever sets somebody's address can sign in as them; whoever gives a type gives what it allows.
    const guarded = ['email', 'type_id', 'disabled', 'primary_entity_id'] as const;
    const more =
      person && !own && !actor.user.super_admin && guarded.some((f) => body[f] !== undefined)
        ? await tx.one(sql`select 1 as more from users u where u.id = ${person.id} and (u.super_admin or exists (
          select permission_id from type_permissions t where t.type_id = u.type_id
          union select permission_id from entity_permissions x where x.entity_id = u.primary_entity_id
          union select permission_id from user_permissions p where p.user_id = u.id
          except select unnest(${mine}::int[])))`)
        : undefined;
    if (more)
      throw refuse(
        guarded.find((f) => body[f] !== undefined) as string,
        'This person may do things that you may not. Somebody who may has to change this.',
      );
    const entityId = body.primary_entity_id ?? person?.primary_entity.id ?? null;
    if (
      body.primary_entity_id !== undefined &&
      !(await tx.one(sql`select 1 as one from entities e where e.id = ${entityId} and ${visibleEntity(actor)}`))
    )
      throw invalid('primary_entity_id', 'Choose an organisation that you can see.');
    // Belonging somewhere gives what everybody there may do.
    const gains =
      body.primary_entity_id !== undefined && !actor.user.super_admin
        ? await tx.one(
            sql`select 1 as gains from entity_permissions x where x.entity_id = ${entityId} and x.permission_id <> all(${mine}::int[]) limit 1`,
          )
        : undefined;
    if (gains) throw refuse('primary_entity_id', 'Everybody there may do things that you may not. Somebody who may has to change this.');
    const usable = (table: Statement, id: string) =>
      tx.one(sql`select 1 as one from ${table} g where g.id = ${id} and g.entity_id in (select entity_and_above(${entityId}::uuid))`);
    const roleId = body.role_id === undefined ? person?.role?.id : body.role_id;
    if (roleId && !(await usable(sql`roles`, roleId))) throw invalid('role_id', 'This job role is not used there. Choose another one.');
    const typeId = body.type_id === undefined ? person?.type?.id : body.type_id;
    if (typeId && !(await usable(sql`types`, typeId))) throw invalid('type_id', 'This user type is not used there. Choose another one.');
    if (body.type_id && !actor.user.super_admin) {
      const beyond = await tx.one(
        sql`select 1 as beyond from type_permissions t where t.type_id = ${body.type_id} and t.permission_id <> all(${mine}::int[]) limit 1`,
      );
      if (beyond) throw refuse('type_id', 'This user type may do things that you may not. Somebody who may has to give it.');
    }
  };
  const columnOf: Record<Exclude<UserField, 'disabled'>, Statement> = {
    ...{ name: sql`name`, email: sql`email`, primary_entity_id: sql`primary_entity_id`, role_id: sql`role_id`, type_id: sql`type_id` },
    ...{ is_trainer: sql`is_trainer`, started_on: sql`started_on` },
  };
  const write = async (tx: Db, id: string, { disabled, ...fields }: Fields) => {
    const given = (Object.keys(columnOf) as (keyof typeof columnOf)[]).filter((f) => fields[f] !== undefined);
    const sets = given.map((f) => sql`${columnOf[f]} = ${fields[f]}`);
    if (disabled !== undefined) sets.push(disabled ? sql`disabled_at = coalesce(disabled_at, ${now()})` : sql`disabled_at = null`);
    if (sets.length > 0) await tx.run(sql`update users set ${sets.reduce((a, b) => sql`${a}, ${b}`)} where id = ${id}`);
  };
  const sendWelcome = async (person: { id: string; name: string; email: string }) => {
    const token = await newLink(db, person, { purpose: 'reset_password', hours: welcomeHours, now: now() });
    await mail.send({
      to: person.email,
      subject: 'Welcome: choose your password',
      body: `Hello ${person.name},\n\nAn account has been made for you. Open this link to choose your password:\n${config.PUBLIC_URL}/reset-password/${token}\n\nThe link works for ${welcomeHours / 24} days. After that, ask for a new one at ${config.PUBLIC_URL}/forgot-password\n`,
    });
  };
  return {
    listUsers: async ({ query, actor }) => {
      const state = query.state ? (query.state === 'left' ? sql`u.disabled_at is not null` : sql`u.disabled_at is null`) : sql`true`;
      const trainer = query.is_trainer ? sql`u.is_trainer = ${query.is_trainer === '1'}` : sql`true`;
      const where = sql`${listedPerson(actor)} and ${await actingAs(actor, query.actingAs)} and ${contains([sql`u.name`, sql`u.email`], query.search)} and ${trainer} and ${state}`;
      const page = sql`order by u.name, u.id limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`;
      // What a search finds is gathered once, counted and put in order; all of the people are walked in the order of an index.
      const found = query.search
        ? db.one<{ n: number; ids: string[] }>(sql`with u as materialized (select u.id, u.name from users u where ${where})
            select (select count(*)::int from u) as n, array(select u.id from u ${page}) as ids`)
        : undefined;
      const [total, rows] = await Promise.all([
        found
          ? found.then((f) => f?.n ?? 0)
          : db.one<{ n: number }>(sql`select count(*)::int as n from users u where ${where}`).then((r) => r?.n ?? 0),
        (async () => {
          const which = found ? sql`u.id = any(${(await found)?.ids ?? []}::uuid[]) order by u.name, u.id` : sql`${where} ${page}`;
          return db.all<Row>(sql`select ${columns} from users u join entities e on e.id = u.primary_entity_id where ${which}`);
        })(),
      ]);
      return { data: await withCounts(rows), ...pagesOf('/users', query, total) };
    },
    getUser: async ({ params, actor }) => ({ data: (await withCounts([await found(db, params.id, visiblePerson(actor))]))[0] as UserRow }),
    createUser: async ({ body: { send_welcome_email: welcome, ...body }, actor, request }) => {
      const made = await db.tx(async (tx) => {
        await check(tx, actor, body, null);
        const id = randomUUID();
        await free(
          tx.run(sql`insert into users (id, name, email, primary_entity_id, started_on, created_at)
            values (${id}, ${body.name}, ${body.email}, ${body.primary_entity_id}, ${body.started_on ?? now().toISOString().slice(0, 10)}, ${now()})`),
        );
        await write(tx, id, body);
        const row = await found(tx, id, sql`true`);
        const by = { actor, request };
        await noteChange(
          tx,
          by,
          { entityId: row.primary_entity.id, action: 'created', subject: { kind: 'user', id, name: row.name }, after: told(row) },
          now(),
        );
        return row;
      });
      if (welcome) await sendWelcome(made);
      return { data: (await withCounts([made]))[0] as UserRow };
    },
    updateUser: async ({ params, body, actor, request }) => {
      const changed = await db.tx(async (tx) => {
        const before = await found(tx, params.id, visiblePerson(actor));
        await check(tx, actor, body, before);
        await free(write(tx, before.id, body));
        if (body.email !== undefined && body.email !== before.email) {
          await tx.run(sql`update users set email_verified_at = null where id = ${before.id}`);
          await endLinks(tx, before.id, now());
        }
        const after = await found(tx, before.id, sql`true`);
        await noteChange(
          tx,
          { actor, request },
          {
            ...{ entityId: after.primary_entity.id, action: 'updated', subject: { kind: 'user', id: after.id, name: after.name } },
            ...{ before: told(before), after: told(after) },
          },
          now(),
        );
        return after;
      });
      if (body.disabled) await sessions.endAll(changed.id);
      sessions.forgetUser(changed.id);
      return { data: (await withCounts([changed]))[0] as UserRow };
    },
    sendWelcomeEmail: async ({ params, actor }) => {
      const person = await found(db, params.id, visiblePerson(actor));
      if (person.disabled_at !== null) throw invalid('id', 'This person has left.');
      await sendWelcome(person);
      return { data: { message: `We have sent an e-mail to ${person.email}.` } };
    },
    sendWelcomeEmails: async ({ params, actor }) => {
      const entity = await db.one<{ id: string }>(
        sql`select e.id from entities e where (e.slug = ${params.id} or e.id::text = ${params.id}) and ${visibleEntity(actor)}`,
      );
      if (!entity) throw new ProductError('not_found');
      const waiting = await db.all<{ id: string; name: string; email: string }>(
        sql`select id, name, email from users where primary_entity_id = ${entity.id} and password_hash is null and disabled_at is null order by name, id`,
      );
      for (const person of waiting) await sendWelcome(person);
      const sent = waiting.length;
      return {
        data: {
          sent,
          message: sent === 0 ? 'Everybody here has a password already.' : `We have sent ${sent === 1 ? '1 e-mail' : `${sent} e-mails`}.`,
        },
      };
    },
  };
};
