import { setTimeout as after } from 'node:timers/promises';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

const minuteMs = 60_000;

/**
 * Sends stored e-mail one by one, at most `MAIL_PER_MINUTE`, because mail servers block senders of thousands at once. `write`: stores e-mail that
 * was promised and not written yet.
 */
export const mailJob = ({ mail, config }: Pick<Services, 'mail' | 'config'>, write: () => Promise<void>): Job => ({
  title: () => 'Sending e-mails',
  unit: 'e-mails',
  seenBy: [],
  // Failed e-mails are retried when due; new ones are announced at once.
  schedule: mail.keepsMail ? undefined : '* * * * *',
  ...{ canCancel: false, limitMinutes: 720, tries: 5, atOnce: 1 },
  run: async ({ progress, signal }) => {
    await write();
    for (let sent = 1; await mail.sendNext(); sent++) {
      await progress(sent, sent + (await mail.waiting()));
      await after(minuteMs / config.MAIL_PER_MINUTE, undefined, { signal }).catch(() => progress(sent));
    }
  },
});
