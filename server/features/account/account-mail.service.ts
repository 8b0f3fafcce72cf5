import type { Mailer } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

type Person = { name: string; email: string };

/** Notifies the old and the new address of a change, so that the owner of the old one learns of it. */
export const tellAddressChanged = async (mail: Pick<Mailer, 'send'>, before: Person, address: string, by: 'themselves' | 'a manager') => {
  const how = by === 'themselves' ? '' : ' by a person who manages your account';
  await mail.send({
    to: before.email,
    subject: 'Your e-mail address was changed',
    body: `Hello ${before.name},\n\nThe e-mail address of your account was changed${how}. You can no longer sign in with this address, and links sent to it earlier no longer work. If this change is a mistake, contact your organisation immediately.\n`,
  });
  await mail.send({
    to: address,
    subject: 'Your account now uses this e-mail address',
    body: `Hello ${before.name},\n\nFrom now on, sign in with this e-mail address. Links sent earlier no longer work.\n`,
  });
};

/** Not awaited: the change is made whether or not the e-mail can be stored. */
export const unawaited = (log: Services['log'], sending: Promise<unknown>) => {
  sending.catch((error: unknown) => log.error({ error }, 'mail could not be sent'));
};
