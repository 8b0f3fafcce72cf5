import { importEndpoints } from '#contract/api/imports.ts';
import { feature } from '#server/feature.ts';
import { importHandlers } from '#server/features/importer/imports.rest.ts';
import { importJob } from '#server/features/importer/run-import.ts';

export const importer = feature(importEndpoints, importHandlers, { jobs: (services) => ({ import: importJob(services) }) });
