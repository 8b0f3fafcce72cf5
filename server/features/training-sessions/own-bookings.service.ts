import { sessionInstants } from '#contract/rules/session-times.ts';
import { beforeDay } from '#server/features/training-sessions/registers.rows.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import type { CancellationReason } from '#contract/entities/training-session.ts';
import { addMonthsToDay, dayIn } from '#contract/rules/days.ts';
import { answerState } from '#contract/rules/delegate-answer.ts';
import { cancellationWords } from '#contract/rules/register.ts';
import { beyondScope } from '#server/db/scope.ts';
import { existing, reference, updateRows } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { documentsForDelegates, type StoredDocument, storedDocument } from '#server/features/training-sessions/documents.rows.ts';
import { askedOf } from '#server/features/training-sessions/evaluations.rows.ts';
import { answerJson, time, touch } from '#server/features/training-sessions/registers.rows.ts';
import { accept, fillPlaces } from '#server/features/training-sessions/waiting-list.ts';
import { sessionWords } from '#server/features/training-sessions/tell-delegates.ts';
import type { Actor } from '#server/actor.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

const keptMonths = 12;
const mostListed = 200;
const hourMs = 3_600_000;

type Row = Omit<OwnBooking, 'zone' | 'starts_at' | 'ends_at' | 'state' | 'reason' | 'waiting_no'> & {
  /** Waiting for a place. */
  waits: boolean;
  zone: string;
  cancelled: boolean;
  cancellation_reason_id: CancellationReason | null;
  cancellation_notes: string;
  removed: boolean;
  by_self: boolean;
  lapsed: boolean;
  removed_why: string;
  recorded: boolean;
  finished: boolean;
};

/** The actor's own places on sessions, and on waiting lists: `d`. */
const ownPlaces = sql`(select id, session_id, user_id, added_by, removed_at, removed_by, removed_why, same_as, false as waits, move_asked_at is not null and move_agreed_at is null as move_asked, asked_at, accepted_at, accepts_at, lapses_at, lapsed_at, declined_at from session_delegates
  union all select id, session_id, user_id, added_by, null, null, '', null, true, false, null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz from session_waiting)`;
/** The state of the actor's own places `d` on their sessions `t`. */
const rowsOf = (on: Db, actor: Actor, where: Statement): Promise<Row[]> =>
  on.all<Row>(sql`select d.id, d.waits, t.id as session_id, (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = t.course_id) as course,
      (select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) from entity_names e where e.id = t.entity_id) as entity,
      ${reference('person_names', sql`t.trainer_id`)} as trainer, ${reference('person_names', sql`d.added_by`)} as added_by,
      t.date::text as date, ${time(sql`t.start_time`)} as "startTime", ${time(sql`t.end_time`)} as "endTime", t.venue, t.room, coalesce(v.address, '') as address,
      case when v.id is not null then json_build_object('step_free', v.step_free, 'hearing_loop', v.hearing_loop, 'parking', v.parking, 'notes', v.access_notes) end as access,
      t.aim, t.bring, t.external_trainer, t.virtual, t.joining_link, t.grading_method, t.rev, t.cancelled_at is not null as cancelled, t.cancellation_reason_id, t.cancellation_notes, d.removed_at is not null as removed,
      d.declined_at is not null as by_self, d.lapsed_at is not null as lapsed, d.removed_why, d.move_asked, ${answerJson} as answer,
      (select json_build_object('at', ${instant(sql`c.at`)}, 'late', c.late) from check_ins c where c.session_id = t.id and c.user_id = d.user_id) as checked_in, exists (select 1 from current_results r where r.delegate_id = d.id) as recorded,
      exists (select 1 from current_completions c where c.session_id = t.id) as finished, z.time_zone as zone,
      case when d.waits or d.removed_at is not null then '[]' else ${documentsForDelegates} end as documents, ${askedOf} as evaluation
    from ${ownPlaces} d join training_sessions t on t.id = d.session_id left join venues v on v.id = t.venue_id
      join entity_names z on z.id = t.entity_id
    where d.user_id = ${actor.user.uuid} and d.same_as is null and ${where} limit ${mostListed}`);

