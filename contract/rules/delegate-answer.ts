import { dayIn, dayWords, timeIn } from '#contract/rules/days.ts';

/** Whether somebody on the list of a session has said that they come. Pure, so that a device tells without a connection. */
type Answer = {
  /** When they said that they come. */
  at: string | null;
  /** From when on no answer counts as coming; null never. */
  counts_at: string | null;
  /** Of who moved up from the waiting list: from when on the place is no longer theirs without an answer. */
  lapses_at?: string | null | undefined;
};
export type AnswerState = 'asked' | 'accepted' | 'lapsed';

/**
 * `asked`: they have not answered yet; `accepted`: they come, as they said or as no answer counts; `lapsed`: they moved up and have not accepted in
 * time. Null where nobody asks them.
 */
export const answerState = (answer: Answer | null | undefined, now: string): AnswerState | null => {
  if (!answer) return null;
  if (answer.at !== null) return 'accepted';
  if (answer.lapses_at) return answer.lapses_at <= now ? 'lapsed' : 'asked';
  return answer.counts_at !== null && answer.counts_at <= now ? 'accepted' : 'asked';
};

const [minuteMs, hourMs] = [60_000, 3_600_000];
/**
 * Until when somebody who moves up from a waiting list can accept the place: for `hours`, and at most for half of the time left until the
 * session begins, so that the next person waiting has the other half. To the minute, as it is displayed. Null if no answer is needed.
 */
export const acceptUntil = (now: Date, startsAt: string, hours: number): Date | null => {
  const left = Date.parse(startsAt) - now.getTime();
  if (hours <= 0 || left < 2) return null;
  const until = now.getTime() + Math.min(hours * hourMs, left / 2);
  const minute = Math.floor(until / minuteMs) * minuteMs;
  return new Date(minute > now.getTime() ? minute : until);
};

/** 28/11/2026 at 14:00 */
export const momentWords = (instant: string | Date, zone: string): string => `${dayWords(dayIn(instant, zone))} at ${timeIn(instant, zone)}`;
/** What is added to a message to who moved up. */
export const acceptBy = (until: string | Date, zone: string): string =>
  `Please accept the place under Your bookings by ${momentWords(until, zone)}. After that it goes to the next person waiting.`;

/** What is added to a message that tells of a place. `period`: hours after which no answer counts as coming; null never, 0 at once. */
export const answerAsked = (period: number | null): string => {
  if (period === 0) return '';
  const until = period === null ? '' : ` If you say nothing within ${period === 1 ? '1 hour' : `${period} hours`}, you count as coming.`;
  return `Please say under Your bookings whether you can come.${until}`;
};
/** A message with what is asked of whom it is to: on a line of its own where the message has several. */
export const withAsked = (message: string, asked: string): string =>
  asked === '' ? message : message + (message.includes('\n') ? '\n' : ' ') + asked;
