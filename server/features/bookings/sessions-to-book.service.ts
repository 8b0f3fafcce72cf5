import { overlap, timesWords } from '#contract/rules/session-times.ts';
import { type bookingCalendar, type bookingMonth, mostDays, mostShown } from '#contract/api/manage-bookings.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type { CalendarMonth, CalendarSession, Eligibility } from '#contract/entities/booking.ts';
import { addDays, dayIn, daysBetween, dayWords } from '#contract/rules/days.ts';
import type { Actor } from '#server/actor.ts';
import { contains } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { bookableSession, calendarOf, inCalendar, monthOf, namesOfChosen } from '#server/features/bookings/bookings.rows.ts';
import { standingsOf } from '#server/features/results/standings.rows.ts';
import { time } from '#server/features/training-sessions/registers.rows.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Session = { id: string; date: string; start: string; end: string; course_id: string; course_no: number; title: string };
type Other = { user_id: string; id: string; date: string; title: string; start: string; end: string };

/** The requested days. Throws `invalid_input` if there are too many, or the last is before the first. */
const inPeriod = ({ from, until }: { from: string; until: string }): Statement => {
  if (until < from) throw invalid('until', 'This is before the first day.');
  if (daysBetween(from, until) > mostDays) throw invalid('until', `Choose no more than ${mostDays} days.`);
  return sql`t.date between ${from}::date and ${until}::date`;
};
type Chosen = Partial<Record<'trainer' | 'course' | 'provider', string | undefined>>;
const ofThese = ({ trainer, course, provider }: Chosen): Statement => sql`${trainer ? sql`t.trainer_id = ${trainer}` : sql`true`}
  and ${course ? sql`t.course_id = ${course}` : sql`true`} and ${provider ? sql`t.entity_id = ${provider}` : sql`true`}`;

const timesOf = ({ date, start, end }: Pick<Session, 'date' | 'start' | 'end'>) => ({ date, startTime: start, endTime: end });

