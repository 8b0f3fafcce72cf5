import type { Mailer } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

type Person = { name: string; email: string };

/** Tells both addresses that an account has another one now, so that whoever holds the old one hears of it. */
export const tellAddressChanged = async (mail: Pick<Mailer, 'send'>, before: Person, address: string, by: 'themselves' | 'a manager') => {
  const how = by === 'themselves' ? '' : ' by somebody who looks after your account';
  await mail.send({
    to: before.email,
    subject: 'Your e-mail address was changed',
    body: `Hello ${before.name},\n\nThe e-mail address of your account was changed${how}: this one no longer signs you in, and links that were sent here before no longer work. If it should not have been changed, tell your organisation at once.\n`,
  });
  await mail.send({
    to: address,
    subject: 'This is your e-mail address now',
    body: `Hello ${before.name},\n\nThis address signs you in from now on. Links that were sent before no longer work.\n`,
  });
};

/** Sent when it is done, and not waited for: the change stands whether or not the mail can be stored. */
export const unawaited = (log: Services['log'], sending: Promise<unknown>) => {
  sending.catch((error: unknown) => log.error({ error }, 'mail could not be sent'));
};
