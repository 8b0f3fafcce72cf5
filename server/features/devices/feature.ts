import { deviceEndpoints } from '#contract/api/devices.ts';
import { feature } from '#server/feature.ts';
import { deviceHandlers } from '#server/features/devices/devices.rest.ts';

export const devices = feature(deviceEndpoints, (services, { queued }) => deviceHandlers(services, queued));
