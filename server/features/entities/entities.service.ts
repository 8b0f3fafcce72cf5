import { randomUUID } from 'node:crypto';
import type { createEntity, updateEntity } from '#contract/api/entities.ts';
import type { BodyInput } from '#contract/api/endpoint.ts';
import { type Entity, type EntityField, entityFieldNeeds, type EntityRef, readsEntityNotes } from '#contract/entities/entity.ts';
import { errors } from '#contract/errors.ts';
import { can } from '#contract/can.ts';
import { existing, updateRows } from '#server/db/rows.ts';
import { keepingAdministrators } from '#server/features/permissions/administrators.service.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { hasCourse, visibleEntity } from '#server/db/seen.ts';
import { people, refOf } from '#server/features/entities/entities.rows.ts';
import { hashPassword } from '#server/security/passwords.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** Slugs that would clash with routes. */
const reserved = new Set(['create', 'organisation']);
/** A unique slug made from an organisation's name. It never changes. */
export const newSlug = async (tx: Db, name: string, id: string): Promise<string> => {
  const base =
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 50) || 'organisation';
  const used = await tx.one(sql`select 1 as used from entity_names where slug = ${base}`);
  return used || reserved.has(base) ? `${base}-${id.slice(0, 6)}` : base;
};

type Fields = Partial<BodyInput<typeof updateEntity>>;
type NewEntity = BodyInput<typeof createEntity>;

const columns = (
  actor: Actor,
): Statement => sql`e.id, e.name, e.slug, e.level, e.code, e.is_training_company, e.email, e.telephone, e.website, e.address,
  ${can(actor.user, readsEntityNotes) ? sql`e.notes` : sql`null`} as notes, e.expiry_warning_days as expiry_warning, e.starter_period_days as starter_period,
  e.password_expire_period_in_months, e.password_requirements, e.compromised_passwords, e.time_zone, e.events_reminder, e.email_domains, e.notify_all_standards_selected, e.require_training_record_evidence, e.allow_ms_sign_in, e.allow_google_sign_in,
  ${instant(sql`e.restricted_access_at`)} as restricted_access_at, e.restricted_access_message, e.restricted_access_password_hash is not null as has_access_password,
  coalesce((select json_agg(json_build_object('id', k.id, 'name', k.title) order by k.title, k.id) from entity_focused_courses f join course_titles k on k.id = f.course_id
    where f.entity_id = e.id), '[]') as focused_courses,
  e.popup_link, e.login_popup_alt_name, e.always_show_popup_on_login, ${people} as people, ${instant(sql`e.created_at`)} as created_at,
  (select ${refOf(sql`p`)} from entities p where p.id = e.parent_id) as parent,
  coalesce((select json_agg(${refOf(sql`c`)} order by c.name, c.id) from entities c where c.parent_id = e.id), '[]') as children`;

