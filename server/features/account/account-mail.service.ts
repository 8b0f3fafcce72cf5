import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/sql.ts';
import { type Mail, letter as plainLetter, type Mailer } from '#server/mail/mailer.ts';

type Person = { name: string; email: string };
/** Of all e-mails these go first: their recipients wait for them, or have to know at once. */
const letter = (...words: Parameters<typeof plainLetter>): Mail => ({ ...plainLetter(...words), awaited: true });

/** Notifies the old and the new address of a change in its transaction, so that the owner of the old one learns of it. */
export const tellAddressChanged = async (
  mail: Pick<Mailer, 'send'>,
  before: Person,
  address: string,
  changer: 'themselves' | 'a manager',
  tx: Db,
) => {
  const how = changer === 'themselves' ? '' : ' by a person who manages your account';
  await mail.send(
    letter(
      before,
      'Your e-mail address was changed',
      `The e-mail address of your account was changed${how}. You can no longer sign in with this address, and links sent to it earlier no longer work. If this change is a mistake, contact your organisation immediately.`,
    ),
    tx,
  );
  await mail.send(
    letter(
      { name: before.name, email: address },
      'Your account now uses this e-mail address',
      'From now on, sign in with this e-mail address. Links sent earlier no longer work.',
    ),
    tx,
  );
};

/** The e-mails about an account. Nothing that was typed is in them if the address is not confirmed. */
export const accountLetters = ({ PUBLIC_URL: app }: Pick<Config, 'PUBLIC_URL'>) => ({
  confirmAddress: (addressee: Person, token: string, hours: number) =>
    letter(
      addressee,
      'Confirm your e-mail address',
      `Open this link to confirm that this is your e-mail address:\n${app}/verify-email/${token}\n\nThe link is valid for ${hours} hours.`,
    ),
  passwordChanged: (addressee: Person) =>
    letter(
      addressee,
      'Your password was changed',
      `The password of your account was changed. Links sent earlier no longer work. If this was not you, set a new password now: ${app}/forgot-password`,
    ),
  recoveryCodeUsed: (addressee: Person) =>
    letter(
      addressee,
      'A recovery code was used',
      'Someone signed in to your account with one of your recovery codes. If this was not you, change your password now and create new recovery codes in your account menu, under “How I sign in”.',
    ),
  accountExists: (addressee: Person) =>
    letter(
      addressee,
      'You already have an account',
      `Someone tried to create a new account with this e-mail address. You already have one: sign in at ${app}/login or set a new password at ${app}/forgot-password`,
    ),
  confirmSignUp: (email: string, token: string, hours: number) =>
    letter(
      { email },
      'Confirm your e-mail address',
      `Someone has signed up with this e-mail address. If this was you, open this link to confirm it and create your account:\n${app}/verify-email/${token}\n\nThe link is valid for ${hours} hours. If this was not you, ignore this e-mail and no account will be created.`,
    ),
  resetPassword: (addressee: Person, token: string, hours: number) =>
    letter(
      addressee,
      'Set a new password',
      `Open this link to set a new password:\n${app}/reset-password/${token}\n\nThe link is valid for ${hours} hour. If you did not request it, ignore this e-mail.`,
    ),
  addressTaken: (email: string) =>
    letter(
      { email },
      'This e-mail address already has an account',
      `Someone tried to use this e-mail address for another account. It already has an account, so nothing was changed. If this was you, sign in at ${app}/login`,
    ),
  confirmChange: (email: string, token: string, hours: number) =>
    letter(
      { email },
      'Confirm your new e-mail address',
      `Open this link to confirm that this is your e-mail address. It then replaces your current address for signing in:\n${app}/verify-email/${token}\n\nThe link is valid for ${hours} hours. If you did not request it, ignore this e-mail.`,
    ),
  changeRequested: (addressee: Person) =>
    letter(
      addressee,
      'A change of e-mail address was requested',
      `Someone signed in to your account has requested a change of its e-mail address. Nothing changes until the new address is confirmed. If this was not you, change your password now: ${app}/update-password`,
    ),
  signInChanged: (addressee: Person, subject: string, what: string) =>
    letter(addressee, subject, `${what} If this was not you, change your password now and check “How I sign in” in your account menu.`),
});
