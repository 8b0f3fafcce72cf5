import type { Register } from '#contract/entities/training-session.ts';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { companyMessage, type CompanyMessageKind, type MessageFact, preferenceOf } from '#contract/rules/company-messages.ts';
import { dayWords, defaultTimeZone } from '#contract/rules/days.ts';
import { acceptBy, answerAsked, withAsked } from '#contract/rules/delegate-answer.ts';
import { cancellationWords } from '#contract/rules/register.ts';
import { endWords, timesWords } from '#contract/rules/session-times.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import { type ByProduct, tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';

export type Session = Pick<Register, 'date' | 'startTime' | 'venue' | 'room'> & { course: { name: string } };
const placeOf = ({ venue, room }: Pick<Session, 'venue' | 'room'>) => [venue, room].filter(Boolean).join(', ');

/** “Basic life support” on 27/11/2026 at 13:00, Willowbrook House */
export const sessionWords = ({ course, date, startTime, ...where }: Session): string =>
  `“${course.name}” on ${dayWords(date)} at ${startTime}, ${placeOf(where)}`;

const listed = ({ delegates }: Register) => delegates.flatMap((d) => (d.user && d.removed === null ? [d.user] : []));

type Facts = Partial<Record<MessageFact, string>>;
/** The placeholders of a session in messages. */
export const factsOfSession = ({
  course,
  date,
  startTime,
  endTime,
  trainer,
  external_trainer,
  bring,
  ...where
}: Session & Pick<Register, 'endTime' | 'trainer'> & Partial<Pick<Register, 'external_trainer' | 'bring'>>): Facts => ({
  ...{ course: course.name, date: dayWords(date), start: startTime, end: endTime, place: placeOf(where), trainer: external_trainer || trainer.name },
  bring: bring ? `What to bring: ${bring}` : '',
});
/** Messages about a place: its holder may be asked whether they come. */
const givesPlace: readonly CompanyMessageKind[] = ['booked', 'place_free', 'transferred'];
/** Writes a kind of message of a training company to these people, by its settings. The returned ids are only of those to be e-mailed as well. */
export const tellByCompany = async (
  tx: Db,
  sender: string,
  { communication_preferences_json: preferences, delegate_auto_accept_period: period, entity }: CompanySettings,
  kind: CompanyMessageKind,
  people: readonly { id: string; name: string }[],
  facts: Facts,
  now: Date,
  question = givesPlace.includes(kind) ? answerAsked(period) : '',
): Promise<ByProduct> => {
  const texts = people.map(({ id, name }) => ({
    recipient_id: id,
    message: withAsked(companyMessage(preferences, kind, { ...facts, provider: entity.name, name }), question),
  }));
  const written = await tellPeople(tx, sender, texts, now);
  return preferenceOf(preferences, kind).email ? written : { ...written, ids: [] };
};

/** The previous details of a session, for a message about its replacement. */
export const oldFacts = ({ course, date, startTime, ...where }: Session): Facts => ({
  ...{ old_course: course.name, old_date: dayWords(date), old_start: startTime, old_place: placeOf(where) },
});

/** The time zone of an organisation. */
export const zoneOf = async (tx: Db, entity: string): Promise<string> =>
  (await tx.one<{ zone: string }>(often(sql`select time_zone as zone from entity_names where id = ${entity}`)))?.zone ?? defaultTimeZone;

const isMoved = (before: Register, after: Register) =>
  (['date', 'startTime', 'endTime', 'venue', 'room'] as const).some((field) => before[field] !== after[field]);

/**
 * People who booked somebody on the list of a session, or added them to it, and are not on it themselves. The booker stays even if the provider
 * took somebody off and put them back.
 */
const bookersOf = async (tx: Db, session: Register): Promise<string[]> => {
  const who = sql`select d.added_by as id from session_delegates d where d.session_id = ${session.id} and d.removed_at is null
    union select b.created_by from session_delegates d join bookings b on b.id = d.booking_id and b.cancelled_at is null
    where d.session_id = ${session.id} and d.removed_at is null`;
  const delegates = listed(session).map(({ id }) => id);
  return (await tx.all<{ id: string }>(who)).map((b) => b.id).filter((id) => !delegates.includes(id));
};

/** The messages about a change of a session to its trainers, and, if it is moved or cancelled, to the people who booked. */
const staffLetters = async (tx: Db, before: Register, after: Register): Promise<{ to: string[]; message: string }[]> => {
  if (after.completed) return [];
  const [were, are] = [before.trainer.id, after.trainer.id];
  if (after.cancelled) {
    if (before.cancelled) return [];
    const onList = listed(after).some(({ id }) => id === are);
    const bookersAndFormer = new Set([...(onList ? [] : [are]), ...(await bookersOf(tx, after))]);
    const why = cancellationWords(after.cancelled.reason_id, after.cancelled.notes);
    return [{ to: [...bookersAndFormer], message: `${sessionWords(after)} is cancelled. Reason: ${why}` }];
  }
  const moved = `${sessionWords(before)} has changed. It is now on ${dayWords(after.date)}, ${timesWords(after)}, ${placeOf(after)}.`;
  const trainers =
    are === were
      ? []
      : [
          { to: [are], message: `You give ${sessionWords(after)}, until ${endWords(after)}.` },
          { to: [were], message: `You no longer give ${sessionWords(after)}: ${after.trainer.name} does.` },
        ];
  if (!isMoved(before, after)) return trainers;
  const told = are === were ? [] : [are, were];
  const others = new Set([...(are === were ? [are] : []), ...(await bookersOf(tx, after))].filter((id) => !told.includes(id)));
  return [...trainers, { to: [...others], message: moved }];
};

