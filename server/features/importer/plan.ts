import * as z from 'zod/mini';
import { bulkTypes } from '#contract/entities/bulk-event.ts';
import { entityFields } from '#contract/entities/entity.ts';
import { Name } from '#contract/entities/fields.ts';
import { fieldsOf, type ImportAction, type ImportKind, type ImportMapping, type ImportProblem } from '#contract/entities/import.ts';
import { userFields } from '#contract/entities/user.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { dayIn } from '#contract/rules/days.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { hasCourse, visibleEntity, visiblePerson } from '#server/db/seen.ts';
import { dayOf, plainName, yesOrNo } from '#server/features/importer/cell-values.ts';
import type { Table } from '#server/features/importer/read-table.ts';
import { inSlices } from '#server/features/importer/in-slices.ts';
import { type PlaceInTree, placesInTree, roundTheRing } from '#server/features/importer/places-in-tree.ts';
import type { Actor } from '#server/actor.ts';

/** The plan for a row. `values` are the values to write, by the contract's field names; `place` is its position in the order. */
export type PlannedRow = {
  no: number;
  place: number;
  name: string;
  action: ImportAction;
  subjectId: string | null;
  values: Record<string, unknown>;
  problems: ImportProblem[];
};
export type PlanOptions = { update_existing: boolean; send_welcome_email: boolean };

/** Maps fields to columns by name. No column is used twice. */
export const guessedMapping = (kind: ImportKind, columns: readonly string[]): ImportMapping => {
  const names = columns.map(plainName);
  const usedColumns = new Set<number>();
  const mapping: ImportMapping = {};
  for (const [field, { guesses }] of Object.entries(fieldsOf(kind))) {
    const columnIndex = guesses.map((guess) => names.findIndex((name, i) => name === guess && !usedColumns.has(i))).find((i) => i >= 0);
    if (columnIndex === undefined) continue;
    usedColumns.add(columnIndex);
    mapping[field] = columnIndex;
  }
  // A column of full names is not needed if there are first and last names.
  if (mapping.first_name !== undefined && mapping.last_name !== undefined) delete mapping.name;
  return mapping;
};

type Cells = (field: string) => string | undefined;
type Note = (field: string | null, problem: string, remedy: string) => void;
type Row = { no: number; get: Cells; has: (field: string) => boolean; note: Note; problems: ImportProblem[] };

const duplicateRemedy = 'Remove one of the two rows.';
/** Validates a field against the contract and records its error message as a problem. */
const checked = <S extends z.ZodMiniType>(row: Row, field: string, schema: S, value: unknown): z.output<S> | undefined => {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const text = row.get(field);
  row.note(field, text ? `“${cutText(text, 80)}” is not a valid value.` : 'This cell is empty.', read.error.issues[0]?.message ?? 'Correct it.');
  return undefined;
};
const flag = (row: Row, field: string): boolean | undefined => {
  const text = row.get(field);
  if (!text) return undefined;
  const value = yesOrNo(text);
  if (value === undefined) row.note(field, `“${cutText(text, 80)}” is not yes or no.`, 'Enter yes or no.');
  return value;
};
const found = <T>(row: Row, field: string, what: string, among: ReadonlyMap<string, T | null>): T | undefined => {
  const text = row.get(field);
  if (!text) return undefined;
  const hit = among.get(text.toLowerCase());
  if (hit === null) row.note(field, `There is more than one with the name “${cutText(text, 80)}”.`, 'Enter its code or slug instead.');
  else if (hit === undefined) row.note(field, `There is no ${what} “${cutText(text, 80)}” here.`, 'Correct the name, or add it first.');
  return hit ?? undefined;
};
/** Looks up records by name; null if a name is ambiguous. */
const index = <T>(things: readonly T[], namesOf: (thing: T) => (string | null)[]): Map<string, T | null> => {
  const map = new Map<string, T | null>();
  for (const thing of things)
    for (const name of namesOf(thing)) {
      const key = name?.toLowerCase();
      if (key) map.set(key, map.has(key) && map.get(key) !== thing ? null : thing);
    }
  return map;
};
const differs = (before: Record<string, unknown>, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== undefined && before[field] !== value));

type Known = {
  entities: { id: string; name: string; slug: string; code: string | null; parent_id: string | null; above: string[] }[];
  entityByName: Map<string, Known['entities'][number] | null>;
};
const knownEntities = async (db: Db, actor: Actor): Promise<Known> => {
  const entities = await db.all<Known['entities'][number]>(
    sql`select e.id, e.name, e.slug, e.code, e.parent_id, array(select a::text from entity_and_above(e.id) a) as above from entities e where ${visibleEntity(actor)}`,
  );
  return { entities, entityByName: index(entities, (e) => [e.slug, e.code, e.name]) };
};