/** Sessions to choose from, and the warnings to consider before booking somebody on one. */
export const sessionsToBookOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => ({
  calendar: async (actor: Actor, query: QueryOf<typeof bookingCalendar>): Promise<CalendarSession[]> => {
    const { venue, open } = query;
    const where = sql`${inPeriod(query)} and ${ofThese(query)} and ${contains([sql`t.venue`], venue)}
      and ${open ? sql`t.cancelled_at is null and ${bookableSession(actor)}` : sql`true`}`;
    const found = await calendarOf(db, actor, await inCalendar(db, actor), where, now(), mostShown);
    return open ? found.filter((s) => s.open) : found;
  },

  month: async (actor: Actor, query: QueryOf<typeof bookingMonth>): Promise<CalendarMonth> => {
    const chosen = sql`(${ofThese(query)} and ${query.venue === undefined ? sql`true` : sql`t.venue = ${query.venue}`})`;
    const period = inPeriod(query);
    const inOwnCalendar = await inCalendar(db, actor);
    const { days, choices } = await monthOf(db, inOwnCalendar, period, chosen, query.per_day);
    const ids = days.flatMap((day) => day.ids);
    const found = Map.groupBy(await calendarOf(db, actor, inOwnCalendar, sql`t.id = any(${ids}::uuid[])`, now(), mostShown), (s) => s.date);
    return {
      days: days.map(({ date, total }) => ({ date, total, sessions: found.get(date) ?? [] })),
      ...choices,
      chosen: await namesOfChosen(db, inOwnCalendar, query),
    };
  },

  /**
   * By session and person: warnings against a booking, and why it is impossible. Only the impossible is refused; warnings are for the
   * person who books.
   */
  eligibility: async (actor: Actor, sessionIds: readonly string[], ids: readonly string[]): Promise<Eligibility[]> => {
    const sessions =
      await db.all<Session>(sql`select t.id, t.date::text as date, ${time(sql`t.start_time`)} as start, ${time(sql`t.end_time`)} as "end",
        t.course_id, k.no as course_no, k.title
      from training_sessions t join course_titles k on k.id = t.course_id where t.id = any(${[...sessionIds]}::uuid[]) and ${bookableSession(actor)} order by t.date, t.start_time, t.id`);
    if (sessions.length !== new Set(sessionIds).size) throw new ProductError('not_found');
    const people = await db.all<{
      id: string;
      name: string;
      zone: string;
      leave_from: string | null;
      leave_until: string | null;
    }>(sql`select u.id, u.name, e.time_zone as zone, u.leave_from, u.leave_until from users u join entity_names e on e.id = u.primary_entity_id
      where u.id = any(${[...ids]}::uuid[]) and u.disabled_at is null and ${visiblePerson(actor)} order by u.name, u.id`);
    const known = people.map((p) => p.id);
    const standings = await standingsOf(db, known);
    // A session of the night before may not be over yet, and one of this night goes on.
    const near = [...new Set(sessions.flatMap((s) => [addDays(s.date, -1), s.date, addDays(s.date, 1)]))];
    const courses = sessions.map((s) => s.course_id);
    // For the caller's own people, but possibly on other organisations' sessions.
    const { others, missing } = await beyondScope(async () => ({
      others:
        await db.all<Other>(sql`select x.user_id, t.id, t.date::text as date, k.title, ${time(sql`t.start_time`)} as start, ${time(sql`t.end_time`)} as "end"
        from (select session_id, user_id from session_delegates where user_id = any(${known}::uuid[]) and same_as is null and removed_at is null
            union select session_id, user_id from session_waiting where user_id = any(${known}::uuid[])) x
          join training_sessions t on t.id = x.session_id and t.cancelled_at is null and t.date = any(${near}::date[]) join course_titles k on k.id = t.course_id
        order by t.start_time, t.id`),
      missing: await db.all<{
        user_id: string;
        course_id: string;
        titles: string;
      }>(sql`select x.id as user_id, x.course_id, string_agg(x.titles, '; ') as titles from (
          select u.id, f.course_id, p.group_no, string_agg(distinct c.title, ' or ') as titles
          from users u cross join contents f join content_prerequisites p on p.content_id = f.id join contents c on c.id = p.required_content_id
          where u.id = any(${known}::uuid[]) and f.course_id = any(${courses}::uuid[]) and f.type = 'face2face' and f.deleted_at is null
          group by u.id, f.id, p.group_no
          having not bool_or(exists (select 1 from current_results r where r.user_id = u.id and (r.content_id = c.id or r.course_id = c.course_id)))) x group by x.id, x.course_id`),
    }));
    return sessions.flatMap((session) =>
      people.map(({ id, name, zone, leave_from: leaves, leave_until: returns }) => {
        const theirs = others.filter((o) => o.user_id === id && (o.date === session.date || overlap(timesOf(o), timesOf(session))));
        // Sessions chosen together are compared too: nobody is at two at once. Different times were chosen on purpose.
        const chosen = sessions.filter((s) => s !== session && overlap(timesOf(s), timesOf(session)));
        const counting = (standings.get(id) ?? []).find((s) => s.course_no === session.course_no);
        const until = counting?.expires_at ? new Intl.DateTimeFormat('en-GB', { timeZone: zone }).format(new Date(counting.expires_at)) : null;
        const inDate = counting && (counting.expires_at === null || dayIn(counting.expires_at, zone) >= session.date);
        const needs = missing.find((m) => m.user_id === id && m.course_id === session.course_id);
        return {
          user: { id, name },
          session: { id: session.id, title: session.title, on: session.date },
          refused: theirs.some((o) => o.id === session.id) ? 'On this session already, or waiting for it.' : null,
          warnings: [
            ...(leaves && leaves <= session.date && (!returns || session.date <= returns)
              ? [`On leave from ${dayWords(leaves)}${returns ? ` until ${dayWords(returns)}` : ', with no last day named'}.`]
              : []),
            ...(inDate ? [`In date ${until ? `until ${until}` : 'for good'}.`] : []),
            ...(needs ? [`Has not done ${needs.titles} yet, which has to be done first.`] : []),
            ...theirs.filter((o) => o.id !== session.id).map((o) => `On “${o.title}” on ${dayWords(o.date)}, ${timesWords(timesOf(o))}.`),
            ...chosen
              .filter((s) => !theirs.some((o) => o.id === s.id))
              .map((s) => `“${s.title}”, which you chose as well, is at the same time: ${timesWords(timesOf(s))}.`),
          ],
        };
      }),
    );
  },
});
