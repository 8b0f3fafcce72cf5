import { daysBetween } from '#contract/rules/days.ts';

/** How many days before a session its planner is told that too few people are booked; from then on it is at risk. */
export const riskDays = 7;

type Places = { delegates: number; maxDelegates: number | null; waiting?: number | undefined };
/** How full a session is, in words: 4, 4 of 12, Full, Full, 3 waiting. */
export const placesWords = ({ delegates, maxDelegates, waiting = 0 }: Places): string => {
  const taken = maxDelegates === null ? String(delegates) : delegates >= maxDelegates ? 'Full' : `${delegates} of ${maxDelegates}`;
  return waiting > 0 ? `${taken}, ${waiting} waiting` : taken;
};

type Minimum = { date: string; delegates: number; minDelegates: number | null; cancelled: unknown; completed: unknown };
/**
 * Whether a coming session has its minimum of delegates: `reached`; `few`, with time left to find more; `risk`, within `riskDays` of
 * its day. Null if it has no minimum.
 */
export const minimumOf = ({ date, delegates, minDelegates, cancelled, completed }: Minimum, today: string): 'reached' | 'few' | 'risk' | null => {
  if (!minDelegates || cancelled || completed || date < today) return null;
  if (delegates >= minDelegates) return 'reached';
  return daysBetween(today, date) <= riskDays ? 'risk' : 'few';
};
