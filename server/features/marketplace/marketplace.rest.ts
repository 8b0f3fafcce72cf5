import type { marketplaceEndpoints } from '#contract/api/marketplace.ts';
import { marketplaceOf } from '#server/features/marketplace/marketplace.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const marketplaceHandlers = (services: Services): HandlersOf<typeof marketplaceEndpoints> => {
  const items = marketplaceOf(services);
  return {
    listMarketplaceItems: ({ query, actor }) => items.page(actor, query),
    getMarketplaceItem: async ({ params, actor }) => ({ data: await items.get(actor, params.id) }),
    tryMarketplaceItem: async ({ params, actor }) => ({ data: await items.preview(actor, params.id) }),
    listOfferedCourses: ({ query, actor }) => items.courses(actor, query),
    createMarketplaceItem: async ({ body, ...by }) => ({ data: await items.create(by, body) }),
    updateMarketplaceItem: async ({ params, body, ...by }) => ({ data: await items.update(by, params.id, body) }),
    deleteMarketplaceItem: ({ params, ...by }) => items.remove(by, params.id),
  };
};
