import { venueEndpoints } from '#contract/api/venues.ts';
import { feature } from '#server/feature.ts';
import { venuesOf } from '#server/features/venues/venues.service.ts';
import { resourceHandlers } from '#server/http/resource.ts';

export const venues = feature(venueEndpoints, (services) => resourceHandlers(venueEndpoints, venuesOf(services)));
