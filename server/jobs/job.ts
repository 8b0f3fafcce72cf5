import type { JobKind } from '#contract/entities/job.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { Actor } from '#server/actor.ts';

/** A running job, as its work sees it. */
export type Running = {
  /** The subject of the job, such as the id of an import or organisation. Kind and key identify the job. */
  key: string;
  /**
   * Reports progress after each slice of work; wait for it before the next slice. Throws `JobEnds` if the job was cancelled, this
   * server is stopping, or another server has taken the job over: do not catch it.
   */
  progress(done: number, total?: number): Promise<void>;
  /** Aborted when this server stops or the job exceeds its time limit: for waits within a slice. */
  signal: AbortSignal;
};

/** Ends a job between two slices. `lost`: another server has it. */
export class JobEnds extends Error {
  override name = 'JobEnds';
  readonly how: 'stopped' | 'given back' | 'lost';
  /** The reason to display, or null. */
  readonly why: string | null;
  constructor(how: JobEnds['how'], why: string | null = null) {
    super(`the job is ${how}`);
    this.how = how;
    this.why = why;
  }
}

/** One kind of job. Its work must be safe to repeat from any slice. */
export type Job = {
  title: (subject: string) => string;
  /** The unit of progress, such as rows or e-mails. */
  unit: string;
  /**
   * Any of these permissions lets someone see, cancel and retry the jobs of organisations that they can see. The owner always
   * may; if empty, only super administrators.
   */
  seenBy: readonly PermissionSlug[];
  /** A cron expression in UTC; without it, the job runs on demand. */
  schedule?: string | undefined;
  canCancel: boolean;
  /** Time limit of one run, after which another server continues the job. */
  limitMinutes: number;
  /** Number of attempts, with increasing waits. An attempt that makes progress starts the count again. */
  tries: number;
  /** Maximum number per server at a time. */
  atOnce: number;
  /** The page that shows the result. */
  link?: (key: string) => string;
  run: (job: Running) => Promise<void>;
  /** Called when it was cancelled or has failed for good. */
  onStopped?: (key: string) => Promise<void>;
  /** Called when someone retries it. Throws to refuse. */
  onRetry?: (key: string, by: { actor: Actor; address: string }) => Promise<void>;
};
export type JobRegistry = { [K in JobKind]: Job };
