import { addDays, instantOf } from '#contract/rules/days.ts';

type Times = { startTime: string; endTime: string };
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const dayMinutes = 24 * 60;

/** The longest session that may end on the next day, in hours: a longer one is a mistake in its times. */
export const longestOverMidnight = 16;

/** Whether a session ends on the next day: at an hour that is not after the one at which it begins. 20:00 to 00:00 does, too. */
export const endsNextDay = ({ startTime, endTime }: Times): boolean => endTime <= startTime;
/** When a session ends, as people read it. */
export const endWords = (times: Times): string => `${times.endTime}${endsNextDay(times) ? ' the next day' : ''}`;
/** The times of a session as people read them: a session over midnight says that it ends on the next day. */
export const timesWords = (times: Times): string => `${times.startTime} to ${endWords(times)}`;
/** The minutes from the beginning of a session to its end. */
export const sessionMinutes = (times: Times): number => minutesOf(times.endTime) - minutesOf(times.startTime) + (endsNextDay(times) ? dayMinutes : 0);
/** Whether the times of a session can be meant: training for night staff ends the next morning, nothing lasts a day. */
export const areSessionTimes = (times: Times): boolean => !endsNextDay(times) || sessionMinutes(times) <= longestOverMidnight * 60;
/** The minutes from the beginning of a session to a time in it; a time before the beginning is on the next day if the session ends there. */
export const minutesInto = (session: Times, time: string): number => {
  const minutes = minutesOf(time) - minutesOf(session.startTime);
  return minutes < 0 && endsNextDay(session) && minutesOf(time) <= minutesOf(session.endTime) ? minutes + dayMinutes : minutes;
};

/** The instants between which a session takes place. In SQL: `session_starts` and `session_ends`. */
export const sessionInstants = ({ date, ...times }: Times & { date: string }, zone: string): { starts_at: string; ends_at: string } => ({
  starts_at: instantOf(date, times.startTime, zone),
  ends_at: instantOf(endsNextDay(times) ? addDays(date, 1) : date, times.endTime, zone),
});

/** Whether two sessions in one time zone are at the same time. */
export const overlap = (a: Times & { date: string }, b: Times & { date: string }): boolean => {
  const [one, other] = [sessionInstants(a, 'UTC'), sessionInstants(b, 'UTC')];
  return one.starts_at < other.ends_at && other.starts_at < one.ends_at;
};
