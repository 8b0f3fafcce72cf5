import { dayIn, dayWords, endOfDay } from '#contract/rules/days.ts';
import { stepOf } from '#contract/rules/pathway-steps.ts';

/** A version that people who are in date on an earlier one are asked to take. `completed_at`: when they completed that. */
export type AskingVersion = { version: number; published_at: string; take_within_days: number; completed_at: string };
/** The request: by when, whether that day is over, and in words. */
export type Ask = { due_at: string; late: boolean; words: string };

/**
 * The request to take a version with a material change. People have `take_within_days` from its publication; those who finish the earlier
 * version later have them from then. It is shown beside their compliance and does not change it: what they completed stays valid
 * until it expires.
 */
export const askOf = ({ version, published_at, take_within_days, completed_at }: AskingVersion, now: Date, zone: string): Ask => {
  const since = [dayIn(published_at, zone), dayIn(completed_at, zone)].sort().at(-1) as string;
  const { state, due_on } = stepOf({ since, within_days: take_within_days, done_at: null }, now, zone);
  const dueOn = due_on as string;
  const late = state === 'late';
  const changed = `The course has changed since (version ${version}): please take the new version`;
  return {
    due_at: endOfDay(dueOn, zone),
    late,
    words: `${changed}${late ? `; it was asked for by ${dayWords(dueOn)}` : ` by ${dayWords(dueOn)}`}. What was completed still counts.`,
  };
};
