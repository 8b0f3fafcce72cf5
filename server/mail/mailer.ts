import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/config.ts';
import { type Db, sql } from '#server/db/sql.ts';

export type Mail = { to: string; subject: string; body: string };

/** Sends mail by SMTP where it is set up; else keeps it in a mailbox that development shows at /dev/mail. */
export const createMailer = (config: Config, db: Db) => {
  const transport = config.SMTP_URL ? createTransport(config.SMTP_URL) : null;
  return {
    send: async (mail: Mail): Promise<void> => {
      if (transport) {
        await transport.sendMail({ from: config.MAIL_FROM, to: mail.to, subject: mail.subject, text: mail.body });
        return;
      }
      await db.run(sql`insert into outgoing_mail (id, recipient, subject, body) values (${randomUUID()}, ${mail.to}, ${mail.subject}, ${mail.body})`);
    },
    kept: () =>
      db.all<{ id: string; recipient: string; subject: string; body: string; at: string }>(
        sql`select id, recipient, subject, body, at from outgoing_mail order by at desc limit 100`,
      ),
    keepsMail: transport === null,
  };
};
export type Mailer = ReturnType<typeof createMailer>;