type Planner = (
  rows: Row[],
  on: { db: Db; actor: Actor; entity: { id: string; name: string }; options: PlanOptions; now: Date },
) => Promise<PlannedRow[]>;
const ended = (row: Row, name: string, action: ImportAction, subjectId: string | null, values: Record<string, unknown>): PlannedRow => ({
  ...{ no: row.no, place: row.no, name: name || `Row ${row.no}`, subjectId, values, problems: row.problems },
  action: row.problems.length > 0 ? 'refused' : action,
});

const planPeople: Planner = async (rows, { db, actor, entity, options }) => {
  const { entities, entityByName } = await knownEntities(db, actor);
  const emails = rows.map((r) => (r.get('email') ?? '').toLowerCase()).filter(Boolean);
  type Person = {
    id: string;
    email: string;
    name: string;
    primary_entity_id: string;
    role_id: string | null;
    type_id: string | null;
    is_trainer: boolean;
    started_on: string;
    left: boolean;
  };
  const people = new Map(
    (
      await db.all<Person>(sql`select u.id, lower(u.email) as email, u.name, u.primary_entity_id, u.role_id, u.type_id, u.is_trainer, u.started_on,
        u.disabled_at is not null as left from users u where ${visiblePerson(actor)} and lower(u.email) = any(${emails}::text[])`)
    ).map((p) => [p.email, p]),
  );
  // Addresses in other organisations are not checked, because a plan could then reveal any number of them.
  type Group = { id: string; name: string; entity_id: string };
  const [roles, types] = await Promise.all(
    [sql`roles`, sql`types`].map(async (table) => {
      const byPlace = new Map<string, Group[]>();
      for (const g of await db.all<Group>(sql`select id, name, entity_id from ${table}`))
        byPlace.set(g.entity_id, [...(byPlace.get(g.entity_id) ?? []), g]);
      return byPlace;
    }),
  );
  const aboveOf = new Map(entities.map((e) => [e.id, e.above]));
  const groupsAt = new Map<string, Map<string, Group | null>>();
  /** The job roles or user types available to an organisation, by name; its own take precedence over inherited ones. */
  const used = (groups: Map<string, Group[]> | undefined, kind: string, placeId: string) => {
    const key = `${kind}:${placeId}`;
    const cached = groupsAt.get(key);
    if (cached) return cached;
    const byName = new Map<string, Group | null>();
    for (const id of aboveOf.get(placeId) ?? [])
      for (const g of groups?.get(id) ?? []) if (!byName.has(g.name.toLowerCase())) byName.set(g.name.toLowerCase(), g);
    groupsAt.set(key, byName);
    return byName;
  };
  const seen = new Map<string, number>();
  return inSlices(rows, (row) => {
    const email = checked(row, 'email', userFields.email, row.get('email') ?? '');
    const wholeName = row.get('name') ?? [row.get('first_name'), row.get('last_name')].filter(Boolean).join(' ');
    const twice = email && seen.get(email);
    if (twice) row.note('email', `Row ${twice} has the same e-mail address.`, duplicateRemedy);
    else if (email) seen.set(email, row.no);
    const person = email ? people.get(email) : undefined;
    const [leaver, suspended] = [flag(row, 'left'), flag(row, 'suspended')];
    const left = leaver === undefined && suspended === undefined ? undefined : leaver === true || suspended === true;
    const namedPlace = row.get('organisation') ? found(row, 'organisation', 'organisation', entityByName) : undefined;
    const placeId = namedPlace?.id ?? person?.primary_entity_id ?? entity.id;
    const trainer = flag(row, 'is_trainer');
    const day = row.get('started_on');
    const started = day ? dayOf(day) : undefined;
    if (day && !started) row.note('started_on', `“${cutText(day, 40)}” is not a valid date.`, 'Enter it as 2026-11-30 or 30/11/2026.');
    const role = found(row, 'role', 'job role', used(roles, 'role', placeId));
    const type = found(row, 'type', 'user type', used(types, 'type', placeId));
    const name = person && !wholeName ? person.name : checked(row, row.has('name') ? 'name' : 'first_name', userFields.name, wholeName);
    const values = {
      ...{ name, primary_entity_id: namedPlace?.id, role_id: role?.id, type_id: type?.id, is_trainer: trainer, started_on: started },
    };
    const shown = name ?? wholeName;
    if (!person) {
      if (left) return ended(row, shown, 'skip', null, {});
      const made = Object.fromEntries(
        Object.entries({ ...values, email, primary_entity_id: placeId }).filter(([, v]) => v !== undefined && v !== false),
      );
      return ended(row, shown, 'create', null, made);
    }
    if (!options.update_existing) return ended(row, shown, 'same', person.id, {});
    const changes = differs(person, values);
    if (left !== undefined && left !== person.left)
      return ended(row, shown, left ? 'deactivate' : 'restore', person.id, { ...changes, disabled: left });
    return ended(row, shown, Object.keys(changes).length > 0 ? 'update' : 'same', person.id, changes);
  });
};

