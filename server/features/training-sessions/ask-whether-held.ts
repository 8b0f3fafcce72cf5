import type { Register } from '#contract/entities/training-session.ts';
import { dayWords } from '#contract/rules/days.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Services } from '#server/services.ts';

/** Asks the people who cancelled or moved a session, for which a register arrived nevertheless, whether it took place: in the transaction that stores it. */
export const askWhetherHeld = (
  { mail, config }: Pick<Services, 'mail' | 'config'>,
  tx: Db,
  { id, course, date, cancelled, taken_on }: Register,
): Promise<void> =>
  tx.beyond(async (whole) => {
    const changed = cancelled ? sql`${cancelled.by.id}` : sql`(select t.moved_by from training_sessions t where t.id = ${id})`;
    const who = await whole.one<{ email: string }>(sql`select email from users where id = ${changed} and disabled_at is null`);
    if (!who) return;
    const [what, happened] = cancelled
      ? ['a cancelled', `${course.name} on ${date} was cancelled, and a register of it has been taken all the same.`]
      : [
          'a moved',
          `${course.name} was moved to ${dayWords(date)}, and a register of it was finished for ${dayWords(taken_on ?? date)} all the same.`,
        ];
    await mail.send(
      {
        to: who.email,
        urgent: false,
        subject: `A register of ${what} session: ${course.name}`,
        body: `${happened} It does not count until you say whether the session took place:\n${config.PUBLIC_URL}/training-sessions/${id}`,
      },
      whole,
    );
  });
