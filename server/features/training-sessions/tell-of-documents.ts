import type { CompanySettings } from '#contract/entities/training-company.ts';
import { companyMessage, preferenceOf } from '#contract/rules/company-messages.ts';
import { dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { tellPeople } from '#server/features/messages/messages.service.ts';
import { companySettings } from '#server/features/training-companies/company-settings.rows.ts';
import { time } from '#server/features/training-sessions/registers.rows.ts';
import { factsOfSession } from '#server/features/training-sessions/tell-delegates.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

type DocumentNotice = Parameters<typeof factsOfSession>[0] & {
  session: string;
  entity: string;
  names: string[];
  recipient_id: string;
  recipient: string;
};
type Text = { recipient_id: string; message: string };
type Letter = { name: string; email: string; message: string; link: string };
/**
 * Documents added by one person with shorter pauses than this are announced together; continuous additions are not waited for longer than
 * `longest`.
 */
const quiet = sql`interval '10 minutes'`;
const longest = sql`interval '1 hour'`;
const mostNamed = 10;
const list = (names: readonly string[]) => {
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ');
};

const restOf = (theirs: readonly DocumentNotice[]) => {
  const more = theirs.length - mostNamed;
  return more > 0 ? [`And for ${more} more session${more === 1 ? '' : 's'}.`] : [];
};

/** The added documents, in one message to each of these people, whichever sessions they belong to. */
const textsOf = (rows: readonly DocumentNotice[], where: string): Text[] =>
  [...Map.groupBy(rows, (row) => row.recipient_id)].map(([recipient_id, theirs]) => {
    const lines = theirs.slice(0, mostNamed).map((t) => `“${t.course.name}” on ${dayWords(t.date)}: ${list(t.names)}.`);
    return { recipient_id, message: ['New documents for your training.', ...lines, ...restOf(theirs), where].join('\n') };
  });

/** The same to delegates, in the sessions' provider's own wording if it has one. */
const byCompany = (rows: readonly DocumentNotice[], { communication_preferences_json: preferences, entity }: CompanySettings): Text[] => {
  if (preferenceOf(preferences, 'documents').text === null) return textsOf(rows, 'You find them under Your bookings.');
  return [...Map.groupBy(rows, (row) => row.recipient_id)].map(([recipient_id, theirs]) => {
    const texts = theirs.slice(0, mostNamed).map((t) => {
      const facts = { ...factsOfSession(t), documents: list(t.names), name: t.recipient, provider: entity.name };
      return companyMessage(preferences, 'documents', facts);
    });
    return { recipient_id, message: [...texts, ...restOf(theirs)].join('\n\n') };
  });
};

/** Claims the documents that one person added, and notifies people on the lists of those for delegates, and trainers of those for trainers. */
const tellOf = async (tx: Db, adder: string, { config, now }: Pick<Services, 'config' | 'now'>): Promise<Letter[]> => {
  const taken = await tx.all<{ id: string }>(
    sql`update session_documents set told_at = ${now()} where told_at is null and added_by = ${adder} returning id`,
  );
  const read = (audience: 'delegates' | 'trainers', recipients: Statement) =>
    tx.all<DocumentNotice>(sql`select t.id as session, t.entity_id as entity, (select json_build_object('name', k.title) from course_titles k where k.id = t.course_id) as course,
        t.date::text as date, ${time(sql`t.start_time`)} as "startTime", ${time(sql`t.end_time`)} as "endTime", t.venue, t.room, t.external_trainer,
        ${reference('person_names', sql`t.trainer_id`)} as trainer, array_agg(f.name order by lower(f.name), f.id) as names, r.id as recipient_id,
        (select p.name from person_names p where p.id = r.id) as recipient
      from session_documents f join training_sessions t on t.id = f.session_id and t.cancelled_at is null cross join lateral (${recipients}) r (id)
      where f.id = any(${taken.map((f) => f.id)}::uuid[]) and f.audience = ${audience} group by t.id, r.id order by t.date, t.start_time, t.id`);
  const forDelegates = await read(
    'delegates',
    sql`select d.user_id from session_delegates d where d.session_id = t.id and d.user_id is not null and d.same_as is null and d.removed_at is null`,
  );
  const forTrainers = await read('trainers', sql`select t.trainer_id`);
  const write = async (rows: readonly DocumentNotice[], texts: Text[], linkOf: (first: DocumentNotice) => string): Promise<Letter[]> => {
    const { ids } = await tellPeople(tx, adder, texts, now());
    const people = await tx.all<{ id: string; name: string; email: string; message: string }>(
      sql`select u.id, u.name, u.email, m.message from messages m join users u on u.id = m.recipient_id where m.id = any(${[...ids]}::uuid[])`,
    );
    return people.map((p) => ({ ...p, link: `${config.PUBLIC_URL}${linkOf(rows.find((row) => row.recipient_id === p.id) as DocumentNotice)}` }));
  };
  const letters: Letter[] = [];
  for (const [entity, rows] of Map.groupBy(forDelegates, (row) => row.entity)) {
    const settings = await companySettings(tx, entity);
    const toDelegates = await write(rows, byCompany(rows, settings), () => pathTo('your-bookings'));
    if (preferenceOf(settings.communication_preferences_json, 'documents').email) letters.push(...toDelegates);
  }
  const where = 'You find them on the page of the session.';
  return [...letters, ...(await write(forTrainers, textsOf(forTrainers, where), ({ session: id }) => pathTo('training-sessions-by-id', { id })))];
};

/**
 * Announces documents that were added a while ago, in the name of the person who added them. One that was removed meanwhile is not
 * announced. Returns how many e-mails were sent.
 */
export const tellOfDocuments = async (
  services: Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>,
  progress: (sent: number) => Promise<void>,
): Promise<number> => {
  const { db, mail, now } = services;
  const adders = await db.all<{ id: string }>(sql`select added_by as id from session_documents where told_at is null group by added_by
    having max(added_at) <= ${now()}::timestamptz - ${quiet} or min(added_at) <= ${now()}::timestamptz - ${longest} order by min(added_at)`);
  let sent = 0;
  for (const { id } of adders) {
    // The messages, the e-mails and the note that they were told, or none of them.
    sent += await db.tx(async (tx) => {
      const letters = await tellOf(tx, id, services);
      for (const { message, link, ...person } of letters)
        await mail.send({ ...letter(person, 'New documents for your training', `${message}\n\n${link}`), urgent: false }, tx);
      return letters.length;
    });
    mail.wake();
    await progress(sent);
  }
  return sent;
};
