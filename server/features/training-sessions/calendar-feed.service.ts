import { calendarFeed, ownCalendarFeed } from '#contract/api/bookings.ts';
import { can } from '#contract/can.ts';
import { type CalendarFeed, feedReadsAnHour } from '#contract/entities/calendar-feed.ts';
import { protocol } from '#contract/protocol.ts';
import { calendarFeed as feedOf } from '#contract/rules/calendar-file.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { instant, sql } from '#server/db/sql.ts';
import { ownBookingsOf } from '#server/features/training-sessions/own-bookings.service.ts';
import { ProductError } from '#server/product-error.ts';
import { restrictionOf } from '#server/security/restricted-access.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';
import { createThrottle } from '#server/security/throttle.ts';
import type { Services } from '#server/services.ts';

const hourMs = 3_600_000;
const none: CalendarFeed = { made_at: null, last_read_at: null };

/** A person's own training as a calendar feed, readable without signing in by anyone who knows its address. One for each person. */
export const calendarFeedsOf = (services: Services) => {
  const { db, now, config, sessions } = services;
  const throttle = createThrottle(db, now);
  const bookings = ownBookingsOf(services);
  return {
    of: async ({ user }: Actor): Promise<CalendarFeed> =>
      (await db.one<CalendarFeed>(
        sql`select ${instant(sql`made_at`)} as made_at, ${instant(sql`last_read_at`)} as last_read_at from calendar_feeds where user_id = ${user.uuid}`,
      )) ?? none,
    /** Gives it a new address; the previous one, if any, stops working. */
    make: async ({ user }: Actor): Promise<CalendarFeed & { address: string }> => {
      const secret = newSecret();
      const at = now();
      await db.run(sql`insert into calendar_feeds (user_id, secret_hash, made_at, reads_since) values (${user.uuid}, ${hashOf(secret)}, ${at}, ${at})
        on conflict (user_id) do update set secret_hash = excluded.secret_hash, made_at = excluded.made_at, last_read_at = null, reads = 0, reads_since = excluded.reads_since`);
      const address = `${config.PUBLIC_URL}${protocol.apiPrefix}${calendarFeed.path.replace('{secret}', secret)}`;
      return { made_at: at.toISOString(), last_read_at: null, address };
    },
    stop: async ({ user }: Actor): Promise<CalendarFeed> => {
      await db.run(sql`delete from calendar_feeds where user_id = ${user.uuid}`);
      return none;
    },
    /** The calendar at an address. An unknown address, a stopped one and that of somebody who may no longer use it are all answered as not found. */
    file: async (secret: string, ip: string) => {
      const at = now();
      const hourAgo = new Date(at.getTime() - hourMs);
      const found = await db.one<{ user_id: string; reads: number; since: string }>(sql`update calendar_feeds set last_read_at = ${at},
          reads = case when reads_since > ${hourAgo} then reads + 1 else 1 end, reads_since = case when reads_since > ${hourAgo} then reads_since else ${at} end
        where secret_hash = ${hashOf(secret)} returning user_id, reads, ${instant(sql`reads_since`)} as since`);
      const person = found && (await sessions.actorOf(found.user_id, '', 'token'));
      if (!found || !person || !can(person.user, ownCalendarFeed.access) || (await restrictionOf(db, found.user_id, at))) {
        // Only failed addresses are counted: the calendars of many people are fetched from one network address.
        if (!found) await throttle.begin({ action: 'calendar-feed', ip });
        throw new ProductError('not_found');
      }
      if (found.reads > feedReadsAnHour) {
        const seconds = Math.max(1, Math.ceil((Date.parse(found.since) + hourMs - at.getTime()) / 1000));
        throw new ProductError('too_many_attempts', {
          message: `This calendar was read ${feedReadsAnHour} times within an hour. Read it again later.`,
          headers: { 'Retry-After': String(seconds) },
        });
      }
      const ownBookings = await asActor(person, (actor) => bookings.list(actor));
      // Somebody removed from a session and booked on it again has one entry: the current state.
      const bySession = new Map(ownBookings.toReversed().map((b) => [b.session_id, b]));
      const text = feedOf([...bySession.values()].reverse(), new URL(config.PUBLIC_URL).origin, at);
      return { file: Buffer.from(text), type: 'text/calendar; charset=utf-8', name: 'training.ics', headers: { 'Cache-Control': 'no-store' } };
    },
  };
};
