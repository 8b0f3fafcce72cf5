import { dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { tellPeople } from '#server/features/messages/messages.service.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

type Told = { session: string; course: string; date: string; names: string[]; recipient_id: string };
type Letter = { name: string; email: string; message: string; link: string };
/** Documents that somebody adds with no longer between them are told of together; who goes on for hours is not waited for. */
const quiet = sql`interval '10 minutes'`;
const longest = sql`interval '1 hour'`;
const mostNamed = 10;
const list = (names: readonly string[]) => {
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ');
};

/** What was added, in a message to each of these people: once to each, whichever sessions it belongs to. */
const textsOf = (rows: readonly Told[], where: string): { recipient_id: string; message: string }[] =>
  [...Map.groupBy(rows, (row) => row.recipient_id)].map(([recipient_id, theirs]) => {
    const lines = theirs.slice(0, mostNamed).map((t) => `“${t.course}” on ${dayWords(t.date)}: ${list(t.names)}.`);
    const more = theirs.length - lines.length;
    const rest = more > 0 ? [`And for ${more} more session${more === 1 ? '' : 's'}.`] : [];
    return { recipient_id, message: ['New documents for your training.', ...lines, ...rest, where].join('\n') };
  });

/** Takes what one person added, and tells those on the lists of its documents for delegates, and trainers of those for trainers. */
const tellOf = async (tx: Db, adder: string, { config, now }: Pick<Services, 'config' | 'now'>): Promise<Letter[]> => {
  const taken = await tx.all<{ id: string }>(
    sql`update session_documents set told_at = ${now()} where told_at is null and added_by = ${adder} returning id`,
  );
  const read = (audience: 'delegates' | 'trainers', recipients: Statement) =>
    tx.all<Told>(sql`select t.id as session, (select k.title from course_titles k where k.id = t.course_id) as course, t.date::text as date,
        array_agg(f.name order by lower(f.name), f.id) as names, r.id as recipient_id
      from session_documents f join training_sessions t on t.id = f.session_id and t.cancelled_at is null cross join lateral (${recipients}) r (id)
      where f.id = any(${taken.map((f) => f.id)}::uuid[]) and f.audience = ${audience} group by t.id, r.id order by t.date, t.start_time, t.id`);
  const forDelegates = await read(
    'delegates',
    sql`select d.user_id from session_delegates d where d.session_id = t.id and d.user_id is not null and d.same_as is null and d.removed_at is null`,
  );
  const forTrainers = await read('trainers', sql`select t.trainer_id`);
  const write = async (rows: readonly Told[], where: string, linkOf: (first: Told) => string): Promise<Letter[]> => {
    const { ids } = await tellPeople(tx, adder, textsOf(rows, where), now());
    const people = await tx.all<{ id: string; name: string; email: string; message: string }>(
      sql`select u.id, u.name, u.email, m.message from messages m join users u on u.id = m.recipient_id where m.id = any(${[...ids]}::uuid[])`,
    );
    return people.map((p) => ({ ...p, link: `${config.PUBLIC_URL}${linkOf(rows.find((row) => row.recipient_id === p.id) as Told)}` }));
  };
  return [
    ...(await write(forDelegates, 'You find them under Your bookings.', () => pathTo('your-bookings'))),
    ...(await write(forTrainers, 'You find them on the page of the session.', ({ session: id }) => pathTo('training-sessions-by-id', { id }))),
  ];
};

/** Tells of documents that were added a while ago, in the name of who added them. One that was removed meanwhile tells nobody. Answers how many e-mails went. */
export const tellOfDocuments = async (
  services: Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>,
  progress: (sent: number) => Promise<void>,
): Promise<number> => {
  const { db, mail, now, log } = services;
  const adders = await db.all<{ id: string }>(sql`select added_by as id from session_documents where told_at is null group by added_by
    having max(added_at) <= ${now()}::timestamptz - ${quiet} or min(added_at) <= ${now()}::timestamptz - ${longest} order by min(added_at)`);
  let sent = 0;
  for (const { id } of adders) {
    for (const { message, link, ...person } of await db.tx((tx) => tellOf(tx, id, services))) {
      try {
        await mail.send({ ...letter(person, 'New documents for your training', `${message}\n\n${link}`), urgent: false });
        sent++;
      } catch (error) {
        log.error({ err: error }, 'that there are new documents could not be sent');
      }
    }
    await progress(sent);
  }
  return sent;
};
