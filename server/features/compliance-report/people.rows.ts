import { complianceNumbers, type ComplianceNumbers } from '#contract/entities/compliance-report.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { exemptMark, sumOf } from '#server/features/compliance-report/counts.rows.ts';

/** A person as counted at an organisation in a past month; `role_id` is their first job role at the time. */
export type CountedPerson = { id: string; month: string; place: string; role_id: string | null; held: readonly string[]; numbers: ComplianceNumbers };
/** The part of it that is requested. */
export type CountedFilter = {
  isWanted: (counted: { course_id: string; type: string }) => boolean;
  isStarterWanted: (newStarter: boolean) => boolean;
};

type Row = {
  month: string;
  place: string;
  role_id: string | null;
  held: string[];
  new_starter: boolean;
  people: string[];
  courses: string[];
  types: string[];
  states: string;
};

/** How many people are stored with months of this condition (on `compliance_months m`, `compliance_people g`), by month (YYYY-MM). */
export const listedByMonth = async (db: Db, which: Statement): Promise<Map<string, number>> =>
  new Map(
    (
      await db.all<{ month: string; n: number }>(
        sql`select to_char(m.month, 'YYYY-MM') as month, sum(cardinality(g.people))::int as n
          from compliance_months m join compliance_people g on g.month_id = m.id where m.listed and ${which} group by 1`,
      )
    ).map(({ month, n }) => [month, n]),
  );

const listedRows = (db: Db, which: Statement): Promise<Row[]> =>
  db.all<Row>(sql`select to_char(m.month, 'YYYY-MM') as month, m.entity_id as place, g.role_id, g.held::text[] as held, g.new_starter,
      g.people::text[] as people, g.courses::text[] as courses, g.types, encode(g.states, 'base64') as states
    from compliance_months m join compliance_people g on g.month_id = m.id where m.listed and ${which}`);
/** Adds what a byte of `states` says to numbers. */
const addState = (numbers: ComplianceNumbers, byte: number): void => {
  const status = complianceNumbers[byte % exemptMark];
  if (byte === 0 || !status) return;
  numbers.asked += 1;
  numbers[status] += 1;
  if (byte >= exemptMark) numbers.exempt += 1;
};

/** The people stored with months of this condition (on `compliance_months m`, `compliance_people g`), with their statuses. */
export const countedPeople = async (db: Db, which: Statement, { isWanted, isStarterWanted }: CountedFilter): Promise<CountedPerson[]> =>
  (await listedRows(db, which)).flatMap(({ month, place, role_id, held, new_starter, people, courses, types, states }) => {
    if (!isStarterWanted(new_starter)) return [];
    const bytes = Buffer.from(states, 'base64');
    const columns = courses.flatMap((course_id, i) => (isWanted({ course_id, type: types[i] ?? '' }) ? [i] : []));
    return people.map((id, row): CountedPerson => {
      const numbers = sumOf([]);
      for (const column of columns) addState(numbers, bytes[row * courses.length + column] ?? 0);
      return { ...{ id, month, place, role_id, held }, numbers };
    });
  });

/** The numbers of some of the people stored with a month, for one course at one organisation. */
export type CountedCourse = { month: string; place: string; course_id: string; numbers: ComplianceNumbers };
/** The same by month, organisation and course, of the people who are chosen. */
export const countedCourses = async (
  db: Db,
  which: Statement,
  { isWanted, isStarterWanted }: CountedFilter,
  isChosen: (person: { id: string; place: string }) => boolean,
): Promise<CountedCourse[]> => {
  const found = new Map<string, CountedCourse>();
  for (const { month, place, new_starter, people, courses, types, states } of await listedRows(db, which)) {
    if (!isStarterWanted(new_starter)) continue;
    const bytes = Buffer.from(states, 'base64');
    const chosen = people.flatMap((id, row) => (isChosen({ id, place }) ? [row] : []));
    if (chosen.length === 0) continue;
    courses.forEach((course_id, column) => {
      if (!isWanted({ course_id, type: types[column] ?? '' })) return;
      const key = `${month} ${place} ${course_id}`;
      const counted = found.get(key) ?? { month, place, course_id, numbers: sumOf([]) };
      found.set(key, counted);
      for (const row of chosen) addState(counted.numbers, bytes[row * courses.length + column] ?? 0);
    });
  }
  return [...found.values()].filter(({ numbers }) => numbers.asked > 0);
};

/** Who had tags in months of this condition (on `compliance_months m`): the people of each organisation and tag; null for all of them. */
export const countedTags = (db: Db, which: Statement, tags: readonly string[]) =>
  db.all<{ month: string; place: string; tag_id: string; people: string[] | null }>(
    sql`select to_char(m.month, 'YYYY-MM') as month, m.entity_id as place, t.tag_id, t.people::text[] as people
      from compliance_months m join compliance_tags t on t.month_id = m.id where m.listed and ${which} and t.tag_id = any(${[...tags]}::uuid[])`,
  );
