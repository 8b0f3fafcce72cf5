import { beyondScope } from '#server/db/scope.ts';
import { scoreJob } from '#server/features/entities/scores.ts';
import { importJob } from '#server/features/importer/run-import.ts';
import type { JobRegistry } from '#server/jobs/job.ts';
import { mailJob } from '#server/jobs/mail.ts';
import { remindersJob } from '#server/jobs/reminders.ts';
import { retentionJob } from '#server/jobs/retention.ts';
import type { Services } from '#server/services.ts';

/** Every kind of job: one that is missing, or misses a part, does not compile. */
export const jobRegistry = (services: Services, more: Pick<JobRegistry, 'report'>): JobRegistry => {
  const { db, jobs, mail } = services;
  if (!mail.keepsMail)
    mail.onStored(() => void beyondScope(() => jobs.note(db, 'mail')).then(jobs.wake, (error) => services.log.error({ err: error }, 'mail waits')));
  return {
    ...more,
    import: importJob(services),
    mail: mailJob(services),
    reminders: remindersJob(services),
    retention: retentionJob(services),
    score: scoreJob(services),
  };
};
