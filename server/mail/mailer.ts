import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/config.ts';
import { beyondScope } from '#server/db/scope.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/brand-of.ts';
import { mailHtml } from '#server/mail/mail-html.ts';

export type Mail = { to: string; subject: string; body: string };

/** Sends mail by SMTP where it is set up; else keeps it in a mailbox that development shows at /dev/mail. */
export const createMailer = (config: Config, db: Db) => {
  const transport = config.SMTP_URL ? createTransport(config.SMTP_URL) : null;
  const address = /<([^>]+)>/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM;
  return {
    /** In the colours of the organisation that the recipient belongs to, and as plain text. */
    send: async (mail: Mail): Promise<void> => {
      const { whitelabel } = await beyondScope(() => brandOfAddress(db, mail.to));
      const html = mailHtml(mail, whitelabel, config.PUBLIC_URL);
      if (transport) {
        await transport.sendMail({ from: { name: whitelabel.companyName, address }, to: mail.to, subject: mail.subject, text: mail.body, html });
        return;
      }
      await beyondScope(() =>
        db.run(
          sql`insert into outgoing_mail (id, recipient, subject, body, html) values (${randomUUID()}, ${mail.to}, ${mail.subject}, ${mail.body}, ${html})`,
        ),
      );
    },
    kept: () =>
      db.all<{ id: string; recipient: string; subject: string; body: string; html: string | null; at: string }>(
        sql`select id, recipient, subject, body, html, at from outgoing_mail order by at desc limit 100`,
      ),
    keepsMail: transport === null,
  };
};
export type Mailer = ReturnType<typeof createMailer>;
