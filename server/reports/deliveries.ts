import { randomUUID } from 'node:crypto';
import { scheduleLimits } from '#contract/api/report-schedules.ts';
import { can } from '#contract/can.ts';
import type { ReportFormat } from '#contract/reports/report.ts';
import { chosenLists, type GoneChoice } from '#contract/reports/chosen.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { insertRow } from '#server/db/rows.ts';
import { type Job, JobEnds } from '#server/jobs/job.ts';
import type { Jobs } from '#server/jobs/runner.ts';
import { letter } from '#server/mail/mailer.ts';
import { ProductError } from '#server/product-error.ts';
import { chosenOf } from '#server/reports/chosen.rows.ts';
import { scheduleStops } from '#server/reports/schedule-stops.ts';
import type { Services } from '#server/services.ts';

type Question = { format: ReportFormat; filter: unknown; search: string };
/** A report as a file, for somebody; null if it is empty. Throws as the call for the file does. */
export type FileFor = (
  actor: Actor,
  report: string,
  question: Question,
  onRows: (rows: number) => Promise<void>,
) => Promise<{ name: string; type: string; total: number; bytes: AsyncIterable<Uint8Array> } | null>;

type NewDelivery = {
  schedule: string | null;
  owner: string;
  entity: string;
  title: string;
  report: string;
  question: Question;
  asLink: boolean;
  linkDays: number;
  dueAt: Date;
};
type Row = {
  id: string;
  schedule_id: string | null;
  owner_id: string;
  owner: string;
  entity_id: string;
  place: string;
  title: string;
  report: string;
  filter: Record<string, unknown>;
  search: string;
  format: ReportFormat;
  as_link: boolean;
  link_days: number;
};
type Person = { id: string | null; name?: string; email: string };

const pieceBytes = 512 * 1024;
const dayMs = 86_400_000;
const mega = 1024 * 1024;
const formatWords: Record<ReportFormat, string> = { pdf: 'a PDF document', xlsx: 'an Excel workbook', csv: 'a CSV table' };
/** The reason given if the owner may no longer see a report. */
const mayNot = 'Its owner may not see this report any more.';

/** Records a sending of a report, in a transaction: a job makes it. False if this schedule and time already have one. Call `jobs.wake` after it. */
export const noteDelivery = async (tx: Db, jobs: Jobs, delivery: NewDelivery): Promise<boolean> => {
  const id = randomUUID();
  const { filter, format, search } = delivery.question;
  const made = await tx.run(
    sql`${insertRow('report_deliveries', {
      ...{ id, schedule_id: delivery.schedule, owner_id: delivery.owner, entity_id: delivery.entity, title: delivery.title, report: delivery.report },
      ...{ filter: JSON.stringify(filter), search, format, as_link: delivery.asLink, link_days: delivery.linkDays, due_at: delivery.dueAt },
    })} on conflict (schedule_id, due_at) do nothing`,
  );
  if (made > 0) await jobs.note(tx, 'delivery', { key: id, subject: delivery.title, entity: delivery.entity, owner: delivery.owner });
  return made > 0;
};

/** The domains to which an organisation may send reports without an account: its own, and those of organisations above and below it. */
export const domainsOf = async (on: Db, entity: string): Promise<ReadonlySet<string>> => {
  const rows = await on.all<{ domain: string }>(sql`select distinct unnest(e.email_domains) as domain from entities e
    where e.id in (select entity_and_above(${entity})) or e.id in (select b.below from entity_below b where b.above = ${entity})`);
  return new Set(rows.map((r) => r.domain));
};

/** People with these ids and job roles who are at an organisation or below it, and have not left. */
const peopleAt = (on: Db, entity: string, users: readonly string[], roles: readonly string[]) =>
  on.all<{ id: string; name: string; email: string }>(sql`select distinct u.id, u.name, u.email from users u
    where u.disabled_at is null and u.primary_entity_id in (select b.below from entity_below b where b.above = ${entity})
      and (u.id = any(${[...users]}::uuid[]) or u.id in (select h.user_id from held_roles h where h.role_id = any(${[...roles]}::uuid[])))
    order by u.name, u.id`);