/** The maximum number of rows named in a circular reference. */
const rowsNamed = 20;
const ringInWords = (ring: NonNullable<PlaceInTree<Row>['ring']>): string => {
  const numbers = roundTheRing(ring, rowsNamed).map((row) => String(row.no));
  return (ring.members.length > rowsNamed ? numbers.toSpliced(-1, 0, '…') : numbers).join(' → ');
};

const planOrganisations: Planner = async (rows, { db, actor, entity, options }) => {
  const { entities, entityByName } = await knownEntities(db, actor);
  const whole = new Map(
    (
      await db.all<Record<string, unknown> & { id: string }>(
        sql`select e.id, e.name, e.code, e.level, e.parent_id, e.email, e.telephone, e.website, e.address, e.is_training_company from entities e where e.id = any(${entities.map((e) => e.id)}::uuid[])`,
      )
    ).map((e) => [e.id, e]),
  );
  // Indexes each row by the names that other rows may use for it.
  const inTable = new Map<string, Row | null>();
  const seen = new Map<string, number>();
  for (const row of rows)
    for (const key of new Set([row.get('code'), row.get('name')].flatMap((t) => (t ? [t.toLowerCase()] : []))))
      inTable.set(key, inTable.has(key) ? null : row);
  const parentRow = (row: Row) => {
    const text = row.get('parent')?.toLowerCase();
    return text ? (inTable.get(text) ?? undefined) : undefined;
  };
  const placeOf = placesInTree(rows, parentRow);
  return inSlices(rows, (row) => {
    const code = row.get('code');
    const known =
      (code ? entityByName.get(code.toLowerCase()) : undefined) ??
      (row.get('name') ? entityByName.get((row.get('name') as string).toLowerCase()) : undefined);
    if (known === null) row.note(code ? 'code' : 'name', 'Several organisations have this name.', 'Enter the code of each.');
    const name = checked(row, 'name', Name, row.get('name') ?? '');
    const key = (code ?? row.get('name') ?? '').toLowerCase();
    const twice = key ? seen.get(key) : undefined;
    if (twice) row.note(code ? 'code' : 'name', `Row ${twice} has the same ${code ? 'code' : 'name'}.`, duplicateRemedy);
    else if (key) seen.set(key, row.no);
    const above = parentRow(row);
    const { depth, ring } = placeOf(row);
    if (ring) row.note('parent', `The organisation would belong to itself: rows ${ringInWords(ring)}.`, 'Correct one of these rows.');
    const parentText = row.get('parent');
    const parent = parentText && !above ? found(row, 'parent', 'organisation', entityByName) : undefined;
    const text = (field: keyof typeof entityFields & string) =>
      row.get(field) ? checked(row, field, entityFields[field] as z.ZodMiniType, row.get(field)) : undefined;
    const level = row.get('level') ? checked(row, 'level', entityFields.level, (row.get('level') as string).toUpperCase()) : undefined;
    const fields = {
      ...{ name, code: text('code'), level, email: text('email'), telephone: text('telephone'), website: text('website'), address: text('address') },
      is_training_company: flag(row, 'is_training_company'),
    };
    const place = { parent_ref: above ? (parentText as string) : undefined, parent_id: above ? undefined : parent?.id };
    const shown = name ?? row.get('name') ?? '';
    const deleted = flag(row, 'deleted');
    if (deleted && known)
      row.note(
        'deleted',
        'This organisation exists, but the table marks it as deleted.',
        'Delete it on its own page if that is right: an import never does.',
      );
    const planned = (): PlannedRow => {
      const before = known ? whole.get(known.id) : undefined;
      if (deleted) return ended(row, shown, 'skip', known?.id ?? null, {});
      if (!before || !known) {
        const made = { level: 'B', ...Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)) };
        return ended(row, shown, 'create', null, {
          ...made,
          ...(place.parent_ref ? { parent_ref: place.parent_ref } : { parent_id: place.parent_id ?? entity.id }),
        });
      }
      if (!options.update_existing) return ended(row, shown, 'same', known.id, {});
      const changes: Record<string, unknown> = differs(before, { ...fields, parent_id: place.parent_id });
      const aboveKnown = place.parent_ref ? entityByName.get(place.parent_ref.toLowerCase()) : undefined;
      if (place.parent_ref && aboveKnown?.id !== before.parent_id) changes.parent_ref = place.parent_ref;
      return ended(row, shown, Object.keys(changes).length > 0 ? 'update' : 'same', known.id, changes);
    };
    return { ...planned(), place: depth * 1_000_000 + row.no };
  });
};

