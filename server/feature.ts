import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '#contract/api/endpoint.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { JobRegistry } from '#server/jobs/job.ts';
import type { QueuedKinds } from '#server/ledger/kinds.ts';
import type { ReportSources } from '#server/reports/report-source.ts';
import type { Services } from '#server/services.ts';

/** What a feature provides beside its endpoints. */
type Parts = {
  /** Adds types and operations to the graph. */
  graph?: () => void;
  jobs?: (services: Services) => Partial<JobRegistry>;
  reports?: Partial<ReportSources>;
  queued?: (services: Services) => Partial<QueuedKinds>;
  /** Adds its web socket, which is not an endpoint, to the API. */
  socket?: (api: FastifyInstance, services: Services) => void;
};

/** A feature of the server (`feature.ts`), as registered in `features.ts`. An endpoint without a handler does not compile. */
export const feature = <const L extends readonly Endpoint[], P extends Parts = Parts>(
  endpoints: L,
  handlers: (services: Services, all: { queued: QueuedKinds }) => HandlersOf<L>,
  parts?: P,
) => ({ endpoints, handlers, parts: parts ?? ({} as P) });

/** Merges the parts of one sort. */
export type Merged<U> = (U extends unknown ? (part: U) => void : never) extends (merged: infer I) => void ? I : never;
