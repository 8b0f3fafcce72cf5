import { endianness } from 'node:os';
import { byteOf, cellTypes, dayNumber, dayNumberOf, emptySheet, type MatrixSheet, stateByte } from '#contract/matrix/sheet.ts';
import { dueDay, statusNumberOn } from '#contract/rules/compliance-status.ts';
import { dayNumber as daysSince1970, dayNumbersIn } from '#contract/rules/day-numbers.ts';
import { dayIn } from '#contract/rules/days.ts';
import type { Db } from '#server/db/sql.ts';
import { courseLinksOf, standsWith } from '#server/features/compliance/course-links.rows.ts';
import type { Asked, MatrixHead, Person } from '#server/features/matrix/head.rows.ts';
import { packedStandingsOf, type LatestResult, standingBytes, unpack } from '#server/features/results/standings.rows.ts';

const never = Number.POSITIVE_INFINITY;

type AskedByColumn = {
  asked: readonly (Asked | undefined)[];
  types: Uint8Array;
  warnings: Float64Array;
  dueAs: Uint16Array;
  dues: readonly Asked[];
};
/** Computes rows of a matrix: those of the people between two indexes (the end exclusive), with their current compliance. */
export type Cells = (from: number, to: number) => Promise<MatrixSheet>;

/**
 * The compliance of the people of a matrix for its courses, by the shared rule. The standings of many people are read at once; where an
 * organisation defines alternatives or parts of a course, the full rule is evaluated for that cell. `read`: the source of the standings, if
 * not the current ones.
 */
