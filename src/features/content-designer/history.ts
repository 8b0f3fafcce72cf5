/**
 * The undo history of a design, which also works after a reload because it is data. A step
 * contains only what it changed.
 */

type Path = readonly (string | number)[];
/** One changed path, with its values before and after. */
type Change = { path: Path; before?: unknown; after?: unknown };
/** A step's name (“Add a card”), what it applies to, and the field being typed in, if any. */
export type Step = { name: string; place: Place; typed?: string; at: number; changes: readonly Change[] };
/** The page and block of a step, shown when it is undone. */
export type Place = { page: string | null; block: string | null };
export type History<T> = { now: T; done: readonly Step[]; undone: readonly Step[] };

/** The maximum number of steps; older ones cannot be undone. */
const mostSteps = 200;
/** Typing in one field with pauses shorter than this is one step. In ms. */
const pauseMs = 1500;

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const sameKeys = (a: object, b: object) => {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key));
};

/** The differences between two values. Identical objects are skipped. */
const changesBetween = (before: unknown, after: unknown, path: Path = []): Change[] => {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, i) => changesBetween(item, after[i], [...path, i]));
  if (isPlain(before) && isPlain(after) && sameKeys(before, after))
    return Object.keys(before).flatMap((key) => changesBetween(before[key], after[key], [...path, key]));
  return [{ path, before, after }];
};

const put = (into: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(into)) return into.with(key as number, put(into[key as number], rest, value));
  const object = into as Record<string, unknown>;
  return { ...object, [key]: put(object[key as string], rest, value) };
};
const applied = <T>(to: T, changes: readonly Change[], side: 'before' | 'after'): T =>
  changes.reduce<unknown>((value, change) => put(value, change.path, change[side]), to) as T;

export const begun = <T>(now: T): History<T> => ({ now, done: [], undone: [] });

/** Adds a step, or extends the last one if typing continues. Clears the redo steps. */
export const did = <T>(history: History<T>, now: T, step: Omit<Step, 'changes'>): History<T> => {
  if (changesBetween(history.now, now).length === 0) return history;
  const last = history.done.at(-1);
  const goesOn =
    last?.typed !== undefined && last.typed === step.typed && history.undone.length === 0 && step.at - last.at >= 0 && step.at - last.at < pauseMs;
  const from = goesOn ? applied(history.now, last.changes, 'before') : history.now;
  const changes = changesBetween(from, now);
  const done = goesOn ? history.done.slice(0, -1) : history.done;
  // Typed and deleted again: no change.
  if (changes.length === 0) return { now, done, undone: [] };
  return { now, done: [...done, { ...step, changes }].slice(-mostSteps), undone: [] };
};

export const undo = <T>({ now, done, undone: after }: History<T>): History<T> => {
  const last = done.at(-1);
  return last ? { now: applied(now, last.changes, 'before'), done: done.slice(0, -1), undone: [...after, last] } : { now, done, undone: after };
};
export const redo = <T>({ now, done, undone: after }: History<T>): History<T> => {
  const next = after.at(-1);
  return next ? { now: applied(now, next.changes, 'after'), done: [...done, next], undone: after.slice(0, -1) } : { now, done, undone: after };
};

/** Whether two values differ. */
export const differ = (a: unknown, b: unknown): boolean => changesBetween(a, b).length > 0;
