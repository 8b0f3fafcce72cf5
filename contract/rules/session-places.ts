import { daysBetween } from '#contract/rules/days.ts';

/** How many days before a session its planner is told that too few people are booked; from then on it is at risk. */
export const riskDays = 7;

type Places = { delegates: number; maxDelegates: number | null; waiting?: number | undefined };
/** How a session is filled, in words: 4, 4 of 12, Full, Full, 3 waiting. */
export const placesWords = ({ delegates, maxDelegates, waiting = 0 }: Places): string => {
  const taken = maxDelegates === null ? String(delegates) : delegates >= maxDelegates ? 'Full' : `${delegates} of ${maxDelegates}`;
  return waiting > 0 ? `${taken}, ${waiting} waiting` : taken;
};

type Minimum = { date: string; delegates: number; minDelegates: number | null; cancelled: unknown; completed: unknown };
/**
 * How a session that is still to come stands with the fewest it is held for: `reached`; `few`, with time left to find more; `risk`, within `riskDays` of
 * its day. Null where that is no question.
 */
export const minimumOf = ({ date, delegates, minDelegates, cancelled, completed }: Minimum, today: string): 'reached' | 'few' | 'risk' | null => {
  if (!minDelegates || cancelled || completed || date < today) return null;
  if (delegates >= minDelegates) return 'reached';
  return daysBetween(today, date) <= riskDays ? 'risk' : 'few';
};
