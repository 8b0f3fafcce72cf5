import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Config } from '#server/config.ts';
import { beyondScope, ownerHere } from '#server/db/scope.ts';
import { type Db, instant, often, type Statement, sql } from '#server/db/sql.ts';
import { mailHtml } from '#server/mail/mail-html.ts';

export type Mail = {
  to: string;
  subject: string;
  body: string;
  /** Sent before bulk e-mail, because someone is waiting for it. Default: true. */
  urgent?: boolean;
  /** Sent before everything of every organisation: its recipient has asked for it, to sign in or to prove an address. */
  awaited?: boolean;
  /** The id of a file it carries (`mail_files`), stored in the same transaction. */
  file?: string;
};
type MailFile = { name: string; type: string; bytes: Buffer };
/** An e-mail to a person, whom it greets; without their name where the address is not known to be theirs. */
export const letter = ({ name, email }: { name?: string; email: string }, subject: string, text: string): Mail => ({
  ...{ to: email, subject },
  body: `Hello${name === undefined ? '' : ` ${name}`},\n\n${text}\n`,
});
/** The branding of the organisation that the person with this address belongs to. */
type BrandOfAddress = (db: Db, address: string) => Promise<{ whitelabel: Whitelabel }>;
/** Whether e-mail reaches somebody: not in production without a mail server, where it is kept until there is one. */
export const isMailRead = ({ SMTP_URL, NODE_ENV }: Pick<Config, 'SMTP_URL' | 'NODE_ENV'>): boolean =>
  SMTP_URL !== undefined || NODE_ENV !== 'production';
type Waiting = { id: string; recipient: string; subject: string; body: string; file_id: string | null };

const minuteMs = 60_000;
/**
 * An organisation that somebody has signed up can send to any address. In its first days it sends so many e-mails a day, and the rest the day
 * after; awaited ones are not counted.
 */
export const newOrganisation = { days: 14, mailsADay: 100 } as const;
/** Retries after 2^(n-1) minutes, at most six hours, and gives up after this many attempts. */
const longestWaitMs = 360 * minuteMs;
export const mostTries = 20;

const givenUp = sql`sent_at is null and tries >= ${mostTries}`;
const shownFailures = 5;

type UnsentMail = {
  /** Failed at least once, and tried again. */
  failing: number;
  /** Not tried any more. */
  given_up: number;
  /** When the oldest of those given up was to be sent. */
  since: string | null;
  /** The last failures, each with how many e-mails it concerns. */
  failures: { failure: string; count: number }[];
};
/** What has not been sent, and why. */
export const unsentMail = async (db: Db): Promise<UnsentMail> => {
  const counts = await db.one<Omit<UnsentMail, 'failures'>>(sql`select count(*) filter (where tries > 0 and tries < ${mostTries})::int as failing,
      count(*) filter (where tries >= ${mostTries})::int as given_up, ${instant(sql`min(at) filter (where tries >= ${mostTries})`)} as since
    from outgoing_mail where sent_at is null`);
  const failures = await db.all<UnsentMail['failures'][number]>(sql`select failure, count(*)::int as count from outgoing_mail
    where sent_at is null and failure is not null group by failure order by count(*) desc, failure limit ${shownFailures}`);
  return { ...(counts ?? { failing: 0, given_up: 0, since: null }), failures };
};

/** E-mails that were given up, in a sentence with the remedy; none while those that failed are still tried. */
export const unsentProblems = ({ given_up, since, failures }: UnsentMail): string[] =>
  given_up === 0
    ? []
    : [
        `${given_up} ${given_up === 1 ? 'e-mail was' : 'e-mails were'} given up after ${mostTries} attempts, the oldest of ${since}; the last because of “${failures[0]?.failure ?? 'no reason was noted'}”. Remove the cause, then send them with \`operator send-mail-again\`. After 30 days they are deleted.`,
      ];

/**
 * Sends e-mail by SMTP if configured, at most `MAIL_PER_MINUTE`; otherwise keeps it: in a mailbox shown at /dev/mail
 * in development, in production until there is a mail server. Stored e-mail is sent as soon as the mail server accepts it.
 */
