import type { Result } from '#contract/entities/result.ts';
import { dayIn, dayWords, isOver } from '#contract/rules/days.ts';
import { lastValidDay } from '#contract/rules/result-dates.ts';
import { resultWords } from '#src/lib/result-words.ts';

export type ResultStanding = 'counts' | 'exempt' | 'expired' | 'earlier' | 'pending' | 'rejected' | 'deleted';
/** The state of a result in a word or two, with the tone of its badge. */
export const standingWords: Record<ResultStanding, { words: string; tone: 'ok' | 'warning' | 'danger' | 'plain' }> = {
  counts: { words: 'Counts', tone: 'ok' },
  exempt: { words: resultWords.types.exempt, tone: 'ok' },
  expired: { words: 'Out of date', tone: 'danger' },
  earlier: { words: 'Earlier result', tone: 'plain' },
  pending: { words: resultWords.statuses.pending, tone: 'warning' },
  rejected: { words: resultWords.statuses.rejected, tone: 'danger' },
  deleted: { words: resultWords.statuses.deleted, tone: 'plain' },
};

/** The state of a result at an instant: its status and, if approved, whether it is the one that counts and still valid. */
export const standingOf = ({ status, counts, type, expires_at, zone }: Result, now: string): ResultStanding => {
  if (status !== 'approved') return status;
  if (!counts) return 'earlier';
  if (expires_at !== null && isOver(expires_at, now, zone)) return 'expired';
  return type === 'exempt' ? 'exempt' : 'counts';
};

/** The day on which something was completed, in the time zone of its person's organisation: 21/11/2026 */
export const completedWords = (completed_at: string, zone: string): string => dayWords(dayIn(completed_at, zone));
/** The last day on which it is valid there, or that it does not expire. */
export const validUntilWords = (expires_at: string | null, zone: string): string =>
  expires_at === null ? 'Does not expire' : dayWords(lastValidDay(expires_at, zone));
