import { dayIn, dayWords, startOfDay } from '#contract/rules/days.ts';
import { stepOf } from '#contract/rules/pathway-steps.ts';

/** A version that people are asked to take, who are in date on one before it. `completed_at`: when they completed that. */
export type AskingVersion = { version: number; published_at: string; take_within_days: number; completed_at: string };
/** What somebody is asked: by when, whether that day is over, and in words. */
export type Ask = { due_at: string; late: boolean; words: string };

/**
 * What is asked of somebody by a version that changed something that matters. They have its days from when it was published; who had begun
 * the one before and finished it later has them from then. It is said beside how they stand, and changes nothing of it: what they
 * completed stays valid for as long as it was.
 */
export const askOf = ({ version, published_at, take_within_days, completed_at }: AskingVersion, now: Date, zone: string): Ask => {
  const since = [dayIn(published_at, zone), dayIn(completed_at, zone)].sort().at(-1) as string;
  const { state, due_on } = stepOf({ since, within_days: take_within_days, done_at: null }, now, zone);
  const by = due_on as string;
  const late = state === 'late';
  const changed = `The course has changed since (version ${version}): please take the new version`;
  return {
    due_at: startOfDay(by, zone),
    late,
    words: `${changed}${late ? `; it was asked for by ${dayWords(by)}` : ` by ${dayWords(by)}`}. What was completed still counts.`,
  };
};
