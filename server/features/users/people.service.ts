import { randomUUID } from 'node:crypto';
import { dayIn } from '#contract/rules/days.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { createUser, updateUser } from '#contract/api/users.ts';
import { type UserField, userFieldNeeds } from '#contract/entities/user.ts';
import { can } from '#contract/can.ts';
import { permissionIdOf, personalPermissions } from '#contract/permissions.ts';
import { insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, type Statement, sql, sqlState } from '#server/db/sql.ts';
import { administers, keepingAdministrators } from '#server/features/permissions/administrators.service.ts';
import { endLinks } from '#server/features/account/links.service.ts';
import { type By, type Noted, noteChange } from '#server/note-change.ts';
import { visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { addressInUse } from '#server/features/users/addresses-in-use.service.ts';
import { type PersonRow, personOf } from '#server/features/users/users.rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';

type Fields = BodyOf<typeof updateUser>;
/** Set when a person is added; changing these later needs a permission of its own. */
const ofItsOwn: ReadonlySet<string> = new Set(['role_id', 'more_role_ids', 'type_id', 'is_trainer'] satisfies UserField[]);

type Made = Omit<BodyOf<typeof createUser>, 'send_welcome_email'>;

/** Writes a change of a person into the audit log. */
export const notePerson = (tx: Db, by: By, { id, name, primary_entity: { id: entityId } }: PersonRow, change: Noted, now: Date) =>
  noteChange(tx, by, now, { entityId, subject: { kind: 'user', id, name }, ...change });

/** Whether somebody may do things that the caller may not: the caller could gain those by letting someone sign in as them. */
export const mayDoMore = async (tx: Db, actor: Actor, personId: string): Promise<boolean> => {
  if (actor.user.super_admin) return false;
  const more = await tx.one(sql`select 1 as more from users u where u.id = ${personId} and (u.super_admin or exists (
    select permission_id from type_permissions t where t.type_id = u.type_id
    union select permission_id from entity_permissions x where x.entity_id = u.primary_entity_id
    union select permission_id from user_permissions p where p.user_id = u.id
    except select unnest(${heldBy(actor)}::int[])))`);
  return more !== undefined;
};
const heldBy = (actor: Actor): number[] => [...actor.user.permissions.map((p) => p.id), ...personalPermissions.map(permissionIdOf)];

/** Adds and changes people, inside a transaction: checks what the caller may do, and records what was done. */
export const peopleWriter = (now: () => Date) => {
  /** The fields of a person in the audit log. */
  const auditFields = (u: PersonRow) => ({
    ...{
      name: u.name,
      email: u.email,
      belongs_to: u.primary_entity.name,
      job_role: u.role?.name ?? null,
      more_job_roles: u.more_roles.map((r) => r.name).join(', ') || null,
      user_type: u.type?.name ?? null,
    },
    ...{ trainer: u.is_trainer, started_on: u.started_on, left: u.disabled_at !== null },
    ...{ leave_from: u.leave_from ?? null, leave_until: u.leave_until ?? null },
  });
  const free = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      throw sqlState(error) === '23505' ? invalid('email', addressInUse) : error;
    });
  /** Refuses fields that the caller may not change, people whom they may not change, and inconsistent values. */
  const check = async (tx: Db, actor: Actor, body: Fields, person: PersonRow | null) => {
    const isSelf = person?.id === actor.user.uuid;
    const refuse = (field: string, message: string) => new ProductError('forbidden', { message, fields: { [field]: [message] } });
    for (const field of Object.keys(body) as UserField[])
      if (
        (person || (ofItsOwn.has(field) && body[field])) &&
        !can(actor.user, userFieldNeeds[field]) &&
        !(isSelf && field === 'name' && can(actor.user, 'user.self_update'))
      )
        throw refuse(field, 'You do not have permission to change this.');
    if (isSelf && body.disabled) throw refuse('disabled', 'You cannot deactivate yourself.');
    // Changing one's own address requires the password: POST /auth/update-email.
    if (isSelf && body.email !== undefined && body.email !== person.email)
      throw refuse('email', 'Change your own address in your account, with your password.');
    const [leaves, returns] = [body.leave_from, body.leave_until].map((day, i) =>
      day === undefined ? ((i === 0 ? person?.leave_from : person?.leave_until) ?? null) : day,
    );
    if (returns && !leaves) throw invalid('leave_from', 'Enter the first day.');
    if (returns && leaves && returns < leaves) throw invalid('leave_until', 'The last day is before the first.');
    const ownPermissions = heldBy(actor);
    // Setting somebody's address allows signing in as them; setting a type grants its permissions.
    const guarded = ['email', 'type_id', 'disabled', 'primary_entity_id'] as const;
    const more = person && !isSelf && guarded.some((f) => body[f] !== undefined) && (await mayDoMore(tx, actor, person.id));
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
    // Belonging to an organisation grants what everybody there may do.
    const gains =
      body.primary_entity_id !== undefined && !actor.user.super_admin
        ? await tx.one(
            sql`select 1 as gains from entity_permissions x where x.entity_id = ${entityId} and x.permission_id <> all(${ownPermissions}::int[]) limit 1`,
          )
        : undefined;
    if (gains) throw refuse('primary_entity_id', 'Everybody there may do things that you may not. Somebody who may has to change this.');
    const usable = (table: Statement, id: string) =>
      tx.one(sql`select 1 as one from ${table} g where g.id = ${id} and g.entity_id in (select entity_and_above(${entityId}::uuid))`);
    const roleId = body.role_id === undefined ? person?.role?.id : body.role_id;
    if (roleId && !(await usable(sql`roles`, roleId))) throw invalid('role_id', 'This job role is not used there. Choose another one.');
    const moreIds = body.more_role_ids ?? person?.more_roles.map((r) => r.id) ?? [];
    for (const id of moreIds)
      if (!(await usable(sql`roles`, id))) throw invalid('more_role_ids', 'One of these job roles is not used there. Remove it.');
    const typeId = body.type_id === undefined ? person?.type?.id : body.type_id;
    if (typeId && !(await usable(sql`types`, typeId))) throw invalid('type_id', 'This user type is not used there. Choose another one.');
    if (body.type_id && !actor.user.super_admin) {
      const beyond = await tx.one(
        sql`select 1 as beyond from type_permissions t where t.type_id = ${body.type_id} and t.permission_id <> all(${ownPermissions}::int[]) limit 1`,
      );
      if (beyond) throw refuse('type_id', 'This user type may do things that you may not. Somebody who may has to give it.');
    }
  };
  const write = async (tx: Db, id: string, { disabled, more_role_ids: more, ...fields }: Fields) => {
    const { name, email, primary_entity_id, role_id, type_id, is_trainer, started_on, leave_from, leave_until } = fields;
    const disabled_at = disabled ? sql`coalesce(disabled_at, ${now()})` : disabled === undefined ? undefined : null;
    await updateRows(
      tx,
      'users',
      { name, email, primary_entity_id, role_id, type_id, is_trainer, started_on, leave_from, leave_until, disabled_at },
      sql`id = ${id}`,
    );
    if (more) {
      await tx.run(sql`delete from user_roles where user_id = ${id}`);
      await tx.run(sql`insert into user_roles (user_id, role_id) select ${id}, unnest(${[...new Set(more)]}::uuid[])`);
    }
    // The primary job role is not repeated among the others.
    if (more || fields.role_id)
      await tx.run(sql`delete from user_roles h using users u where u.id = h.user_id and u.id = ${id} and h.role_id = u.role_id`);
  };
  return {
    create: async (tx: Db, by: By, body: Made): Promise<PersonRow> => {
      await check(tx, by.actor, body, null);
      const id = randomUUID();
      const { name, email, primary_entity_id } = body;
      await free(
        tx.run(
          insertRow('users', {
            id,
            name,
            email,
            primary_entity_id,
            started_on: body.started_on ?? dayIn(now(), by.actor.user.time_zone),
            created_at: now(),
          }),
        ),
      );
      await write(tx, id, body);
      const row = await personOf(tx, id, sql`true`);
      await notePerson(tx, by, row, { action: 'created', after: auditFields(row) }, now());
      return row;
    },
    update: async (tx: Db, by: By, id: string, body: Fields): Promise<PersonRow> => {
      const before = await personOf(tx, id, visiblePerson(by.actor));
      await check(tx, by.actor, body, before);
      const writing = () => free(write(tx, before.id, body));
      const takes = body.disabled || body.type_id !== undefined || body.primary_entity_id !== undefined;
      if (takes && (await administers(tx, before.id))) await keepingAdministrators(tx, before.primary_entity.id, writing);
      else await writing();
      if (body.email !== undefined && body.email !== before.email) {
        await tx.run(sql`update users set email_verified_at = null where id = ${before.id}`);
        await endLinks(tx, before.id, now());
      }
      const after = await personOf(tx, before.id, sql`true`);
      await notePerson(tx, by, after, { action: 'updated', before: auditFields(before), after: auditFields(after) }, now());
      return after;
    },
  };
};