/** Reports sent by e-mail: each is made once, with its owner's visibility at that time, and sent to its recipients. */
export const createDeliveries = (services: Services, fileFor: FileFor) => {
  const { db, now, jobs, mail, sessions, config } = services;
  const stops = scheduleStops(services);

  const read = (id: string) =>
    db.one<Row>(sql`select d.id, d.schedule_id, d.owner_id, o.name as owner, d.entity_id, n.name as place, d.title, d.report, d.filter, d.search, d.format, d.as_link, d.link_days
      from report_deliveries d join person_names o on o.id = d.owner_id join entity_names n on n.id = d.entity_id where d.id = ${id} and d.state = 'waiting'`);
  const actorOf = async ({ owner_id, entity_id }: Row): Promise<Actor | null> => {
    const person = await sessions.actorOf(owner_id, '', 'token');
    return person && sessions.actingFor(person, entity_id);
  };

  /** The recipients, and the people left out, with the reason. */
  const recipientsOf = async (row: Row): Promise<{ people: Person[]; leftOut: string[] }> => {
    const owner = await db.all<Person>(sql`select u.id, u.name, u.email from users u where u.id = ${row.owner_id}`);
    if (row.schedule_id === null) return { people: owner, leftOut: [] };
    const addressed = await db.one<{ user_ids: string[]; role_ids: string[]; addresses: string[] }>(
      sql`select user_ids, role_ids, addresses from report_schedules where id = ${row.schedule_id}`,
    );
    if (!addressed) return { people: [], leftOut: [] };
    const found: Person[] = await peopleAt(db, row.entity_id, addressed.user_ids, addressed.role_ids);
    if (addressed.user_ids.includes(row.owner_id) && !found.some((p) => p.id === row.owner_id)) found.push(...owner);
    const leaverCount = addressed.user_ids.filter((id) => !found.some((p) => p.id === id)).length;
    const leftOut =
      leaverCount > 0 ? [`${leaverCount} of the people chosen ${leaverCount === 1 ? 'is' : 'are'} no longer at this organisation.`] : [];
    const domains = await domainsOf(db, row.entity_id);
    for (const address of addressed.addresses) {
      if (found.some((p) => p.email.toLowerCase() === address)) continue;
      const left = await db.one(sql`select 1 from users u where lower(u.email) = ${address} and u.disabled_at is not null`);
      if (left) leftOut.push(`${address} belongs to somebody who has left.`);
      else if (!domains.has(address.split('@')[1] ?? '')) leftOut.push(`${address} is not within the organisation’s domains.`);
      else found.push({ id: null, email: address });
    }
    return { people: found, leftOut };
  };

  /** Stores the chunks of a file, and returns its size. */
  const keep = async (id: string, madeBy: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
    let [no, size, all] = [0, 0, 0];
    let held: Uint8Array[] = [];
    const store = async () => {
      const piece = Buffer.concat(held);
      await beyondScope(() =>
        db.run(sql`insert into report_delivery_pieces (delivery_id, made_by, no, bytes) values (${id}, ${madeBy}, ${no}, ${piece})`),
      );
      [no, held, size] = [no + 1, [], 0];
    };
    for await (const part of bytes) {
      held.push(part);
      size += part.length;
      all += part.length;
      if (size >= pieceBytes) await store();
    }
    if (size > 0) await store();
    return all;
  };

  /** A filter without items that no longer exist. If a list becomes empty, so that it would match more than was selected, it is not sent. */
  const stillChosen = async (actor: Actor, filter: Record<string, unknown>) => {
    const [found] = await asActor(actor, () => chosenOf(db, actor, [filter]));
    const { gone = [], filter: left = filter } = found ?? {};
    const empty = gone.find(({ list }) => (left[list] as string[]).length === 0);
    if (empty)
      throw new JobEnds(
        'stopped',
        `All ${chosenLists[empty.list][1]} that it was narrowed to are gone, or not to be seen by its owner: choose again whom it is about.`,
      );
    return { gone, left };
  };

  const bodyOf = (row: Row, sentence: string, more: readonly string[] = []): string =>
    [
      `${row.title}, for ${row.place}.`,
      sentence,
      ...more,
      row.schedule_id ? `${row.owner} has this report sent to you.` : 'You asked for this report.',
    ].join('\n\n');

  const run: Job['run'] = async ({ key: id, progress }) => {
    const row = await read(id);
    if (!row) return;
    const actor = await actorOf(row);
    if (!actor || (row.schedule_id && !can(actor.user, 'report.schedules')))
      throw await stops.stopped(row.schedule_id, actor ? mayNot : 'Its owner has left.');
    const { gone, left } = await stillChosen(actor, row.filter);
    const { people, leftOut } = await recipientsOf(row);
    if (people.length === 0) throw new JobEnds('stopped', ['There is nobody to send it to.', ...leftOut].join(' '));
    if (people.length > scheduleLimits.recipients)
      throw new JobEnds('stopped', `It would go to ${people.length} people; ${scheduleLimits.recipients} are the most. Choose fewer.`);
    const madeBy = randomUUID();
    let total: number | undefined;
    const made = await asActor(actor, async () => {
      const file = await fileFor(actor, row.report, { format: row.format, filter: left, search: row.search }, (rows) =>
        beyondScope(() => progress(rows, total)),
      );
      if (!file) return null;
      total = file.total;
      return { name: file.name, type: file.type, total: file.total, bytes: await keep(id, madeBy, file.bytes) };
    }).catch(async (error: unknown) => {
      if (error instanceof ProductError && error.code === 'forbidden') throw await stops.stopped(row.schedule_id, mayNot);
      if (error instanceof ProductError) throw new JobEnds('stopped', error.message);
      throw error;
    });
    // People without an account get no link: they could not open it.
    const tooLarge = made !== null && !row.as_link && made.bytes > config.MAIL_ATTACHMENT_MB * mega;
    const asLink = row.as_link || tooLarge;
    const withAccount = people.filter((p) => p.id !== null);
    const mailed = made && asLink ? withAccount : people;
    if (made && asLink && withAccount.length < people.length)
      leftOut.push('It was too large to be attached, so those without an account did not get it.');
    if (mailed.length === 0)
      throw new JobEnds('stopped', 'It is too large to be attached, and none of its recipients has an account: choose people, or fewer rows.');
    const goneSaid = goneNotes(gone);
    const expires = new Date(now().getTime() + row.link_days * dayMs);
    const sentence = !made
      ? 'There is nothing in it this time: no rows match.'
      : asLink
        ? `Download it here until ${expires.toISOString().slice(0, 10).split('-').reverse().join('/')}, after signing in:\n${config.PUBLIC_URL}/reports/deliveries/${id}`
        : `It is attached as ${formatWords[row.format]}.`;
    await db.tx(async (tx) => {
      // The server that ends it first has sent it: a concurrent one sends nothing.
      const ended =
        await tx.run(sql`update report_deliveries set state = 'sent', made_by = ${madeBy}, ended_at = ${now()}, recipients = ${mailed.length}, rows = ${made?.total ?? 0},
          bytes = ${made?.bytes ?? null}, file_name = ${made?.name ?? null}, file_type = ${made?.type ?? null}, problem = ${leftOut.join(' ') || null}, expires_at = ${made && asLink ? expires : null}
        where id = ${id} and state = 'waiting'`);
      if (ended === 0) return;
      let file: string | undefined;
      if (made && !asLink) {
        file = randomUUID();
        const pieces = await tx.all<{ bytes: Buffer }>(
          sql`select bytes from report_delivery_pieces where delivery_id = ${id} and made_by = ${madeBy} order by no`,
        );
        const bytes = Buffer.concat(pieces.map((p) => Buffer.from(p.bytes)));
        await tx.run(insertRow('mail_files', { id: file, name: made.name, type: made.type, bytes, at: now() }));
      }
      if (made && asLink)
        await tx.run(sql`insert into report_delivery_people (delivery_id, user_id) select ${id}, unnest(${withAccount.map((p) => p.id)}::uuid[])`);
      await tx.run(sql`delete from report_delivery_pieces where delivery_id = ${id} and (made_by <> ${madeBy} or ${!asLink})`);
      for (const person of mailed)
        await mail.send(
          {
            ...letter(person, person.id === null ? 'A report for you' : row.title, bodyOf(row, sentence, goneSaid)),
            ...(file ? { file } : {}),
            urgent: row.schedule_id === null,
          },
          tx,
        );
    });
    mail.wake();
  };
  const goneNotes = (gone: readonly GoneChoice[]): string[] =>
    gone.map(({ list, count }) => `${count} of the ${chosenLists[list][1]} it was narrowed to ${count === 1 ? 'is' : 'are'} gone and left out.`);

  /** A job that ended without sending determines the outcome of the sending; its owner is notified if it failed. */
  const onStopped = async (id: string) => {
    await db.tx(async (tx) => {
      const ended = await tx.one<{
        title: string;
        state: string;
        problem: string | null;
        name: string;
        email: string;
        schedule_id: string | null;
      }>(sql`update report_deliveries d
      set state = case when j.problem is null and j.state = 'stopped' then 'stopped' else 'failed' end, problem = j.problem, ended_at = ${now()}
      from jobs j, users u where j.kind = 'delivery' and j.key = d.id::text and u.id = d.owner_id and u.disabled_at is null and d.id = ${id} and d.state = 'waiting'
      returning d.title, d.state, d.problem, u.name, u.email, d.schedule_id`);
      await tx.run(
        sql`update report_deliveries set state = 'failed', problem = 'Its owner has left.', ended_at = ${now()} where id = ${id} and state = 'waiting'`,
      );
      await tx.run(
        sql`delete from report_delivery_pieces p using report_deliveries d where d.id = p.delivery_id and d.id = ${id} and d.state <> 'sent'`,
      );
      if (ended?.state !== 'failed') return;
      const text = `“${ended.title}” could not be sent. ${ended.problem ?? ''}\n\n${config.PUBLIC_URL}${ended.schedule_id ? `/reports/schedules/${ended.schedule_id}` : '/tasks-in-progress'}`;
      await mail.send(letter(ended, 'A report could not be sent', text), tx);
    });
    mail.wake();
  };

  return {
    job: {
      title: (subject) => `Sending ${subject}`,
      unit: 'rows',
      seenBy: ['report.schedules'],
      ...{ canCancel: true, limitMinutes: 60, tries: 3, atOnce: 2 },
      run,
      onStopped,
      onRetry: async (id, { actor }) => {
        await db.tx(async (tx) => {
          const again = await tx.one<{ title: string; entity_id: string; owner_id: string }>(
            sql`update report_deliveries set state = 'waiting', problem = null, ended_at = null where id = ${id} and state in ('failed', 'stopped') returning title, entity_id, owner_id`,
          );
          if (!again) throw new ProductError('not_found');
          if (again.owner_id !== actor.user.uuid && !can(actor.user, 'report.schedules')) throw new ProductError('forbidden');
          await jobs.note(tx, 'delivery', { key: id, subject: again.title, entity: again.entity_id, owner: again.owner_id });
        });
      },
    } satisfies Job as Job,
  };
};
