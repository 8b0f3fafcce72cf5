import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/sql.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { RecentTotals } from '#server/db/recent-totals.ts';
import type { Sessions } from '#server/security/sessions.ts';
import type { Jobs } from '#server/jobs/runner.ts';
import type { Mailer } from '#server/mail/mailer.ts';

/** The services that every part of the server receives at start. `now` is the only clock. */
export type Services = {
  config: Config;
  db: Db;
  files: FileStore;
  mail: Mailer;
  jobs: Jobs;
  sessions: Sessions;
  /** The lengths of long lists of people. */
  peopleTotals: RecentTotals;
  secretKey: string;
  now: () => Date;
  log: FastifyBaseLogger;
};
