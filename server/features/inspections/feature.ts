import { inspectionEndpoints } from '#contract/api/inspections.ts';
import { feature } from '#server/feature.ts';
import { freezeJob } from '#server/features/inspections/freeze.service.ts';
import { inspectionHandlers } from '#server/features/inspections/inspections.rest.ts';

export const inspections = feature(inspectionEndpoints, inspectionHandlers, { jobs: (services) => ({ inspection: freezeJob(services) }) });
