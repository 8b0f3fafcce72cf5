import { randomUUID } from 'node:crypto';
import type { Role, RoleDetails, UserType } from '#contract/entities/group.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { entityAndBelow, entityAt, visibleEntity } from '#server/db/seen.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

type Group = Role | UserType;

/** Where job roles and user types differ. Everything else about them is the same. */
const kinds = {
  role: {
    table: sql`roles`,
    held: (id: Statement) => sql`u.id in (select h.user_id from held_roles h where h.role_id = ${id})`,
    one: 'job role',
    more: sql`g.inspectable, (select count(*)::int from compliance k where k.role_id = g.id and k.given) as courses`,
  },
  type: {
    table: sql`types`,
    held: (id: Statement) => sql`u.type_id = ${id}`,
    one: 'user type',
    more: sql`array(select permission_id from type_permissions p where p.type_id = g.id order by 1) as permissions`,
  },
} as const;

/** Groups of people of one kind: an organisation uses its own and those of the organisations above it. */
export const groupsOf = <G extends Group>(kind: keyof typeof kinds, { now }: Pick<Services, 'now'>) => {
  const { table, held, one, more } = kinds[kind];
  const list = async (on: Db, actor: Actor, entityId: string, which: Statement = sql`true`): Promise<G[]> =>
    on.all<G>(sql`select g.id, g.name, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, ${visibleEntity(actor)} as editable, ${more},
        (select count(*)::int from users u where ${held(sql`g.id`)} and u.disabled_at is null and u.primary_entity_id in (${entityAndBelow(sql`e.id = ${entityId}`)})) as people
      from ${table} g join entities e on e.id = g.entity_id
      where g.entity_id in (select entity_and_above(${entityId})) and ${which} order by lower(g.name), g.id`);
  const only = async (on: Db, actor: Actor, entityId: string, id: string): Promise<G> =>
    existing((await list(on, actor, entityId, sql`g.id = ${id}`))[0]);
  /** Only its own organisation changes it: one from above, which the caller cannot see, is used and not changed. */
  const ownGroup = async (tx: Db, actor: Actor, entityId: string, id: string): Promise<G> => {
    const group = await only(tx, actor, entityId, id);
    if (!group.editable) throw new ProductError('forbidden', { message: `${group.entity.name} created this ${one}, and only they can change it.` });
    return group;
  };
  const free = async (tx: Db, entityId: string, name: string, except: string | null) => {
    const duplicate = await tx.one(
      sql`select 1 as taken from ${table} g where g.entity_id in (select entity_and_above(${entityId})) and lower(g.name) = lower(${name}) and g.id is distinct from ${except}::uuid`,
    );
    if (duplicate) throw invalid('name', `There is a ${one} of this name already.`);
  };
  const note = (tx: Db, by: By, action: 'created' | 'updated' | 'deleted', group: G, more: { before?: object; after?: object }) =>
    noteChange(tx, by, now(), { entityId: group.entity.id, action, subject: { kind, id: group.id, name: group.name }, ...(more as object) });

  return {
    list: async (on: Db, actor: Actor, slug: string) => list(on, actor, (await entityAt(on, actor, slug)).id),
    get: async (on: Db, actor: Actor, slug: string, id: string) => only(on, actor, (await entityAt(on, actor, slug)).id, id),
    create: async (tx: Db, by: By, slug: string, { name, ...fields }: { name: string; inspectable?: boolean }): Promise<G> => {
      const entity = await entityAt(tx, by.actor, slug);
      await free(tx, entity.id, name, null);
      const id = randomUUID();
      await tx.run(sql`insert into ${table} (id, entity_id, name) values (${id}, ${entity.id}, ${name})`);
      if (fields.inspectable !== undefined) await tx.run(sql`update roles set inspectable = ${fields.inspectable} where id = ${id}`);
      const group = await only(tx, by.actor, entity.id, id);
      await note(tx, by, 'created', group, { after: { name, ...fields } });
      return group;
    },
    update: async (
      tx: Db,
      by: By,
      slug: string,
      id: string,
      { name, ...fields }: { name?: string | undefined; inspectable?: boolean | undefined },
    ): Promise<G> => {
      const entity = await entityAt(tx, by.actor, slug);
      const before = await ownGroup(tx, by.actor, entity.id, id);
      if (name !== undefined) {
        await free(tx, before.entity.id, name, id);
        await tx.run(sql`update ${table} set name = ${name} where id = ${id}`);
      }
      if (fields.inspectable !== undefined) await tx.run(sql`update roles set inspectable = ${fields.inspectable} where id = ${id}`);
      const after = await only(tx, by.actor, entity.id, id);
      const auditFields = ({ name, ...g }: G) => ({ name, ...('inspectable' in g ? { inspectable: g.inspectable } : {}) });
      await note(tx, by, 'updated', after, { before: auditFields(before), after: auditFields(after) });
      return after;
    },
    remove: async (tx: Db, by: By, slug: string, id: string): Promise<void> => {
      const group = await ownGroup(tx, by.actor, (await entityAt(tx, by.actor, slug)).id, id);
      // Everybody who has it, anywhere, including leavers: they may come back.
      const used = (await tx.one<{ n: number }>(sql`select count(*)::int as n from users u where ${held(sql`${id}`)}`))?.n ?? 0;
      if (used > 0)
        throw new ProductError('in_use', {
          message: `${used === 1 ? '1 person has' : `${used} people have`} this ${one}. Give them another one first.`,
        });
      if (kind === 'role') await tx.run(sql`delete from compliance where role_id = ${id}`);
      await tx.run(sql`delete from ${table} where id = ${id}`);
      await note(tx, by, 'deleted', group, { before: { name: group.name } });
    },
  };
};

/** The courses required by a job role. */
export const requiredOf = (on: Db, roleId: string): Promise<RoleDetails['required']> =>
  on.all(
    sql`select c.id, c.title, k.type from compliance k join course_titles c on c.id = k.course_id where k.role_id = ${roleId} and k.given order by c.title, c.id`,
  );
