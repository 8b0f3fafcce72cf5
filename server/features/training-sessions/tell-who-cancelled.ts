import type { Register } from '#contract/entities/training-session.ts';
import { beyondScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import type { Services } from '#server/services.ts';

/** Tells whoever cancelled a session that a register of it came all the same: they say whether it took place. */
export const tellWhoCancelled = (
  { db, mail, config }: Pick<Services, 'db' | 'mail' | 'config'>,
  { id, course, date, cancelled }: Register,
): Promise<void> =>
  beyondScope(async () => {
    if (!cancelled) return;
    const who = await db.one<{ email: string }>(sql`select email from users where id = ${cancelled.by.id} and disabled_at is null`);
    if (!who) return;
    await mail.send({
      to: who.email,
      urgent: false,
      subject: `A register of a cancelled session: ${course.name}`,
      body: `${course.name} on ${date} was cancelled, and a register of it has been taken all the same. It does not count until you say whether the session took place:\n${config.PUBLIC_URL}/training-sessions/${id}`,
    });
  });
