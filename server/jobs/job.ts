import type { JobKind } from '#contract/entities/job.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { Actor } from '#server/http/sessions.ts';

/** A job that runs, as its work sees it. */
export type Running = {
  /** What it is about: the id of an import, of an organisation. With the kind it names the job. */
  key: string;
  /**
   * Notes how far it is. Called after each slice of work; the next one may begin only when it has answered. Throws `JobEnds` where the
   * job was cancelled, where this server stops, or where another server has taken the job over: let it pass.
   */
  progress(done: number, total?: number): Promise<void>;
  /** Aborted when this server stops or the job takes too long: for waiting within a slice. */
  signal: AbortSignal;
};

/** Ends the work of a job between two slices. `lost`: another server has it. */
export class JobEnds extends Error {
  override name = 'JobEnds';
  readonly how: 'stopped' | 'given back' | 'lost';
  /** Why, for those who see it. */
  readonly why: string | null;
  constructor(how: JobEnds['how'], why: string | null = null) {
    super(`the job is ${how}`);
    this.how = how;
    this.why = why;
  }
}

/** One kind of job. Its work must be safe to begin again after any slice. */
export type Job = {
  /** In words, for those who see it. */
  title: (subject: string) => string;
  /** What is counted: rows, e-mails. */
  unit: string;
  /** Any of these sees, cancels and tries again those of the organisations that are theirs to see. The owner always may; none: super administrators only. */
  seenBy: readonly PermissionSlug[];
  /** When it runs by itself: cron, in UTC. Without it, it runs when it is started. */
  schedule?: string | undefined;
  canCancel: boolean;
  /** It is taken away from a server that has not finished after so long, and goes on. */
  limitMinutes: number;
  /** How often it is tried, with longer and longer waits, before it has failed. What got further between two tries counts anew. */
  tries: number;
  /** How many a server runs at a time. */
  atOnce: number;
  /** Where what comes of it is shown. */
  link?: (key: string) => string;
  run: (job: Running) => Promise<void>;
  /** It was cancelled, or has failed for good. */
  onStopped?: (key: string) => Promise<void>;
  /** Somebody has it tried again. Refuses by throwing. */
  onRetry?: (key: string, by: { actor: Actor; address: string }) => Promise<void>;
};
export type JobRegistry = { [K in JobKind]: Job };
