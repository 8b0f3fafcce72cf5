import { marketplaceEndpoints } from '#contract/api/marketplace.ts';
import { feature } from '#server/feature.ts';
import { marketplaceHandlers } from '#server/features/marketplace/marketplace.rest.ts';

export const marketplace = feature(marketplaceEndpoints, marketplaceHandlers);
