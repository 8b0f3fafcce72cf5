import type { FastifyInstance } from 'fastify';
import type { AnyEndpoint } from '#contract/api/endpoints.ts';
import type { reportEndpoints } from '#contract/reports/reports.ts';
import { beyondScope } from '#server/db/scope.ts';
import type { Merged } from '#server/feature.ts';
import { account } from '#server/features/account/feature.ts';
import { activeUsers } from '#server/features/active-users/feature.ts';
import { assignments } from '#server/features/assignments/feature.ts';
import { audit } from '#server/features/audit/feature.ts';
import { bookings } from '#server/features/bookings/feature.ts';
import { branding } from '#server/features/branding/feature.ts';
import { careCertificates } from '#server/features/care-certificates/feature.ts';
import { compliance } from '#server/features/compliance/feature.ts';
import { complianceReport } from '#server/features/compliance-report/feature.ts';
import { contentCreator } from '#server/features/content-creator/feature.ts';
import { dashboards } from '#server/features/dashboards/feature.ts';
import { devices } from '#server/features/devices/feature.ts';
import { entities } from '#server/features/entities/feature.ts';
import { feedback } from '#server/features/feedback/feature.ts';
import { groups } from '#server/features/groups/feature.ts';
import { importer } from '#server/features/importer/feature.ts';
import { inspections } from '#server/features/inspections/feature.ts';
import { jobs } from '#server/features/jobs/feature.ts';
import { learning } from '#server/features/learning/feature.ts';
import { marketplace } from '#server/features/marketplace/feature.ts';
import { matrix } from '#server/features/matrix/feature.ts';
import { messages } from '#server/features/messages/feature.ts';
import { packages } from '#server/features/packages/feature.ts';
import { pathways } from '#server/features/pathways/feature.ts';
import { permissions } from '#server/features/permissions/feature.ts';
import { reportPresets } from '#server/features/report-presets/feature.ts';
import { reportSchedules } from '#server/features/report-schedules/feature.ts';
import { reports } from '#server/features/reports/feature.ts';
import { results } from '#server/features/results/feature.ts';
import { system } from '#server/features/system/feature.ts';
import { trainingOrders } from '#server/features/training-orders/feature.ts';
import { trainingCompanies } from '#server/features/training-companies/feature.ts';
import { trainingSessions } from '#server/features/training-sessions/feature.ts';
import { users } from '#server/features/users/feature.ts';
import { venues } from '#server/features/venues/feature.ts';
import { builder } from '#server/graphql/builder.ts';
import type { JobRegistry } from '#server/jobs/job.ts';
import { accountOf } from '#server/features/account/account.service.ts';
import { mailJob } from '#server/jobs/mail.ts';
import { retentionJob } from '#server/jobs/retention.ts';
import type { QueuedKinds } from '#server/ledger/kinds.ts';
import type { ReportSources } from '#server/reports/report-source.ts';
import type { Services } from '#server/services.ts';

/** Every feature of the server. Does not compile if a part needed below is provided by none of them. */
export const features = [
  account,
  activeUsers,
  assignments,
  audit,
  bookings,
  branding,
  careCertificates,
  compliance,
  complianceReport,
  contentCreator,
  dashboards,
  devices,
  entities,
  feedback,
  groups,
  importer,
  inspections,
  jobs,
  learning,
  marketplace,
  matrix,
  messages,
  packages,
  pathways,
  permissions,
  reportPresets,
  reportSchedules,
  reports,
  results,
  system,
  trainingOrders,
  trainingCompanies,
  trainingSessions,
  users,
  venues,
] as const;

type Parts = (typeof features)[number]['parts'];
/** All parts of one sort that the features provide. */
type Part<K extends string, P = Parts> = P extends { [k in K]: infer V } ? (V extends (services: Services) => infer R ? R : V) : never;
const merge = <U>(parts: readonly object[]): Merged<U> => Object.assign({}, ...parts);
const made = <K extends 'jobs' | 'queued'>(part: K, services: Services) =>
  merge<Part<K>>(features.map(({ parts }) => (part in parts ? (parts as Record<K, (services: Services) => object>)[part](services) : {})));

export const reportSources: ReportSources = merge<Part<'reports'>>(features.map(({ parts }) => ('reports' in parts && parts.reports) || {}));
/** Adds the web sockets of the features to the API. */
export const addSockets = (api: FastifyInstance, services: Services): void => {
  for (const { parts } of features) if ('socket' in parts) parts.socket?.(api, services);
};
export const queuedKinds = (services: Services): QueuedKinds => made('queued', services);

/** The jobs of the features, and the server's own. */
export const jobRegistry = (services: Services, engine: Pick<JobRegistry, 'report' | 'delivery' | 'schedules'>): JobRegistry => {
  const { db, jobs, mail } = services;
  if (!mail.keepsMail)
    mail.onStored(() => void beyondScope(() => jobs.note(db, 'mail')).then(jobs.wake, (error) => services.log.error({ err: error }, 'mail waits')));
  return { ...made('jobs', services), ...engine, mail: mailJob(services, accountOf(services).answerForgotten), retention: retentionJob(services) };
};

type Answered = (typeof features)[number]['endpoints'][number] | (typeof reportEndpoints)[number];
/** Every endpoint of the contract has its handler; the error names one that has none. */
true satisfies [Exclude<AnyEndpoint['id'], Answered['id']>] extends [never] ? true : Exclude<AnyEndpoint['id'], Answered['id']>;

for (const { parts } of features) if ('graph' in parts) parts.graph?.();
export const graphSchema = builder.toSchema();
