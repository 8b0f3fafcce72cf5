import type { AuditSubject } from '#contract/entities/audit.ts';
import type { HeldPermission } from '#contract/entities/permission.ts';
import { mayHandOn, permissionIdOf, permissionOf, permissions } from '#contract/permissions.ts';
import { existing } from '#server/db/rows.ts';
import { keepingAdministrators, keepingPermissions } from '#server/features/permissions/administrators.service.ts';
import { visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

/** The holder of permissions: an organisation, a user type or a person, and where their permissions are stored. */
type Holder = { id: string; name: string; entity_id: string; kind: AuditSubject; table: Statement; column: Statement };

export const permissionRow = (id: number) => permissions.filter((p) => p.id === id).map((p) => ({ ...p }));
const rowsOf = (ids: readonly number[]) => ids.flatMap(permissionRow);

/** Needed for this page. */
const editPermissions: number = permissionIdOf('permission.update');

/** Where each permission of a person comes from. */
const sourcesOf = async (on: Db, userId: string): Promise<Map<number, HeldPermission['from']>> => {
  const found = await on.one<{ super_admin: boolean; type: number[]; entity: number[]; user: number[] }>(sql`select u.super_admin,
      array(select permission_id from type_permissions p where p.type_id = u.type_id) as type,
      array(select permission_id from entity_permissions p where p.entity_id = u.primary_entity_id) as entity,
      array(select permission_id from user_permissions p where p.user_id = u.id) as user
    from users u where u.id = ${userId}`);
  const all = permissions.map(({ id }) => {
    const from = (['type', 'entity', 'user'] as const).filter((source) => found?.[source].includes(id));
    return [id, found?.super_admin ? (['super_administrator', ...from] as const) : from] as const;
  });
  return new Map(all.flatMap(([id, from]) => (from.length > 0 ? [[id, [...from]]] : [])));
};

/** Who has which permissions: granted to organisations, user types and people; never more than the grantor holds. */
export const permissionsOf = ({ db, now, sessions }: Pick<Services, 'db' | 'now' | 'sessions'>) => {
  type Found = Pick<Holder, 'id' | 'name' | 'entity_id'>;
  const entity = async (on: Db, actor: Actor, slug: string): Promise<Holder> => ({
    ...existing(await on.one<Found>(sql`select e.id, e.name, e.id as entity_id from entities e where e.slug = ${slug} and ${visibleEntity(actor)}`)),
    ...{ kind: 'entity', table: sql`entity_permissions`, column: sql`entity_id` },
  });
  const type = async (on: Db, actor: Actor, id: string): Promise<Holder> => ({
    ...existing(
      await on.one<Found>(
        sql`select t.id, t.name, t.entity_id from types t join entities e on e.id = t.entity_id where t.id = ${id} and ${visibleEntity(actor)}`,
      ),
    ),
    ...{ kind: 'type', table: sql`type_permissions`, column: sql`type_id` },
  });
  const person = async (on: Db, actor: Actor, id: string): Promise<Holder> => ({
    ...existing(
      await on.one<Found>(sql`select u.id, u.name, u.primary_entity_id as entity_id from users u where u.id = ${id} and ${visiblePerson(actor)}`),
    ),
    ...{ kind: 'user', table: sql`user_permissions`, column: sql`user_id` },
  });
  const held = async (on: Db, { table, column, id }: Holder): Promise<number[]> =>
    (await on.all<{ permission_id: number }>(sql`select permission_id from ${table} where ${column} = ${id} order by 1`)).map((r) => r.permission_id);

  const holders = { entity, type, person };
  type Kind = keyof typeof holders;
  /** Grants permissions to an organisation (by its slug), a user type or a person, or revokes them. */
  const change = (by: By, kind: Kind, id: string, slugs: readonly (number | string)[], grant: boolean) => {
    const done = db.tx(async (tx) => {
      const holder = await holders[kind](tx, by.actor, id);
      const named = slugs.map((p) => {
        const permission = permissionOf(p);
        if (!permission) throw invalid('permission_ids', `There is no permission “${p}”.`);
        return permission;
      });
      const ids: number[] = named.map((p) => p.id);
      const beyond = named.filter((p) => !mayHandOn(by.actor.user, p.slug));
      if (beyond.length > 0)
        throw new ProductError('forbidden', {
          message: `You can give and take only permissions that you have. You do not have: ${beyond.map((p) => p.name).join(', ')}.`,
        });
      const before = new Set(await held(tx, holder));
      const changed = ids.filter((id) => before.has(id) !== grant);
      if (grant) await tx.run(sql`insert into ${holder.table} (${holder.column}, permission_id) select ${holder.id}, unnest(${changed}::int[])`);
      else {
        // Somebody who may do less would decide what others above them may do.
        const more = holder.kind === 'type' && permissions.some((p) => before.has(p.id) && !mayHandOn(by.actor.user, p.slug));
        if (more)
          throw new ProductError('forbidden', {
            message: `${holder.name} has permissions that you do not have. Only somebody who has them all can take some away.`,
          });
        const take = async () => {
          await tx.run(sql`delete from ${holder.table} where ${holder.column} = ${holder.id} and permission_id = any(${changed}::int[])`);
          // Nobody can lock themselves out of this page.
          const caller = by.actor.user;
          if (ids.includes(editPermissions) && !caller.super_admin && !(await sourcesOf(tx, caller.uuid)).has(editPermissions))
            throw invalid('permission_ids', 'You would lose this permission yourself. Somebody else who has it can take it from you.');
        };
        const returnable = () => (by.actor.user.super_admin ? take() : keepingPermissions(tx, holder.entity_id, changed, take));
        await keepingAdministrators(tx, holder.entity_id, returnable);
      }
      const fields = { permissions: rowsOf(changed).map((p) => p.name) };
      if (changed.length > 0)
        await noteChange(tx, by, now(), {
          ...{ entityId: holder.entity_id, action: grant ? 'granted' : 'revoked' },
          subject: { kind: holder.kind, id: holder.id, name: holder.name },
          ...(grant ? { after: fields } : { before: fields }),
        });
      return rowsOf(await held(tx, holder));
    });
    // Takes effect at the next request of everybody concerned.
    return done.finally(sessions.forgetAll);
  };

  /** A person's permissions, each with its source. */
  const ofPerson = async (actor: Actor, id: string): Promise<HeldPermission[]> => {
    await person(db, actor, id);
    const sources = await sourcesOf(db, id);
    return permissions.flatMap((p) => (sources.has(p.id) ? [{ ...p, from: sources.get(p.id) ?? [] }] : []));
  };
  return {
    of: async (actor: Actor, kind: Kind, id: string) => rowsOf(await held(db, await holders[kind](db, actor, id))),
    ofPerson,
    change,
    changeOfPerson: async (by: By, id: string, slugs: readonly (number | string)[], grant: boolean) => {
      await change(by, 'person', id, slugs, grant);
      return ofPerson(by.actor, id);
    },
  };
};
