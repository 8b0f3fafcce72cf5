import { complianceNumbers, type ComplianceNumbers } from '#contract/entities/compliance-report.ts';
import { cellTypes, exemptIn, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { cellsOf } from '#server/features/matrix/cells.rows.ts';
import { countedHead, isStarter, peopleThen, type Person } from '#server/features/matrix/head.rows.ts';
import { packedStandingsAt } from '#server/features/results/standings.rows.ts';

/** People per slice: other requests are answered between two slices. */
const part = 250;
const width = complianceNumbers.length;
const place = Object.fromEntries(complianceNumbers.map((name, i) => [name, i])) as Record<keyof ComplianceNumbers, number>;

/** For each byte of a cell: the index of its status among the numbers; 0 if nothing is required. */
const statusPlace = Uint8Array.from({ length: 256 }, (_, byte) => {
  const status = statusIn(byte);
  return typeIn(byte) === 'none' || status === 'lapsed' || status === 'not_required' ? 0 : place[status];
});

/** A bit set in a byte of `states` beside the index of a status. */
export const exemptMark = 8;

/** The counts of a group of people for a course and a type of requirement. */
export type Counted = { course_id: string; type: 'primary' | 'secondary'; numbers: ComplianceNumbers };
/** A group of people, by its name. `states`, if requested: for each person in turn a byte for each of all `columns`, with that person's status. */
export type CountedGroup = { people: Person[]; counted: Counted[]; columns: readonly string[]; states: Uint8Array };

/**
 * Counts how the people of a condition (on `users u`, and their organisation `entities e`) comply at an instant, by the shared compliance
 * rule, in the groups that `groupsOf` names for a person. `past`: as known then, instead of from the current standings; `were`: these
 * people as they were then (`peopleThen`); `listed`: with each person's statuses.
 */
export const countBy = async (
  db: Db,
  which: Statement,
  at: Date,
  groupsOf: (person: Person, newStarter: boolean) => readonly string[],
  {
    past = false,
    were,
    listed = false,
    onPeople = async () => undefined,
  }: { past?: boolean; were?: Statement | undefined; listed?: boolean; onPeople?: (people: number) => Promise<void> } = {},
): Promise<Map<string, CountedGroup>> => {
  const head = await countedHead(db, which, at, were);
  const { people, columns } = head;
  const cells = await cellsOf(db, head, at, past ? (on, ids) => packedStandingsAt(on, ids, at) : undefined);
  const groups = new Map<string, { people: Person[]; numbers: Int32Array; states: Uint8Array[] }>();
  for (let from = 0; from < people.length; from += part) {
    const { states } = await cells(from, from + part);
    people.slice(from, from + part).forEach((person, row) => {
      for (const name of groupsOf(person, isStarter(person, at))) {
        const group = groups.get(name) ?? { people: [], numbers: new Int32Array(columns.length * 2 * width), states: [] };
        groups.set(name, group);
        group.people.push(person);
        const { numbers } = group;
        const personStates = new Uint8Array(listed ? columns.length : 0);
        if (listed) group.states.push(personStates);
        for (let column = 0; column < columns.length; column++) {
          const byte = states[row * columns.length + column] as number;
          const status = statusPlace[byte] as number;
          if (status === 0) continue;
          personStates[column] = status + (exemptIn(byte) ? exemptMark : 0);
          const first = (column * 2 + cellTypes.indexOf(typeIn(byte)) - 1) * width;
          numbers[first] = (numbers[first] as number) + 1;
          numbers[first + status] = (numbers[first + status] as number) + 1;
          if (exemptIn(byte)) numbers[first + place.exempt] = (numbers[first + place.exempt] as number) + 1;
        }
      }
    });
    await onPeople(Math.min(from + part, people.length));
  }
  return new Map(
    [...groups].map(([name, { people: all, numbers, states }]) => {
      const counted = columns.flatMap(({ id: course_id }, column) =>
        (['primary', 'secondary'] as const).flatMap((type, i): Counted[] => {
          const first = (column * 2 + i) * width;
          if (numbers[first] === 0) return [];
          const totals = Object.fromEntries(complianceNumbers.map((number, n) => [number, numbers[first + n]])) as ComplianceNumbers;
          return [{ course_id, type, numbers: totals }];
        }),
      );
      return [name, { people: all, counted, columns: columns.map((c) => c.id), states: Buffer.concat(states) }];
    }),
  );
};

/** The sum of numbers. */
export const sumOf = (all: readonly ComplianceNumbers[]): ComplianceNumbers => {
  const sum = Object.fromEntries(complianceNumbers.map((name) => [name, 0])) as ComplianceNumbers;
  for (const each of all) for (const name of complianceNumbers) sum[name] += each[name];
  return sum;
};

/** The people (on `users u`) who had started at an instant, where that is a day, and had not left. `zone`: a time zone, or the column that has it. */
export const wasThere = (at: Date, zone: string | Statement): Statement =>
  sql`(u.disabled_at is null or u.disabled_at > ${at}) and u.started_on <= (${at}::timestamptz at time zone ${typeof zone === 'string' ? sql`${zone}::text` : zone})::date`;

/** The stored list behind a month: people of the same job roles at one organisation, with their statuses. */
type Listed = {
  month_id: string;
  role: string | null;
  held: string;
  starter: boolean;
  people: string[];
  courses: string[];
  types: string[];
  states: string;
};
const listedOf = ({ people, counted, columns, states }: CountedGroup): Pick<Listed, 'people' | 'courses' | 'types' | 'states'> => {
  const columnOf = new Map(columns.map((id, i) => [id, i]));
  const indexes = counted.map((c) => columnOf.get(c.course_id) ?? 0);
  const bytes = people.flatMap((_, row) => indexes.map((column) => states[row * columns.length + column] ?? 0));
  return {
    people: people.map((p) => p.id),
    ...{ courses: counted.map((c) => c.course_id), types: counted.map((c) => c.type), states: Buffer.from(bytes).toString('hex') },
  };
};
/** Stores the people behind the figures of months, with their tags. */
const writeLists = async (tx: Db, lists: readonly Listed[], months: readonly string[]): Promise<void> => {
  await tx.run(sql`insert into compliance_people (month_id, role_id, held, new_starter, people, courses, types, states)
    select x.month_id, x.role_id, string_to_array(x.held, ',')::uuid[], x.new_starter, string_to_array(x.people, ',')::uuid[], string_to_array(x.courses, ',')::uuid[],
      string_to_array(x.types, ','), decode(x.states, 'hex')
    from unnest(${lists.map((l) => l.month_id)}::uuid[], ${lists.map((l) => l.role)}::uuid[], ${lists.map((l) => l.held)}::text[], ${lists.map((l) => l.starter)}::boolean[],
        ${lists.map((l) => l.people.join())}::text[], ${lists.map((l) => l.courses.join())}::text[], ${lists.map((l) => l.types.join())}::text[], ${lists.map((l) => l.states)}::text[])
      as x (month_id, role_id, held, new_starter, people, courses, types, states)`);
  await tx.run(sql`insert into compliance_tags (month_id, tag_id, people)
    select y.month_id, y.tag_id, case when bool_or(y.user_id is null) then null else array_agg(y.user_id order by y.user_id) end
    from (select g.month_id, x.tag_id, x.user_id from compliance_people g cross join unnest(g.people) p (id) join tag_users x on x.user_id = p.id
        where g.month_id = any(${[...months]}::uuid[])
      union all select m.id, t.tag_id, null from compliance_months m join entity_below b on b.below = m.entity_id join tag_entities t on t.entity_id = b.above
        where m.id = any(${[...months]}::uuid[])) y group by y.month_id, y.tag_id`);
};

/** The stored figures of an organisation and a month. */
export type MonthToWrite = { entity_id: string; month: string; final: boolean; computed: boolean };
/**
 * Counts organisations at an instant and stores the figures: a past month once and for all, or the current figures in place of the last
 * ones. If another server was faster, its figures stay.
 */
export const writeMonths = async (
  db: Db,
  months: readonly MonthToWrite[],
  at: Date,
  now: Date,
  onPeople?: (people: number) => Promise<void>,
): Promise<void> => {
  const ids = months.map((m) => m.entity_id);
  const past = months.some((m) => m.final);
  const presentPeople = past ? wasThere(at, sql`e.time_zone`) : sql`u.disabled_at is null`;
  const places = sql`select unnest(${ids}::uuid[])`;
  const groups = await countBy(
    db,
    past ? presentPeople : sql`u.primary_entity_id = any(${ids}::uuid[]) and ${presentPeople}`,
    at,
    (person, newStarter) => [[person.place.id, person.role_id ?? '', person.held, newStarter].join(' ')],
    { past, were: past ? peopleThen(at, places, sql`true`) : undefined, listed: past, ...(onPeople ? { onPeople } : {}) },
  );
  const people = new Map<string, number>();
  for (const { people: all } of groups.values()) {
    const id = all[0]?.place.id ?? '';
    people.set(id, (people.get(id) ?? 0) + all.length);
  }
  await db.tx(async (tx) => {
    // One after another, in the same order on every server, so that two do not deadlock.
    const sorted = [...months].sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1));
    const replaced = past ? sql`month = any(${sorted.map((m) => m.month)}::date[])` : sql`true`;
    await tx.run(sql`delete from compliance_months where id in
      (select id from compliance_months where not final and entity_id = any(${ids}::uuid[]) and ${replaced} order by entity_id for update)`);
    const written = new Map(
      (
        await tx.all<{
          id: string;
          entity_id: string;
        }>(sql`insert into compliance_months (entity_id, month, final, computed, people, listed, counted_at)
          select x.*, x.final, ${now}::timestamptz from unnest(${sorted.map((m) => m.entity_id)}::uuid[], ${sorted.map((m) => m.month)}::date[],
            ${sorted.map((m) => m.final)}::boolean[], ${sorted.map((m) => m.computed)}::boolean[], ${sorted.map((m) => people.get(m.entity_id) ?? 0)}::int[]) as x (entity_id, month, final, computed, people)
          on conflict do nothing returning id, entity_id`)
      ).map((m) => [m.entity_id, m.id]),
    );
    const rows = [...groups].flatMap(([name, { counted }]) => {
      const [entity = '', role = '', held = '', starter] = name.split(' ');
      const month_id = written.get(entity);
      return month_id ? counted.map((c) => ({ month_id, role: role || null, held, starter: starter === 'true', ...c })) : [];
    });
    const numbers = complianceNumbers.map((name) => sql`${rows.map((r) => r.numbers[name])}::int[]`).reduce((a, b) => sql`${a}, ${b}`);
    await tx.run(sql`insert into compliance_role_counts (month_id, role_id, held, course_id, type, new_starter, asked, in_date, expiring, expired, missing, starter, exempt)
      select x.month_id, x.role_id, string_to_array(x.held, ',')::uuid[], x.course_id, x.type, x.new_starter, x.asked, x.in_date, x.expiring, x.expired, x.missing, x.starter, x.exempt
      from unnest(${rows.map((r) => r.month_id)}::uuid[], ${rows.map((r) => r.role)}::uuid[], ${rows.map((r) => r.held)}::text[], ${rows.map((r) => r.course_id)}::uuid[],
        ${rows.map((r) => r.type)}::text[], ${rows.map((r) => r.starter)}::boolean[], ${numbers})
        as x (month_id, role_id, held, course_id, type, new_starter, asked, in_date, expiring, expired, missing, starter, exempt)`);
    await tx.run(sql`insert into compliance_counts (month_id, course_id, type, new_starter, asked, in_date, expiring, expired, missing, starter, exempt)
      select r.month_id, r.course_id, r.type, r.new_starter, sum(r.asked), sum(r.in_date), sum(r.expiring), sum(r.expired), sum(r.missing), sum(r.starter), sum(r.exempt)
      from compliance_role_counts r where r.month_id = any(${[...written.values()]}::uuid[]) group by r.month_id, r.course_id, r.type, r.new_starter`);
    if (!past) return;
    const lists = [...groups].flatMap(([name, group]): Listed[] => {
      const [entity = '', role = '', held = '', starter] = name.split(' ');
      const month_id = written.get(entity);
      return month_id ? [{ month_id, role: role || null, held, starter: starter === 'true', ...listedOf(group) }] : [];
    });
    await writeLists(tx, lists, [...written.values()]);
  });
};