export const createMailer = (config: Config, db: Db, brandOfAddress: BrandOfAddress, now: () => Date = () => new Date()) => {
  const transport = config.SMTP_URL ? createTransport(config.SMTP_URL) : null;
  const address = /<([^>]+)>/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM;
  const domain = address.split('@')[1] ?? 'localhost';
  /** In the branding of the recipient's organisation. */
  const drawn = async (mail: Pick<Mail, 'to' | 'subject' | 'body'>) => {
    const { whitelabel } = await beyondScope(() => brandOfAddress(db, mail.to));
    return { company: whitelabel.companyName, html: mailHtml(mail, whitelabel, config.PUBLIC_URL) };
  };
  /** The mailbox of development. In production nobody reads it: there mail waits for a mail server. */
  const keepsMail = transport === null && config.NODE_ENV !== 'production';
  // Mail for the development mailbox is not queued, so it is not sent if a mail server is configured later.
  const sentAtOnce = () => (keepsMail ? now() : null);

  const due = () => sql`o.sent_at is null and o.next_at <= ${now()} and o.tries < ${mostTries}`;
  /**
   * Takes the next e-mail that is due: an awaited one, else one of the organisation that has waited longest for its turn. Its next attempt is
   * stored before this one begins, so a crash counts as a failure.
   */
  const next = (): Promise<Waiting | undefined> =>
    db.one<Waiting>(sql`with picked as (
        select o.id, o.awaited, r.id as root from outgoing_mail o
        left join lateral (select b.above as id from entity_below b join entities e on e.id = b.above and e.parent_id is null
          where b.below = coalesce(o.entity_id, (select u.primary_entity_id from users u where lower(u.email) = lower(o.recipient)))) r on true
        left join mail_turns t on t.root_id = r.id
        where ${due()} and (o.awaited or coalesce(t.limited_until <= ${now()} or t.day < ${now()}::date or t.taken < ${newOrganisation.mailsADay}, true))
        order by o.awaited desc, t.at nulls first, o.urgent desc, o.next_at, o.id limit 1 for update of o skip locked),
      turn as (insert into mail_turns (root_id, at, day, taken) select root, ${now()}, ${now()}::date, 1 from picked where root is not null and not awaited
        on conflict (root_id) do update set at = excluded.at, day = excluded.day, taken = case when mail_turns.day = excluded.day then mail_turns.taken else 0 end + 1)
      update outgoing_mail m set tries = tries + 1, next_at = ${now()}::timestamptz + least(2 ^ tries * ${minuteMs}, ${longestWaitMs}) * interval '1 ms'
      from picked where m.id = picked.id returning m.id, m.recipient, m.subject, m.body, m.file_id`);
  /** Sends the next e-mail. False if there is none. */
  const sendNext = async (): Promise<boolean> => {
    if (!transport) return false;
    const mail = await next();
    if (!mail) return false;
    try {
      const { company, html } = await drawn({ to: mail.recipient, ...mail });
      const from = { name: company, address };
      const file = mail.file_id && (await db.one<MailFile>(sql`select name, type, bytes from mail_files where id = ${mail.file_id}`));
      const attachments = file ? [{ filename: file.name, contentType: file.type, content: Buffer.from(file.bytes) }] : [];
      const sent = { from, to: mail.recipient, subject: mail.subject, text: mail.body, html, attachments };
      await transport.sendMail({ ...sent, messageId: `<${mail.id}@${domain}>` });
      await db.run(sql`update outgoing_mail set sent_at = ${now()}, body = '', html = null, failure = null where id = ${mail.id}`);
      if (mail.file_id)
        await db.run(
          sql`delete from mail_files f where f.id = ${mail.file_id} and not exists (select 1 from outgoing_mail o where o.file_id = f.id and o.sent_at is null)`,
        );
    } catch (error) {
      await db.run(sql`update outgoing_mail set failure = ${String((error as Error).message).slice(0, 500)} where id = ${mail.id}`);
    }
    return true;
  };
  let kicked = () => {};

  return {
    /** Stores an e-mail in the transaction of what it reports, so that both are there or neither. Call `wake` after it has committed. */
    send: async (mail: Mail, tx: Db): Promise<void> => {
      await tx.run(sql`insert into outgoing_mail (id, recipient, subject, body, at, next_at, urgent, awaited, sent_at, file_id, entity_id)
          values (${randomUUID()}, ${mail.to}, ${mail.subject}, ${mail.body}, ${now()}, ${now()}, ${mail.urgent ?? true}, ${mail.awaited ?? false}, ${sentAtOnce()}, ${mail.file ?? null}, ${ownerHere()})`);
    },
    /** Starts sending stored e-mail. */
    wake: () => kicked(),
    /** Stores one e-mail to all these addresses (a single column), sent after urgent ones, as `send` does. Returns how many these are. */
    sendToAll: (addresses: Statement, { subject, body }: Omit<Mail, 'to'>, tx: Db): Promise<number> => {
      const stored = sql`insert into outgoing_mail (id, recipient, subject, body, at, next_at, urgent, sent_at, entity_id)
          select gen_random_uuid(), a.address, ${subject}, ${body}, ${now()}, ${now()}, false, ${sentAtOnce()}::timestamptz, ${ownerHere()}::uuid from (${addresses}) a (address)`;
      return tx.run(often(stored));
    },
    /** The same for mails that differ: a statement of addresses and texts (two columns). */
    sendEach: (mails: Statement, subject: string, tx: Db): Promise<number> =>
      tx.run(sql`insert into outgoing_mail (id, recipient, subject, body, at, next_at, urgent, sent_at, entity_id)
          select gen_random_uuid(), m.address, ${subject}, m.body, ${now()}, ${now()}, false, ${sentAtOnce()}::timestamptz, ${ownerHere()}::uuid from (${mails}) m (address, body)`),
    kept: async () => {
      const mails = await db.all<{
        id: string;
        recipient: string;
        subject: string;
        body: string;
        html: string | null;
        at: string;
        file: string | null;
      }>(
        sql`select o.id, o.recipient, o.subject, o.body, o.html, o.at, f.name as file from outgoing_mail o left join mail_files f on f.id = o.file_id order by o.at desc limit 100`,
      );
      return Promise.all(mails.map(async (m) => ({ ...m, html: m.html ?? (await drawn({ to: m.recipient, ...m })).html })));
    },
    /** Whether no mail leaves this server. */
    keepsMail: transport === null,
    /** Whether a mail reaches anybody: by a mail server, or outside production in the mailbox. An answer that promises one asks this. */
    isRead: isMailRead(config),
    sendNext,
    /** Number of e-mails due now. */
    waiting: async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail o where ${due()}`))?.n ?? 0,
    /** What is not sent: how many e-mails wait for another attempt, and how many were given up, with the last failures. */
    unsent: () => unsentMail(db),
    /** Sends e-mails that were given up again, from the first attempt. Returns how many these are. */
    sendAgain: async (): Promise<number> => {
      const count = await db.run(sql`update outgoing_mail set tries = 0, next_at = ${now()} where ${givenUp}`);
      if (count > 0) kicked();
      return count;
    },
    /** Called when there is something to send. */
    onStored: (tell: () => void) => {
      kicked = tell;
    },
  };
};
export type Mailer = ReturnType<typeof createMailer>;
