import { dayIn, dayWords, timeIn } from '#contract/rules/days.ts';

/** A delegate's answer to whether they come. Pure, so that a device can compute it offline. */
type Answer = {
  /** When they accepted. */
  at: string | null;
  /** From when no answer counts as acceptance; null never. */
  counts_at: string | null;
  /** For somebody who moved up from the waiting list: from when an unaccepted place is lost. */
  lapses_at?: string | null | undefined;
};
export type AnswerState = 'asked' | 'accepted' | 'lapsed';

/**
 * `asked`: they have not answered yet; `accepted`: by themselves, or because no answer counts; `lapsed`: they moved up and did not accept in
 * time. Null if nobody asks them.
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
/** The addition to a message to somebody who moved up. */
export const acceptBy = (until: string | Date, zone: string): string =>
  `Please accept the place under Your bookings by ${momentWords(until, zone)}. After that it goes to the next person waiting.`;

/** The addition to a message about a place. `period`: hours after which no answer counts as acceptance; null never, 0 immediately. */
export const answerAsked = (period: number | null): string => {
  if (period === 0) return '';
  const until = period === null ? '' : ` If you say nothing within ${period === 1 ? '1 hour' : `${period} hours`}, you count as coming.`;
  return `Please say under Your bookings whether you can come.${until}`;
};
/** A message with the question to its recipient: on a line of its own if the message has several. */
export const withAsked = (message: string, question: string): string =>
  question === '' ? message : message + (message.includes('\n') ? '\n' : ' ') + question;
