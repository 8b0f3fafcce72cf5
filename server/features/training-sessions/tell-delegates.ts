import type { Register } from '#contract/entities/training-session.ts';
import { dayWords } from '#contract/rules/days.ts';
import type { Db } from '#server/db/sql.ts';
import { type ByProduct, tellPeople } from '#server/features/messages/messages.service.ts';

type Session = Pick<Register, 'date' | 'startTime' | 'venue' | 'room'> & { course: { name: string } };
const placeOf = ({ venue, room }: Pick<Session, 'venue' | 'room'>) => [venue, room].filter(Boolean).join(', ');

/** “Basic life support” on 27/11/2026 at 13:00, Willowbrook House */
export const sessionWords = ({ course, date, startTime, ...where }: Session): string =>
  `“${course.name}” on ${dayWords(date)} at ${startTime}, ${placeOf(where)}`;

const listed = ({ delegates }: Register) => delegates.flatMap((d) => (d.user && d.removed === null ? [d.user.id] : []));

/** What a change of a session says to people: to whom. Nothing of what they need not know. */
const lettersOf = (before: Register, after: Register): { to: string[]; message: string }[] => {
  if (after.completed) return [];
  const [were, are] = [listed(before), listed(after)];
  if (after.cancelled) return before.cancelled ? [] : [{ to: are, message: `${sessionWords(after)} is cancelled. Reason: ${after.cancelled.notes}` }];
  const stay = are.filter((id) => were.includes(id));
  const moved = (['date', 'startTime', 'endTime', 'venue', 'room'] as const).some((field) => before[field] !== after[field]);
  return [
    { to: are.filter((id) => !were.includes(id)), message: `You are booked on ${sessionWords(after)}, until ${after.endTime}.` },
    { to: were.filter((id) => !are.includes(id)), message: `You are no longer booked on ${sessionWords(after)}.` },
    ...(moved
      ? [
          {
            to: stay,
            message: `${sessionWords(before)} has changed. It is now on ${dayWords(after.date)}, ${after.startTime} to ${after.endTime}, ${placeOf(after)}.`,
          },
        ]
      : []),
  ];
};

/** Tells those on the list of a session what has changed for them. In the transaction that changes it; call `messages.mailed` after it. */
export const tellDelegates = async (tx: Db, sender: string, before: Register, after: Register, now: Date): Promise<ByProduct> => {
  const texts = lettersOf(before, after).flatMap(({ to, message }) => to.map((recipient_id) => ({ recipient_id, message })));
  return tellPeople(tx, sender, texts, now);
};
