import { h5pEndpoints } from '#contract/api/h5ps.ts';
import { packageEndpoints } from '#contract/api/packages.ts';
import { feature } from '#server/feature.ts';
import { h5pHandlers } from '#server/features/packages/h5ps.rest.ts';
import { packageHandlers } from '#server/features/packages/packages.rest.ts';

export const packages = feature([...packageEndpoints, ...h5pEndpoints], (services) => ({ ...packageHandlers(services), ...h5pHandlers(services) }));