export const cellsOf = async (db: Db, { people, columns, askedOf }: MatrixHead, now: Date, read = packedStandingsOf): Promise<Cells> => {
  /** By the number of a course: its column plus 1; 0 for none. */
  const columnOf = new Uint16Array(columns.reduce((most, { no }) => Math.max(most, no), 0) + 1);
  columns.forEach(({ no }, column) => {
    columnOf[no] = column + 1;
  });
  const places = [...new Set(people.map((p) => p.place))];
  const linksOf = await courseLinksOf(
    db,
    places.map((p) => p.id),
  );
  const dayAt = new Map(places.map((place) => [place, dayNumbersIn(place.zone)]));
  const todays = new Map(places.map((place) => [place, daysSince1970(dayIn(now, place.zone))]));
  /** The columns whose cells depend on other courses, by organisation. */
  const hangs = new Map(
    places.map((place) => {
      const { alternatives, parts } = linksOf(place.id);
      return [place, columns.map(({ no }) => alternatives.has(no) || parts.has(no))];
    }),
  );
  /** The requirements, by column; those due at the same time share a number in `dueAs`. */
  const byColumn = new Map<readonly Asked[], AskedByColumn>();
  const asksOf = (all: readonly Asked[]) => {
    const known = byColumn.get(all);
    if (known) return known;
    const askedByCourse = new Map(all.map((requirement) => [requirement.course_no, requirement]));
    const requirements = columns.map(({ no }) => askedByCourse.get(no));
    const types = Uint8Array.from(requirements, (requirement) => (requirement ? cellTypes.indexOf(requirement.type) : 0));
    /** In days; NaN: that of the organisation. */
    const warnings = Float64Array.from(requirements, (requirement) => requirement?.expiry_warning ?? Number.NaN);
    const dues: Asked[] = [];
    const dueAs = Uint16Array.from(requirements, (requirement) => {
      if (!requirement) return 0;
      const same = dues.findIndex(
        (d) =>
          d.starter_period === requirement.starter_period &&
          d.required_from === requirement.required_from &&
          d.required_since === requirement.required_since,
      );
      return same === -1 ? dues.push(requirement) - 1 : same;
    });
    const made = { asked: requirements, types, warnings, dueAs, dues };
    byColumn.set(all, made);
    return made;
  };
  const knownDue = new Map<string, number>();
  /** Many people start on the same day. */
  const dueOf = (person: Person, requirement: Asked): number => {
    const { id } = person.place;
    const key = `${id} ${person.started_on} ${requirement.starter_period} ${requirement.required_from} ${requirement.required_since}`;
    const known = knownDue.get(key);
    if (known !== undefined) return known;
    const day = daysSince1970(dueDay({ ...requirement, ...periodsOf(requirement, person), started_on: person.started_on }));
    knownDue.set(key, day);
    return day;
  };
  const completed = new Float64Array(columns.length);
  const expires = new Float64Array(columns.length);
  const exempt = new Uint8Array(columns.length);

  const fill = (sheet: MatrixSheet, row: number, person: Person, packed: Buffer | undefined) => {
    const { place } = person;
    const { asked, types, warnings, dueAs, dues } = asksOf(askedOf(person));
    const day = dayAt.get(place) as (seconds: number) => number;
    const today = todays.get(place) as number;
    const hanging = hangs.get(place) as readonly boolean[];
    const due = dues.map((requirement) => dueOf(person, requirement));
    let standings: Map<number, LatestResult> | null = null;
    completed.fill(0);
    expires.fill(Number.NaN);
    if (packed) {
      const numbers = numbersIn(packed);
      for (let at = 0; at < numbers.length; at += standingBytes.cell / 4) {
        const head = numbers[at] as number;
        const column = (columnOf[head >>> 8] ?? 0) - 1;
        if (column < 0) continue;
        const ends = numbers[at + standingBytes.expires / 4] as number;
        completed[column] = numbers[at + standingBytes.completed / 4] as number;
        expires[column] = ends === 0 ? never : ends;
        exempt[column] = (head & 0xff) >> 5 === standingBytes.exempt ? 1 : 0;
      }
    }
    for (let column = 0; column < columns.length; column++) {
      const requirement = asked[column];
      const at = row * columns.length + column;
      if (requirement && hanging[column]) {
        standings ??= new Map(packed ? unpack(packed).map((s) => [s.course_no, s]) : []);
        const known = standings;
        const facts = { ...requirement, ...periodsOf(requirement, person), required: true, started_on: person.started_on, zone: place.zone };
        const { status, result, counting } = standsWith(requirement.course_no, facts, linksOf(place.id), (no) => known.get(no), now);
        sheet.states[at] = stateByte({
          ...{ status, type: requirement.type, exempt: result?.exempt === true, done: result !== null },
          other: counting !== null && counting.course !== requirement.course_no,
        });
        if (result === null) continue;
        sheet.completed[at] = dayNumber(dayIn(result.completed_at, place.zone));
        sheet.expires[at] = result.expires_at === null ? 0 : dayNumber(dayIn(result.expires_at, place.zone));
        continue;
      }
      const done = completed[column] as number;
      const type = types[column] as number;
      if (type === 0 && done === 0) continue;
      const ends = expires[column] as number;
      const warningDays = warnings[column] as number;
      const warning = Number.isNaN(warningDays) ? place.expiry_warning : warningDays;
      const last = Number.isFinite(ends) ? day(ends) : ends;
      const status = statusNumberOn(type !== 0, type === 0 ? 0 : (due[dueAs[column] as number] as number), last, warning, today);
      sheet.states[at] = byteOf(status, type, done !== 0 && exempt[column] === 1, false, done !== 0);
      if (done === 0) continue;
      sheet.completed[at] = dayNumberOf(day(done));
      sheet.expires[at] = ends === never ? 0 : dayNumberOf(last);
    }
  };

  return async (from, to) => {
    const some = people.slice(from, to);
    const sheet = emptySheet(some.length, columns.length);
    const packed = await read(
      db,
      some.map((p) => p.id),
    );
    some.forEach((person, row) => {
      fill(sheet, row, person, packed.get(person.id));
    });
    return sheet;
  };
};

const littleEndian = endianness() === 'LE';
/** Bytes as 32-bit numbers, big-endian. */
const numbersIn = (packed: Buffer): Uint32Array => {
  const numbers = new Uint32Array(packed.length >> 2);
  const bytes = Buffer.from(numbers.buffer);
  packed.copy(bytes);
  if (littleEndian) bytes.swap32();
  return numbers;
};

const periodsOf = ({ starter_period, expiry_warning }: Asked, { place }: Person) => ({
  starter_period: starter_period ?? place.starter_period,
  expiry_warning: expiry_warning ?? place.expiry_warning,
});
