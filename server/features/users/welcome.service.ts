import type { Db } from '#server/db/sql.ts';
import { newLink } from '#server/features/account/links.service.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

/** A welcome waits over a week of nights. */
const welcomeHours = 168;

/** Sends a person the link with which they choose their password. With `on`, exactly if that transaction goes through: call `mail.wake` after it. */
export const welcomeMail =
  ({ db, mail, config, now }: Pick<Services, 'db' | 'mail' | 'config' | 'now'>) =>
  async (person: { id: string; name: string; email: string }, on?: Db): Promise<void> => {
    const token = await newLink(on ?? db, person, { purpose: 'reset_password', hours: welcomeHours, now: now() });
    const text = `An account has been made for you. Open this link to choose your password:\n${config.PUBLIC_URL}/reset-password/${token}\n\nThe link works for ${welcomeHours / 24} days. After that, ask for a new one at ${config.PUBLIC_URL}/forgot-password`;
    await mail.send({ ...letter(person, 'Welcome: choose your password', text), urgent: false }, on);
  };
