import { companyMessage, type CompanyMessageKind, preferenceOf } from '#contract/rules/company-messages.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { acceptBy, withAsked } from '#contract/rules/delegate-answer.ts';
import { riskDays } from '#contract/rules/session-places.ts';
import { pathTo } from '#contract/site-map.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { time } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession, sessionWords } from '#server/features/training-sessions/tell-delegates.ts';
import { tellOfDocuments } from '#server/features/training-sessions/tell-of-documents.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import type { Job } from '#server/jobs/job.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

type Sending = Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>;
type Addressee = {
  id: string;
  name: string;
  email: string;
  course: { name: string };
  date: string;
  startTime: string;
  endTime: string;
  venue: string;
  room: string;
  entity: string;
  trainer: { id: string; name: string };
  external_trainer: string;
  bring: string;
};
const atOnce = 100;
/** How long before a session reminders and the joining links of virtual sessions are sent; people booked later get the link at once. */
const ahead = sql`interval '24 hours'`;

const session = sql`(select json_build_object('name', k.title) from course_titles k where k.id = t.course_id) as course, t.date::text as date, ${time(sql`t.start_time`)} as "startTime",
  ${time(sql`t.end_time`)} as "endTime", t.venue, t.room, t.external_trainer, t.bring, t.entity_id as entity, ${reference('person_names', sql`t.trainer_id`)} as trainer`;
const on = sql`t.cancelled_at is null and not exists (select 1 from current_completions c where c.session_id = t.id)`;
const starts = sql`((t.date + t.start_time) at time zone e.time_zone)`;
const ends = sql`(session_ends(t.date, t.start_time, t.end_time) at time zone e.time_zone)`;

type Words = [subject: string, text: string] | null;
type TextOf = (person: Addressee, tx: Db) => Words | Promise<Words>;
/** Stores the e-mails of a slice. Returns how many there are. */
const storeAll = async ({ mail }: Sending, tx: Db, people: readonly Addressee[], textOf: TextOf): Promise<number> => {
  let stored = 0;
  for (const person of people) {
    const words = await textOf(person, tx);
    if (!words) continue;
    await mail.send({ ...letter(person, ...words), urgent: false }, tx);
    stored++;
  }
  return stored;
};
/** Claims what is to be sent in slices, each in one transaction with its e-mails: by this server alone, once, and never without them. */
const inSlices = async (services: Sending, take: Statement, textOf: TextOf, progress: (sent: number) => Promise<void>) => {
  let sent = 0;
  for (;;) {
    const slice = await services.db.tx(async (tx) => {
      const people = await tx.all<Addressee>(take);
      return { claimed: people.length, stored: await storeAll(services, tx, people, textOf) };
    });
    if (slice.claimed === 0) return sent;
    services.mail.wake();
    sent += slice.stored;
    await progress(sent);
  }
};
/** The provider's wording of this kind of e-mail to somebody; null if it sends none. */
const byCompany = async (tx: Db, person: Addressee, kind: CompanyMessageKind, more: { link?: string } = {}): Promise<string | null> => {
  const { communication_preferences_json: preferences, entity } = await companySettings(tx, person.entity);
  if (!preferenceOf(preferences, kind).email) return null;
  return companyMessage(preferences, kind, { ...factsOfSession(person), ...more, name: person.name, provider: entity.name });
};
const underYourBookings = ({ config }: Sending) => `\n\n${config.PUBLIC_URL}${pathTo('your-bookings')}`;

/** People on a list `d` who have not left: a leaver gets nothing, least of all a private link. */
const stays = sql`exists (select 1 from users p where p.id = d.user_id and p.disabled_at is null)`;

/** Reminds booked people of a session of the next day. People who book later, and people who join online and get its link, are not reminded. */
const remind = (services: Sending, progress: (sent: number) => Promise<void>) => {
  const now = services.now();
  const due = sql`select d.id from session_delegates d join training_sessions t on t.id = d.session_id join entities e on e.id = t.entity_id
    where d.reminded_at is null and not t.virtual and ${on} and ${starts} - ${ahead} <= ${now}::timestamptz and ${starts} > ${now}::timestamptz
      and d.added_at < ${starts} - ${ahead} and ${stays} and d.same_as is null and d.removed_at is null
    order by d.id limit ${atOnce} for update of d skip locked`;
  const take = sql`update session_delegates d set reminded_at = ${now} from training_sessions t, users u
    where d.id in (${due}) and t.id = d.session_id and u.id = d.user_id returning u.id, u.name, u.email, case when d.accepted_at is null and d.lapses_at > ${now}::timestamptz then ${instant(sql`d.lapses_at`)} end as until,
      (select z.time_zone from entities z where z.id = t.entity_id) as zone, ${session}`;
  return inSlices(
    services,
    take,
    async (person, tx) => {
      const { until, zone } = person as Addressee & { until: string | null; zone: string };
      const text = await byCompany(tx, person, 'reminder');
      const question = until ? acceptBy(until, zone) : '';
      return text === null ? null : [`Tomorrow: ${person.course.name}`, `${withAsked(text, question)}${underYourBookings(services)}`];
    },
    progress,
  );
};

