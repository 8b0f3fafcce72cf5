import type { AuthUser } from '#contract/entities/user.ts';
import { linkInstead, mailWaits } from '#contract/mail-words.ts';
import { useSession } from '#src/access/session.ts';
import { IconAlert } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';

/** What is said of an e-mail; on a server without a mail server, the truth. */
export const mailSaid = (user: Pick<AuthUser, 'mail_waits'> | null, said: string): string => (user?.mail_waits ? mailWaits : said);

/** Shown where something is to be sent by e-mail, on a server that cannot send it yet. `links`: it is a link to choose a password. */
export const MailWaits = ({ links = false }: { links?: boolean }) =>
  useSession()?.mail_waits ? (
    <p className={layout.notice} data-tone="warning">
      <IconAlert size={20} /> {mailWaits}
      {links && ` ${linkInstead}`}
    </p>
  ) : null;