/** People's own places on training sessions. */
export const ownBookingsOf = (services: Services) => {
  const { db, now } = services;
  const bookingOf = (
    { waits, zone, cancelled, cancellation_reason_id, cancellation_notes, removed, by_self, lapsed, removed_why, recorded, finished, ...row }: Row,
    waiting_no: number | null = null,
  ): OwnBooking => {
    const { starts_at, ends_at } = sessionInstants(row, zone);
    const over = finished || ends_at <= now().toISOString();
    const state = recorded
      ? 'recorded'
      : cancelled
        ? 'cancelled'
        : removed
          ? by_self
            ? 'not_coming'
            : 'removed'
          : over
            ? 'past'
            : waits
              ? 'waiting'
              : 'booked';
    return {
      ...row,
      zone,
      documents: state === 'cancelled' ? [] : row.documents,
      answer: state === 'booked' ? row.answer : null,
      move_asked: row.move_asked && state === 'booked' && answerState(row.answer, now().toISOString()) === 'asked',
      joining_link: state === 'booked' ? row.joining_link : '',
      starts_at,
      ends_at,
      state,
      waiting_no: state === 'waiting' ? waiting_no : null,
      reason:
        state === 'cancelled'
          ? cancellationWords(cancellation_reason_id, cancellation_notes)
          : state === 'not_coming' || (state === 'removed' && lapsed)
            ? removed_why
            : '',
    };
  };
  /** Their positions on the waiting list. Other people's are not shown. */
  const waitingNumbers = async (rows: readonly Row[]): Promise<Map<string, number>> => {
    const ids = rows.map((r) => r.id);
    if (ids.length === 0) return new Map();
    const found = await beyondScope(() =>
      db.all<{ id: string; n: number }>(
        sql`select w.id, (select count(*)::int from session_waiting o where o.session_id = w.session_id and o.seq <= w.seq) as n from session_waiting w where w.id = any(${ids}::uuid[])`,
      ),
    );
    return new Map(found.map((f) => [f.id, f.n]));
  };
  return {
    list: async (actor: Actor): Promise<OwnBooking[]> => {
      const today = dayIn(now(), actor.user.time_zone);
      const coming = await rowsOf(db, actor, sql`not ${beforeDay(today)} order by t.date, t.start_time, t.id`);
      const past = await rowsOf(
        db,
        actor,
        sql`${beforeDay(today)} and t.date >= ${addMonthsToDay(today, -keptMonths)}::date order by t.date desc, t.start_time desc, t.id`,
      );
      const waits = coming.filter((row) => row.waits);
      const places = await waitingNumbers(waits);
      // A person removed from the list who waits again counts as waiting; a session without a booking is not a past booking.
      return [
        ...coming.filter((row) => row.waits || !(row.removed && waits.some((w) => w.session_id === row.session_id))),
        ...past.filter((row) => !row.waits),
      ]
        .map((row) => bookingOf(row, places.get(row.id) ?? null))
        .filter((b) => b.state !== 'past' || !waits.some((w) => w.id === b.id));
    },
    /** A document of a session, for people with a place on it. */
    document: async (actor: Actor, id: string, documentId: string): Promise<StoredDocument> => {
      const { documents = [] } = bookingOf(existing((await rowsOf(db, actor, sql`d.id = ${id}`))[0]));
      existing(documents.find((d) => d.id === documentId));
      return storedDocument(db, documentId);
    },
    /** Accepts the caller's place on a session, also after it was moved. */
    accept: async (actor: Actor, id: string): Promise<OwnBooking> => {
      const reload = async () => existing((await rowsOf(db, actor, sql`d.id = ${id}`))[0]);
      const ownRow = await reload();
      const before = bookingOf(ownRow);
      if (before.state === 'past' || before.state === 'recorded' || (before.state === 'booked' && before.starts_at <= now().toISOString()))
        throw new ProductError('session_over', { message: 'This session has begun. Talk to your trainer.' });
      if (before.state !== 'booked')
        throw new ProductError('session_over', { message: 'You have no place on this session any more. Talk to the person who booked you.' });
      if (!before.answer || before.answer.at !== null) return before;
      // The row belongs to the session's organisation, which the person may not see.
      const accepted = await beyondScope(() =>
        db.tx(async (tx) => {
          await lockEntity(tx, ownRow.session_id);
          const inTime = await accept(tx, id, now(), 'in time');
          if (inTime) await touch(tx, ownRow.session_id);
          return inTime;
        }),
      );
      if (!accepted) throw new ProductError('session_over', { message: 'The time to accept this place is over. Talk to the person who booked you.' });
      return bookingOf(await reload());
    },
    /** Gives up the caller's place or their wait; the people who booked them and the trainer are notified of the reason. */
    cancel: async (by: By, id: string, reason: string): Promise<OwnBooking> => {
      const { actor } = by;
      const load = async (on: Db) => existing((await rowsOf(on, actor, sql`d.id = ${id}`))[0]);
      const asked = await load(db);
      // The row belongs to the session's organisation, which the person may not see.
      const { given, freed } = await beyondScope(() =>
        db.tx(async (tx) => {
          await lockEntity(tx, asked.session_id);
          const row = await load(tx);
          const before = bookingOf(row);
          if (before.state === 'not_coming') return { given: before, freed: false };
          if (!['booked', 'waiting'].includes(before.state) || before.starts_at <= now().toISOString())
            throw new ProductError('session_over', { message: 'This session has begun or is not on any more. Talk to your trainer.' });
          if (row.waits) {
            await tx.run(sql`delete from session_waiting where id = ${id}`);
            return { given: { ...before, state: 'not_coming' as const, waiting_no: null, reason }, freed: false };
          }
          // A person who moved up and has not accepted yet breaks no promise, so the provider's notice period does not apply.
          const movedUp = before.answer?.at === null && before.answer.lapses_at;
          const hours = movedUp ? 0 : (await companySettings(tx, row.entity.id)).delegate_removal_cutoff_hours;
          if (Date.parse(before.starts_at) - hours * hourMs <= now().getTime())
            throw new ProductError('session_over', {
              message: `Places are given up at least ${hours === 1 ? '1 hour' : `${hours} hours`} before the session. Talk to your trainer, or to who booked you.`,
            });
          const declined = { removed_at: now(), removed_by: actor.user.uuid, removed_why: reason, declined_at: now() };
          await updateRows(tx, 'session_delegates', declined, sql`id = ${id}`);
          await touch(tx, row.session_id);
          const subject = { kind: 'session' as const, id: row.session_id, name: `${row.course.name}, ${row.date}` };
          const after = { delegate_removed: actor.user.name, reason };
          await noteChange(tx, by, now(), { entityId: row.entity.id, action: 'updated', subject, after });
          const recipients = new Set([row.added_by.id, row.trainer.id]);
          const message = `I cannot come to ${sessionWords(row)}. Reason: ${reason}`;
          const texts = [...recipients].map((recipient_id) => ({ recipient_id, message }));
          await messagesOf(services).mailedWith(tx, [await tellPeople(tx, actor.user.uuid, texts, now())]);
          return { given: { ...before, state: 'not_coming' as const, reason }, freed: true };
        }),
      );
      if (freed) {
        services.mail.wake();
        await fillPlaces(services, asked.session_id);
      }
      return given;
    },
  };
};