/** Organisations: read, added and changed. `tx` is a transaction. */
export const entitiesOf = ({ now }: Pick<Services, 'now'>) => {
  /** What the caller sees of an organisation, given by id or slug, and of those above it only those that they see too. */
  const found = async (on: Db, actor: Actor, idOrSlug: string): Promise<Entity> => {
    const entity = existing(
      await on.one<Omit<Entity, 'above'>>(
        sql`select ${columns(actor)} from entities e where (e.slug = ${idOrSlug} or e.id::text = ${idOrSlug}) and ${visibleEntity(actor)}`,
      ),
    );
    const above = await on.all<EntityRef>(sql`with recursive up as (
        select id, parent_id, 0 as depth from entities where id = ${entity.id}
        union all select p.id, p.parent_id, depth + 1 from entities p join up on p.id = up.parent_id)
      select e.id, e.name, e.slug from up join entities e on e.id = up.id where depth > 0 and ${visibleEntity(actor)} order by depth desc`);
    return { ...entity, above, parent: above.at(-1) ?? null };
  };
  /** Refuses fields that the caller may not change, impossible places in the tree, and broken rules. */
  const check = async (tx: Db, actor: Actor, body: Fields, entity: Pick<Entity, 'id' | 'level' | 'parent'> | null) => {
    if (actor.actingAs && body.restricted_access_password !== undefined)
      throw new ProductError('not_while_acting', { fields: { restricted_access_password: [errors.not_while_acting.message] } });
    for (const field of Object.keys(body) as EntityField[])
      if (entity && !can(actor.user, entityFieldNeeds[field]))
        throw new ProductError('forbidden', { fields: { [field]: ['You do not have permission to change this.'] } });
    const above = body.parent_id === undefined ? entity?.parent?.id : body.parent_id;
    if (body.time_zone !== undefined && above) {
      const top = await tx.one<{ time_zone: string }>(sql`select e.time_zone from entity_names e where e.id = ${above}`);
      if (top && top.time_zone !== body.time_zone)
        throw invalid('time_zone', 'One time zone holds for an organisation and all below it: that of the one at the top. Change it there.');
    }
    if (body.parent_id === undefined) return;
    if (body.parent_id === null) {
      if (!actor.seesAll) throw invalid('parent_id', 'Choose the organisation that this one belongs to.');
      return;
    }
    const parent = await tx.one<{ level: string; below: boolean }>(sql`select e.level,
        exists (select 1 from entity_and_above(e.id) a where a = ${entity?.id ?? null}::uuid) as below
      from entities e where e.id = ${body.parent_id} and ${visibleEntity(actor)}`);
    if (!parent) throw invalid('parent_id', 'Choose an organisation that you can see.');
    if (parent.below) throw invalid('parent_id', 'An organisation cannot belong to itself or to one below it.');
    if (parent.level === 'B' && (body.level ?? entity?.level) === 'A')
      throw invalid('parent_id', 'An organisation of level A cannot belong to one of level B.');
  };
  const write = async (tx: Db, id: string, { restricted_access_password: password, focused_courses: focused, ...fields }: Fields) => {
    const { expiry_warning: expiry_warning_days, starter_period: starter_period_days, password_requirements: rules, ...named } = fields;
    const password_requirements = rules && JSON.stringify(rules);
    const restricted_access_password_hash = password && (await hashPassword(password));
    await updateRows(
      tx,
      'entities',
      { ...named, expiry_warning_days, starter_period_days, password_requirements, restricted_access_password_hash },
      sql`id = ${id}`,
    );
    if (!focused) return;
    await tx.run(sql`delete from entity_focused_courses where entity_id = ${id} and course_id <> all(${focused}::uuid[])`);
    const uniqueIds = [...new Set(focused)];
    const had = await tx.all<{
      id: string;
    }>(sql`select k.id from courses k where k.id = any(${uniqueIds}::uuid[]) and ${hasCourse(id)}`);
    if (had.length < uniqueIds.length) throw invalid('focused_courses', 'Choose courses that it has.');
    await tx.run(sql`insert into entity_focused_courses (entity_id, course_id) select ${id}, unnest(${uniqueIds}::uuid[]) on conflict do nothing`);
  };
  /** The fields of an organisation in the audit log: what can be changed, and no secret. */
  const auditFields = ({
    id: _id,
    slug: _slug,
    above: _above,
    children: _children,
    people: _people,
    created_at: _created,
    parent,
    focused_courses: focused,
    ...fields
  }: Entity) => ({
    ...fields,
    parent: parent?.name ?? null,
    focused_courses: focused.map((c) => c.name),
  });

  const create = async (tx: Db, by: By, body: Fields & NewEntity): Promise<Entity> => {
    const { actor } = by;
    await check(tx, actor, body, null);
    const id = randomUUID();
    const slug = await newSlug(tx, body.name, id);
    await tx.run(
      sql`insert into entities (id, name, slug, level, parent_id, created_at) values (${id}, ${body.name}, ${slug}, ${body.level}, ${body.parent_id}, ${now()})`,
    );
    await write(tx, id, body);
    const made = await found(tx, { ...actor, entityIds: [...actor.entityIds, id] }, id);
    await noteChange(tx, by, now(), { entityId: id, action: 'created', subject: { kind: 'entity', id, name: made.name }, after: auditFields(made) });
    return made;
  };
  const update = async (tx: Db, by: By, id: string, body: Fields): Promise<Entity> => {
    const { actor } = by;
    // One change of the tree at a time: two moves that are each valid could form a cycle.
    if (body.parent_id !== undefined) await tx.run(sql`select pg_advisory_xact_lock(hashtext('entities'))`);
    const before = await found(tx, actor, id);
    await check(tx, actor, body, before);
    const children = body.level === 'B' ? await tx.one(sql`select 1 as a from entities where parent_id = ${before.id} and level = 'A'`) : undefined;
    if (children) throw invalid('level', 'Organisations of level A belong to this one; it has to be of level A too.');
    const writing = () => write(tx, before.id, body);
    // Those above it administer it, too.
    if (body.parent_id === undefined || body.parent_id === before.parent?.id) await writing();
    else {
      if (body.parent_id) await tx.one(sql`select lock_administrators(${body.parent_id})`);
      await keepingAdministrators(tx, before.id, writing);
    }
    const after = await found(tx, actor, before.id);
    const password = body.restricted_access_password;
    await noteChange(tx, by, now(), {
      ...{ entityId: before.id, action: 'updated', subject: { kind: 'entity', id: before.id, name: after.name } },
      before: auditFields(before),
      after: { ...auditFields(after), ...(password ? { access_password: 'changed' } : {}) },
    });
    return after;
  };
  return { found, create, update };
};

/** Adds and changes organisations in a transaction of its own. */
export const entityChanges = ({ db, now, sessions }: Pick<Services, 'db' | 'now' | 'sessions'>) => {
  const { create, update } = entitiesOf({ now });
  // People who see the organisations below get the change at their next request.
  return {
    create: (by: By, body: Parameters<typeof create>[2]) => db.tx((tx) => create(tx, by, body)).finally(sessions.forgetAll),
    update: (by: By, id: string, body: Fields) => db.tx((tx) => update(tx, by, id, body)).finally(sessions.forgetAll),
  };
};
