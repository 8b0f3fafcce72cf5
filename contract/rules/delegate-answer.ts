/** Whether somebody on the list of a session has said that they come. Pure, so that a device tells without a connection. */
type Answer = {
  /** When they said that they come. */
  at: string | null;
  /** From when on no answer counts as coming; null never. */
  counts_at: string | null;
};

/** `asked`: they have not answered yet; `accepted`: they come, as they said or as no answer counts. Null where nobody asks them. */
export const answerState = (answer: Answer | null | undefined, now: string): 'asked' | 'accepted' | null => {
  if (!answer) return null;
  return answer.at !== null || (answer.counts_at !== null && answer.counts_at <= now) ? 'accepted' : 'asked';
};

/** What is added to a message that tells of a place. `period`: hours after which no answer counts as coming; null never, 0 at once. */
export const answerAsked = (period: number | null): string => {
  if (period === 0) return '';
  const until = period === null ? '' : ` If you say nothing within ${period === 1 ? '1 hour' : `${period} hours`}, you count as coming.`;
  return ` Please say under Your bookings whether you can come.${until}`;
};