const planRoles: Planner = async (rows, { db, entity, options }) => {
  const existingRoles = await db.all<{ id: string; name: string; inspectable: boolean; own: boolean }>(
    sql`select g.id, g.name, g.inspectable, g.entity_id = ${entity.id} as own from roles g where g.entity_id in (select entity_and_above(${entity.id}))`,
  );
  const byName = index(existingRoles, (r) => [r.name]);
  const seen = new Map<string, number>();
  return inSlices(rows, (row) => {
    const name = checked(row, 'name', Name, row.get('name') ?? '');
    const twice = name && seen.get(name.toLowerCase());
    if (twice) row.note('name', `Row ${twice} has the same name.`, duplicateRemedy);
    else if (name) seen.set(name.toLowerCase(), row.no);
    const known = name ? byName.get(name.toLowerCase()) : undefined;
    const inspectable = flag(row, 'inspectable');
    if (!known) return ended(row, name ?? '', 'create', null, { name, ...(inspectable === undefined ? {} : { inspectable }) });
    const changes = known.own && options.update_existing ? differs(known, { inspectable }) : {};
    return ended(row, known.name, Object.keys(changes).length > 0 ? 'update' : 'same', known.id, changes);
  });
};

const Months = z
  .number()
  .check(z.int('Enter a whole number of months.'), z.gte(1, 'Enter at least 1 month.'), z.lte(120, 'Enter no more than 120 months.'));
const planCourses: Planner = async (rows, { db, entity, options }) => {
  const existingCourses = await db.all<{ id: string; title: string; short_title: string; renewal_months: number | null; published: boolean }>(
    sql`select id, title, short_title, renewal_months, published from courses where entity_id = ${entity.id}`,
  );
  const byTitle = index(existingCourses, (c) => [c.title]);
  const seen = new Map<string, number>();
  return inSlices(rows, (row) => {
    const title = checked(row, 'title', Name, row.get('title') ?? '');
    const twice = title && seen.get(title.toLowerCase());
    if (twice) row.note('title', `Row ${twice} has the same title.`, duplicateRemedy);
    else if (title) seen.set(title.toLowerCase(), row.no);
    const known = title ? byTitle.get(title.toLowerCase()) : undefined;
    if (known === null) row.note('title', 'Several courses have this title.', 'Give each course a different title first.');
    const short_title = row.get('short_title') ? checked(row, 'short_title', Name, row.get('short_title')) : undefined;
    const months = row.get('renewal_months');
    const renewal_months = months ? checked(row, 'renewal_months', Months, Number(months)) : undefined;
    const published = flag(row, 'published');
    if (!known)
      return ended(row, title ?? '', 'create', null, {
        title,
        short_title: short_title ?? title,
        renewal_months: renewal_months ?? null,
        published: published ?? false,
      });
    const changes = options.update_existing ? differs(known, { short_title, renewal_months, published }) : {};
    return ended(row, known.title, Object.keys(changes).length > 0 ? 'update' : 'same', known.id, changes);
  });
};

