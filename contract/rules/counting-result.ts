import { isOver } from '#contract/rules/days.ts';

/** The latest result of a course that counts. `exempt`: it is an exemption. Instants in UTC; `expires_at` null for never. */
export type Done = { completed_at: string; expires_at: string | null; exempt?: boolean };

export const coursePartNames = ['theory', 'practical'] as const;
export type CoursePartName = (typeof coursePartNames)[number];
/** The two parts of a course. Either may be the course itself. */
export type CourseParts<C> = Record<CoursePartName, C>;

/** An organisation's equivalences between its courses. */
export type CourseLinks<C> = {
  /** Alternatives: courses whose results count for this one too, transitively: level 3 covers level 2, and level 2 covers level 1. */
  alternatives: ReadonlyMap<C, readonly C[]>;
  parts: ReadonlyMap<C, CourseParts<C>>;
};

/** The counting result of a course: a result of `course`, or of both its parts. */
export type Counting<C> = Done & { course: C; parts: readonly CountingPart<C>[] | null };
export type CountingPart<C> = { name: CoursePartName; course: C; counts: Counting<C> | null };

/** The instant at which it expires, as a comparable number. */
const endOf = ({ expires_at }: Done): number => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at));
const isValid = ({ expires_at }: Done, { now, zone }: Pick<Held<unknown>, 'now' | 'zone'>): boolean =>
  expires_at === null || !isOver(expires_at, now, zone);

/** The input: the links, the result of each course that holds, the time, and the time zone of the person's organisation. */
export type Held<C> = { links: CourseLinks<C>; latest: (course: C) => Done | undefined; now: Date; zone: string };

/**
 * The result that counts for a course: of its own result and the valid results of its alternatives, the one that is valid longest; in case of a
 * tie its own. An expired result of an alternative is ignored, so that it never makes a status worse.
 * A course of two parts has no result of its own: it counts once both parts do, from the later completion until the earlier expiry.
 * Only an exemption from the whole course replaces both.
 */
export const countingOf = <C>(course: C, held: Held<C>): Counting<C> | null => bestOf(course, held, []);

/** The state of each part of a course; null for a course without parts. */
export const partsOf = <C>(course: C, held: Held<C>): CountingPart<C>[] | null => standingOfParts(course, held, []);

const bestOf = <C>(course: C, held: Held<C>, within: readonly C[]): Counting<C> | null => {
  const known = new Set([course]);
  let best: Counting<C> | null = null;
  for (const each of known) {
    const whole = wholeOf(each, held, within);
    const mayCount = whole && (each === course || isValid(whole, held));
    if (mayCount && (best === null || endOf(whole) > endOf(best))) best = whole;
    for (const alternative of held.links.alternatives.get(each) ?? []) known.add(alternative);
  }
  return best;
};

const wholeOf = <C>(course: C, held: Held<C>, within: readonly C[]): Counting<C> | null => {
  const courseResult = held.latest(course);
  const parts = courseResult?.exempt ? null : standingOfParts(course, held, within);
  if (parts === null) return courseResult ? { ...courseResult, course, parts: null } : null;
  const done = parts.flatMap(({ counts }) => (counts ? [counts] : []));
  const [first, ...others] = done;
  if (!first || done.length < parts.length) return null;
  const ends = others.reduce((a, b) => (endOf(b) < endOf(a) ? b : a), first);
  const completed_at = others.reduce((a, b) => (b.completed_at > a ? b.completed_at : a), first.completed_at);
  return { completed_at, expires_at: ends.expires_at, course, parts };
};

/** When a course is one of its own parts, only its own result counts as that part. */
const standingOfParts = <C>(course: C, held: Held<C>, within: readonly C[]): CountingPart<C>[] | null => {
  const parts = held.links.parts.get(course);
  if (!parts || within.includes(course)) return null;
  return coursePartNames.map((name) => ({ name, course: parts[name], counts: bestOf(parts[name], held, [...within, course]) }));
};
