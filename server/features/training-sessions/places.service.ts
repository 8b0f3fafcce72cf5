import { randomUUID } from 'node:crypto';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { dayWords, instantOf } from '#contract/rules/days.ts';
import { insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { ByProduct } from '#server/features/messages/messages.service.ts';
import { listsOf, registerOf, type SessionList, touch, type WholeList } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession, sessionWords, tellByCompany, tellDelegates, zoneOf } from '#server/features/training-sessions/tell-delegates.ts';
import { fillPlaces, putOnList } from '#server/features/training-sessions/waiting-list.ts';
import type { Actor } from '#server/actor.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import type { By } from '#server/note-change.ts';

type Person = { id: string; name: string };

/** Locks sessions until the transaction ends, always in the same order: nobody else gives or takes their places meanwhile. */
export const lockSessions = async (tx: Db, ids: readonly string[]): Promise<void> => {
  await Promise.all([...new Set(ids.toSorted())].map((id) => lockEntity(tx, id)));
};

/** A session with its whole list, even if the caller does not see it: for the server's decisions, never for an answer. */
export const wholeRegister = (tx: Db, actor: Actor, id: string): Promise<Register> => registerOf(tx, { ...actor, seesAll: true }, id);

/**
 * Changes who has a place on a session locked by `lockSessions`, beyond the caller's scope, and notifies the people on its list of their
 * changes. Call `messages.mailed` with the answer after the transaction, and `fillPlaces` if a place may have become free.
 */
export const changePlaces = async (tx: Db, { actor }: By, id: string, now: Date, work: (before: Register) => Promise<void>): Promise<ByProduct> => {
  const before = await wholeRegister(tx, actor, id);
  await work(before);
  await touch(tx, id);
  return tellDelegates(tx, actor.user.uuid, before, await wholeRegister(tx, actor, id), now);
};

/** Why nobody can be added to the list of a session any more; null if they can. `zone`: that of its provider, if known. */
export const whyClosed = async (tx: Db, session: SessionList, now: Date, zone?: string): Promise<string | null> => {
  const words = `“${session.course.name}” on ${dayWords(session.date)}`;
  if (session.cancelled) return `${words} is cancelled.`;
  const timeZone = zone ?? (await zoneOf(tx, session.entity.id));
  const begun = instantOf(session.date, session.startTime, timeZone) <= now.toISOString();
  return begun || session.completed ? `${words} has begun already.` : null;
};

const places = (n: number) => (n === 0 ? 'no place is' : n === 1 ? '1 place is' : `${n} places are`);
/** Why people cannot all be added to a list. */
export const tooFewPlaces = (session: SessionList, left: number, people: number): string =>
  `“${session.course.name}” on ${dayWords(session.date)}: ${places(left)} left for ${people === 1 ? '1 person' : `${people} people`}. Put those who get no place on the waiting list, or choose another session.`;
/** The message to people who join the waiting list of a session. */
export const waitsWords = (session: SessionList): string =>
  `${sessionWords(session)} is full. You are on its waiting list: as soon as there is a place, you get it and are told, also if and until when you have to accept it.`;

/** How many places are left; null for any number. */
export const placesLeft = ({ maxDelegates, delegates }: SessionList): number | null =>
  maxDelegates === null ? null : Math.max(0, maxDelegates - delegates.filter((d) => d.removed === null).length);

/** Adds people to the list of a session while there are places, in order. Returns those without a place. */
export const givePlaces = async (
  tx: Db,
  { actor }: By,
  session: SessionList,
  people: readonly Person[],
  now: Date,
  period: { period?: number | null } = {},
): Promise<Person[]> => {
  const left = placesLeft(session) ?? people.length;
  await putOnList(tx, session.id, people.slice(0, left), actor.user.uuid, now, {
    ...period,
    were: session.delegates.flatMap((d) => d.user?.id ?? []),
  });
  return people.slice(left);
};
/** The same for people without a place, as the only change of the session: notifies them by the settings of its provider. */
export const bookPlaces = async (
  tx: Db,
  by: By,
  session: SessionList,
  people: readonly Person[],
  settings: CompanySettings,
  now: Date,
): Promise<{ rest: Person[]; letter: ByProduct }> => {
  const booked = people.slice(0, placesLeft(session) ?? people.length);
  const [rest, , letter] = await Promise.all([
    givePlaces(tx, by, session, people, now, { period: settings.delegate_auto_accept_period }),
    touch(tx, session.id),
    tellByCompany(tx, by.actor.user.uuid, settings, 'booked', booked, factsOfSession(session), now),
  ]);
  return { rest, letter };
};

/** Adds people to the end of a session's waiting list. */
export const letWait = async (tx: Db, { actor }: By, session: string, people: readonly Person[], now: Date): Promise<void> => {
  const row = { session_id: session, added_by: actor.user.uuid, added_at: now };
  for (const { id: user_id } of people)
    await tx.run(sql`${insertRow('session_waiting', { id: randomUUID(), ...row, user_id })} on conflict do nothing`);
};

/** Removes people from the list of a session and its waiting list. */
export const takePlaces = async (tx: Db, { actor }: By, session: string, userIds: readonly string[], reason: string, now: Date): Promise<void> => {
  const who = sql`session_id = ${session} and user_id = any(${[...userIds]}::uuid[])`;
  const values = { removed_at: now, removed_by: actor.user.uuid, removed_why: reason };
  await updateRows(tx, 'session_delegates', values, sql`${who} and removed_at is null and same_as is null`);
  await tx.run(sql`delete from session_waiting where ${who}`);
};

export { fillPlaces, listsOf, type SessionList, sessionWords, type WholeList };
