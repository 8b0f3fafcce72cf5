import { dashboardEndpoints } from '#contract/api/dashboards.ts';
import { feature } from '#server/feature.ts';
import { dashboardHandlers } from '#server/features/dashboards/dashboards.rest.ts';
import { figuresJob } from '#server/features/dashboards/figures.service.ts';

export const dashboards = feature(dashboardEndpoints, dashboardHandlers, { jobs: (services) => ({ figures: figuresJob(services) }) });