/**
 * Sends the joining links of virtual sessions to booked people: the day before, within a quarter of an hour to people booked later, and
 * again if the link changes.
 */
const sendLinks = (services: Sending, progress: (sent: number) => Promise<void>) => {
  const now = services.now();
  const due = sql`select d.id from session_delegates d join training_sessions t on t.id = d.session_id join entities e on e.id = t.entity_id
    where t.virtual and t.joining_link <> '' and ${on} and ${starts} - ${ahead} <= ${now}::timestamptz and ${ends} > ${now}::timestamptz
      and ${stays} and d.same_as is null and d.removed_at is null and d.link_sent is distinct from t.joining_link
    order by d.id limit ${atOnce} for update of d skip locked`;
  const take = sql`update session_delegates d set link_sent = t.joining_link from training_sessions t, users u
    where d.id in (${due}) and t.id = d.session_id and u.id = d.user_id returning u.id, u.name, u.email, t.joining_link as link, ${session}`;
  return inSlices(
    services,
    take,
    async (person, tx) => {
      const text = await byCompany(tx, person, 'joining_link', { link: (person as Addressee & { link: string }).link });
      return text === null ? null : [`How to join: ${person.course.name}`, `${text}${underYourBookings(services)}`];
    },
    progress,
  );
};

/** Warns the planner of a session, once, that too few people are booked and its day is near. */
const tellOfRisk = async (services: Sending, progress: (sent: number) => Promise<void>) => {
  const now = services.now();
  const zones = await services.db.all<{ zone: string }>(sql`select distinct time_zone as zone from entities`);
  let sent = 0;
  for (const { zone } of zones) {
    const today = dayIn(now, zone);
    const booked = sql`(select count(*) from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null)`;
    const due = sql`select t.id from training_sessions t join entities e on e.id = t.entity_id
      where e.time_zone = ${zone} and t.min_delegates is not null and t.risk_told_at is null and ${on} and t.date between ${today}::date and ${today}::date + ${riskDays}::int
        and ${booked} < t.min_delegates order by t.id limit ${atOnce} for update of t skip locked`;
    const take = sql`update training_sessions t set risk_told_at = ${now} from users u where t.id in (${due}) and u.id = t.created_by
      returning u.id, u.name, u.email, t.id as session, t.min_delegates as least, ${booked}::int as booked, ${session}`;
    sent += await inSlices(
      services,
      take,
      (person) => {
        const { least, booked: n, session: id } = person as Addressee & { least: number; booked: number; session: string };
        return [
          `At risk: ${person.course.name}, ${dayWords(person.date)}`,
          `${sessionWords(person)}: ${n} of the ${least} it is held for are booked. Book more people, move it or cancel it:\n${services.config.PUBLIC_URL}${pathTo('training-sessions-by-id', { id })}`,
        ];
      },
      (more) => progress(sent + more),
    );
  }
  return sent;
};

export const sendNotices = async (services: Sending, progress: (sent: number) => Promise<void> = async () => {}): Promise<number> => {
  let sent = 0;
  for (const kind of [sendLinks, remind, tellOfRisk, tellOfDocuments]) {
    const before = sent;
    sent += await kind(services, (more) => progress(before + more));
  }
  return sent;
};

/** Runs every quarter of an hour. */
export const sessionsJob = (services: Sending): Job => ({
  title: () => 'Reminders, joining links and new documents, and sessions at risk',
  unit: 'e-mails',
  seenBy: [],
  schedule: '*/15 * * * *',
  ...{ canCancel: false, limitMinutes: 60, tries: 5, atOnce: 1 },
  run: async ({ progress }) => void (await sendNotices(services, progress)),
});