/** The deadline by which somebody who moved up can accept their place. */
const untilOf = ({ delegates }: Register, id: string): string | undefined => {
  const answer = delegates.find((d) => d.user?.id === id && d.removed === null)?.answer;
  return answer?.at === null && answer.lapses_at ? answer.lapses_at : undefined;
};
const together = (sender: string, written: readonly ByProduct[]): ByProduct => ({
  sender,
  name: written.find((w) => w.name)?.name ?? '',
  ids: written.flatMap((w) => w.ids),
  told: written.flatMap((w) => w.told),
});
type Letter = { kind: CompanyMessageKind; to: { id: string; name: string }[]; facts?: Facts; until?: string | undefined };
/** The messages about a change of a session, with their recipients. Contains nothing that they need not know. */
const lettersOf = (before: Register, after: Register): Letter[] => {
  if (after.completed) return [];
  const [were, are] = [listed(before), listed(after)];
  const among = (list: readonly { id: string }[]) => (person: { id: string }) => list.some(({ id }) => id === person.id);
  if (after.cancelled)
    return before.cancelled
      ? []
      : [{ kind: 'cancelled', to: are, facts: { reason: cancellationWords(after.cancelled.reason_id, after.cancelled.notes) } }];
  const moved = isMoved(before, after);
  return [
    { kind: 'booked', to: are.filter((person) => !among(were)(person)) },
    { kind: 'removed', to: were.filter((person) => !among(are)(person)) },
    // People who moved up and have not accepted have deadlines of their own.
    ...(moved
      ? [...Map.groupBy(are.filter(among(were)), (person) => untilOf(after, person.id))].map(([until, to]) => ({
          ...{ kind: 'moved' as const, to, facts: oldFacts(before), until },
        }))
      : []),
    ...(before.bring === after.bring
      ? []
      : [{ kind: 'bring' as const, to: are.filter(among(were)), facts: after.bring ? {} : { bring: 'There is nothing to bring any more.' } }]),
  ];
};

/**
 * Notifies the people on the list of a session, and its trainers, of their changes. In the transaction that makes the change; call
 * `messages.mailed` after it.
 */
export const tellDelegates = async (tx: Db, sender: string, before: Register, after: Register, now: Date): Promise<ByProduct> => {
  const letters = lettersOf(before, after).filter(({ to }) => to.length > 0);
  const settings = letters.length > 0 ? await companySettings(tx, after.entity.id) : null;
  const done: ByProduct[] = [];
  for (const { kind, to, facts, until } of settings ? letters : []) {
    const question = until && acceptBy(until, await zoneOf(tx, after.entity.id));
    done.push(await tellByCompany(tx, sender, settings as CompanySettings, kind, to, { ...factsOfSession(after), ...facts }, now, question));
  }
  const staff = (await staffLetters(tx, before, after)).flatMap(({ to, message }) => to.map((recipient_id) => ({ recipient_id, message })));
  done.push(await tellPeople(tx, sender, staff, now));
  return together(sender, done);
};

/**
 * Notifies the people on the list, those who booked them and the trainer that a session was held on its original day, before it was moved.
 * In the transaction that records this.
 */
export const tellHeldBefore = async (tx: Db, sender: string, before: Register, after: Register, now: Date): Promise<ByProduct> => {
  const facts = { ...factsOfSession(after), old_date: dayWords(before.date) };
  const toDelegates = await tellByCompany(tx, sender, await companySettings(tx, after.entity.id), 'held_before', listed(after), facts, now);
  const message = `“${after.course.name}” was held on ${dayWords(after.date)}, and not on ${dayWords(before.date)}.`;
  const notListed = new Set([after.trainer.id, ...(await bookersOf(tx, after))]);
  const others = [...notListed].filter((id) => !listed(after).some((person) => person.id === id));
  const toOthers = await tellPeople(
    tx,
    sender,
    others.map((recipient_id) => ({ recipient_id, message })),
    now,
  );
  return together(sender, [toDelegates, toOthers]);
};

/** Notifies people whose certificates were released. In the transaction that does it. */
export const tellReleased = async (tx: Db, sender: string, register: Register, now: Date): Promise<ByProduct> => {
  const people = register.delegates.flatMap((d) => (d.user && d.recorded ? [d.user] : []));
  return tellByCompany(tx, sender, await companySettings(tx, register.entity.id), 'certificate_released', people, factsOfSession(register), now);
};

/** Notifies the person who takes the register that it must be finished again. In the transaction that marks it as incomplete. */
export const tellIncomplete = (tx: Db, sender: string, register: Register, now: Date): Promise<ByProduct> => {
  const message = `The register of ${sessionWords(register)} is marked as incomplete: ${register.incomplete?.reason} Please complete it and finish it again.`;
  return tellPeople(tx, sender, [{ recipient_id: register.trainer.id, message }], now);
};
