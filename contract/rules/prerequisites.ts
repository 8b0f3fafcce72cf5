import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { scormTotals } from '#contract/rules/merge-scorm.ts';

/** SCORM 1.2 prerequisites: parts that must be done before another (AICC script, CMI001 appendix A). */

type Status = 'passed' | 'completed' | 'failed' | 'incomplete' | 'not attempted' | 'browsed';
const letters: Record<string, Status> = { p: 'passed', c: 'completed', f: 'failed', i: 'incomplete', n: 'not attempted', b: 'browsed' };
const token = /\s*(<>|[&|~=(),{}*]|"[^"]*"|[^\s&|~=<>(),{}*"]+)/y;

const tokensOf = (script: string): string[] | null => {
  const found: string[] = [];
  token.lastIndex = 0;
  const text = script.trimEnd();
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match?.[1]) return null;
    found.push(match[1]);
  }
  return found;
};

/**
 * Whether a script holds, given the status of each part; null if it cannot be parsed. A part alone holds once it is passed or
 * completed. Supported: `&`, `|`, `~`, brackets, `=`, `<>` and `2*{A,B,C}` (two of them).
 */
export const holds = (script: string, statusOf: (id: string) => Status | null): boolean | null => {
  const tokens = tokensOf(script);
  if (!tokens) return null;
  let position = 0;
  const take = (expected: string) => (tokens[position] === expected ? ++position : 0) > 0;
  const plain = (t: string) => t.replace(/^"|"$/g, '');
  class Unreadable extends Error {}
  const status = (id: string): Status => {
    const known = statusOf(id);
    if (known === null) throw new Unreadable();
    return known;
  };
  const one = (): boolean => {
    if (take('~')) return !one();
    if (take('(')) {
      const value = any();
      if (!take(')')) throw new Unreadable();
      return value;
    }
    const word = tokens[position++];
    if (word === undefined || /^(<>|[&|=),{}*])$/.test(word)) throw new Unreadable();
    if (take('*')) {
      if (!take('{')) throw new Unreadable();
      const values = [any()];
      while (take(',')) values.push(any());
      if (!take('}') || !/^\d+$/.test(word)) throw new Unreadable();
      return values.filter(Boolean).length >= Number(word);
    }
    const same = take('=');
    if (!same && !take('<>')) return ['passed', 'completed'].includes(status(plain(word)));
    const requiredStatus = plain(tokens[position++] ?? '').toLowerCase();
    const is = status(plain(word)) === (letters[requiredStatus] ?? requiredStatus);
    return same ? is : !is;
  };
  const every = (): boolean => {
    let value = one();
    while (take('&')) value = one() && value;
    return value;
  };
  const any = (): boolean => {
    let value = every();
    while (take('|')) value = every() || value;
    return value;
  };
  try {
    const value = any();
    return position === tokens.length ? value : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
};

type Item = { item_id: string; sessions: readonly ScormFacts[] };

/** The parts that may not be opened yet. A script that cannot be parsed locks nothing. */
export const lockedActivities = (activities: readonly ScormActivity[], items: readonly Item[]): Set<string> => {
  const totals = new Map(items.map((i) => [i.item_id, scormTotals(i.sessions)]));
  const byId = new Map<string, ScormActivity>();
  const note = (list: readonly ScormActivity[]) => {
    for (const a of list) {
      byId.set(a.id, a);
      note(a.children);
    }
  };
  note(activities);
  const statusOf = (id: string): Status | null => {
    const activity = byId.get(id);
    if (!activity) return null;
    if (activity.href === null) {
      const below = activity.children.map((c) => statusOf(c.id));
      if (below.every((s) => s === 'passed' || s === 'completed')) return 'completed';
      return below.every((s) => s === 'not attempted') ? 'not attempted' : 'incomplete';
    }
    const { completion, success } = totals.get(id) ?? { completion: 'not attempted', success: 'unknown' };
    return success === 'unknown' ? completion : success;
  };
  const locked = new Set<string>();
  const walk = (list: readonly ScormActivity[], above: boolean) => {
    for (const a of list) {
      const shut = above || (a.prerequisites !== null && holds(a.prerequisites, statusOf) === false);
      if (shut) locked.add(a.id);
      walk(a.children, shut);
    }
  };
  walk(activities, false);
  return locked;
};