/** The maximum number of people in one event, so that it stays easy to review and undo. */
const peopleInEvent = 200;
/** Past training: who completed which course, and when. Rows with the same course, date and type become one recorded event. */
const planTraining: Planner = async (rows, { db, actor, entity, now }) => {
  const emails = rows.map((r) => (r.get('email') ?? '').toLowerCase()).filter(Boolean);
  type Person = { id: string; email: string; name: string };
  const people = new Map(
    (
      await db.all<Person>(
        sql`select u.id, lower(u.email) as email, u.name from users u where ${visiblePerson(actor)} and lower(u.email) = any(${emails}::text[])`,
      )
    ).map((p) => [p.email, p]),
  );
  const courses = index(
    await db.all<{ id: string; title: string; short_title: string }>(
      sql`select k.id, k.title, k.short_title from courses k where ${hasCourse(entity.id)}`,
    ),
    (c) => [c.title, c.short_title],
  );
  const recorded = new Set(
    (
      await db.all<{ user_id: string; course_id: string; day: string }>(
        sql`select r.user_id, r.course_id, (r.completed_at at time zone h.time_zone)::date::text as day from current_results r join users u on u.id = r.user_id
          join entity_names h on h.id = u.primary_entity_id where r.user_id = any(${[...people.values()].map((p) => p.id)}::uuid[])`,
      )
    ).map((r) => `${r.user_id} ${r.course_id} ${r.day}`),
  );
  const today = dayIn(now, actor.user.time_zone);
  const seen = new Map<string, number>();
  const inEvent = new Map<string, number>();
  return inSlices(rows, (row) => {
    const email = checked(row, 'email', userFields.email, row.get('email') ?? '');
    const person = email ? people.get(email) : undefined;
    if (email && !person) row.note('email', 'Nobody has this e-mail address.', 'Import the people first, or correct the address.');
    const text = row.get('course');
    if (!text) row.note('course', 'This cell is empty.', 'Enter the title of the course.');
    const course = found(row, 'course', 'course', courses);
    const written = row.get('completed_on');
    const day = written ? dayOf(written) : undefined;
    if (!day)
      row.note(
        'completed_on',
        written ? `“${cutText(written, 40)}” is not a valid date.` : 'This cell is empty.',
        'Enter it as 2026-11-30 or 30/11/2026.',
      );
    else if (day > today) row.note('completed_on', 'This date is in the future.', 'Enter the date of completion.');
    const kind = checked(row, 'type', z.enum(bulkTypes, 'Enter face2face, historical or exempt.'), (row.get('type') ?? 'historical').toLowerCase());
    const shown = `${person?.name ?? email ?? ''}${course ? `: ${course.title}` : ''}`;
    const key = person && course && day ? `${person.id} ${course.id} ${day}` : null;
    const twice = key ? seen.get(key) : undefined;
    if (twice) row.note(null, `Row ${twice} is the same.`, duplicateRemedy);
    else if (key) seen.set(key, row.no);
    if (!key || !person || !course || !day || row.problems.length > 0) return ended(row, shown, 'refused', null, {});
    if (recorded.has(key)) return ended(row, shown, 'same', person.id, {});
    const event = `${course.id} ${day} ${kind}`;
    const n = inEvent.get(event) ?? 0;
    inEvent.set(event, n + 1);
    const values = { user_id: person.id, course_id: course.id, completed_on: day, type: kind, part: Math.floor(n / peopleInEvent) };
    return ended(row, shown, 'create', null, values);
  });
};

const planners: Record<ImportKind, Planner> = {
  people: planPeople,
  organisations: planOrganisations,
  roles: planRoles,
  courses: planCourses,
  training: planTraining,
};

/** Names the required fields missing from a mapping; empty if complete. */
export const missingFields = (kind: ImportKind, mapping: ImportMapping): string[] =>
  Object.entries(fieldsOf(kind)).flatMap(([field, { label, required, or }]) =>
    required && mapping[field] === undefined && !or?.every((f) => mapping[f] !== undefined) ? [label] : [],
  );

/** Plans what to do with each row of a table, and lists the problems of rows that cannot be used. Changes nothing. */
export const planTable = async (
  db: Db,
  actor: Actor,
  table: Pick<Table, 'columns' | 'rows'>,
  what: { kind: ImportKind; entity: { id: string; name: string }; mapping: ImportMapping; options: PlanOptions; now: Date },
): Promise<PlannedRow[]> => {
  const rows = table.rows.map(({ no, cells, ragged }): Row => {
    const problems: ImportProblem[] = [];
    const note: Note = (field, problem, remedy) => {
      const columnNo = field === null ? undefined : what.mapping[field];
      problems.push({
        column: columnNo === undefined ? (field === null ? null : (fieldsOf(what.kind)[field]?.label ?? field)) : (table.columns[columnNo] ?? null),
        problem,
        remedy,
      });
    };
    if (ragged) note(null, 'This row has more cells than there are columns.', 'Put quotation marks around cells that contain the separator.');
    return {
      no,
      problems,
      note,
      has: (field) => what.mapping[field] !== undefined,
      get: (field) => {
        const columnNo = what.mapping[field];
        return (columnNo === undefined ? undefined : cells[columnNo]) || undefined;
      },
    };
  });
  return planners[what.kind](rows, { db, actor, entity: what.entity, options: what.options, now: what.now });
};
