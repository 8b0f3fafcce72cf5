import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Config } from '#server/config.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Db, often, type Statement, sql } from '#server/db/sql.ts';
import { mailHtml } from '#server/mail/mail-html.ts';

export type Mail = {
  to: string;
  subject: string;
  body: string;
  /** Sent before bulk e-mail, because someone is waiting for it. Default: true. */
  urgent?: boolean;
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
type Waiting = { id: string; recipient: string; subject: string; body: string; file_id: string | null };

const minuteMs = 60_000;
/** Retries after 2^(n-1) minutes, at most six hours, and gives up after this many attempts. */
const longestWaitMs = 360 * minuteMs;
const mostTries = 20;

/**
 * Sends e-mail by SMTP if configured, at most `MAIL_PER_MINUTE`; otherwise keeps it in a mailbox shown at /dev/mail in
 * development. An e-mail is stored before `send` returns, and stored e-mail is sent as soon as the mail server accepts it.
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
  // Mail for the development mailbox is not queued, so it is not sent if a mail server is configured later.
  const sentAtOnce = () => (transport ? null : now());

  const due = () => sql`sent_at is null and next_at <= ${now()} and tries < ${mostTries}`;
  /** Takes the next e-mail that is due. Its next attempt is stored before this one begins, so a crash counts as a failure. */
  const next = (): Promise<Waiting | undefined> =>
    db.one<Waiting>(sql`update outgoing_mail set tries = tries + 1, next_at = ${now()}::timestamptz + least(2 ^ tries * ${minuteMs}, ${longestWaitMs}) * interval '1 ms'
      where id = (select id from outgoing_mail where ${due()} order by urgent desc, next_at, id limit 1 for update skip locked)
      returning id, recipient, subject, body, file_id`);
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
    /**
     * Stores an e-mail as HTML in the branding of the recipient's organisation and as plain text. With `on` (a transaction), it
     * is stored only if that commits: call `wake` afterwards.
     */
    send: async (mail: Mail, on?: Db): Promise<void> => {
      const html = transport || on ? null : (await drawn(mail)).html;
      const stored = sql`insert into outgoing_mail (id, recipient, subject, body, html, at, next_at, urgent, sent_at, file_id)
          values (${randomUUID()}, ${mail.to}, ${mail.subject}, ${mail.body}, ${html}, ${now()}, ${now()}, ${mail.urgent ?? true}, ${sentAtOnce()}, ${mail.file ?? null})`;
      if (on) return void (await on.run(stored));
      await beyondScope(() => db.run(stored));
      kicked();
    },
    /** Starts sending stored e-mail. */
    wake: () => kicked(),
    /** Sends one e-mail to all these addresses (a single column), after urgent ones. With `on` as `send` does. */
    sendToAll: async (addresses: Statement, { subject, body }: Omit<Mail, 'to'>, on?: Db): Promise<number> => {
      const stored = sql`insert into outgoing_mail (id, recipient, subject, body, at, next_at, urgent, sent_at)
          select gen_random_uuid(), a.address, ${subject}, ${body}, ${now()}, ${now()}, false, ${sentAtOnce()}::timestamptz from (${addresses}) a (address)`;
      if (on) return on.run(often(stored));
      const count = await beyondScope(() => db.run(stored));
      kicked();
      return count;
    },
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
    keepsMail: transport === null,
    sendNext,
    /** Number of e-mails due now. */
    waiting: async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from outgoing_mail where ${due()}`))?.n ?? 0,
    /** Called when there is something to send. */
    onStored: (tell: () => void) => {
      kicked = tell;
    },
  };
};
export type Mailer = ReturnType<typeof createMailer>;
