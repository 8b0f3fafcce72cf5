import type { h5pEndpoints } from '#contract/api/h5ps.ts';
import { h5psOf } from '#server/features/packages/h5ps.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const h5pHandlers = (services: Services): HandlersOf<typeof h5pEndpoints> => {
  const h5ps = h5psOf(services);
  return {
    listH5ps: ({ query, actor }) => h5ps.list(actor, query),
    createH5p: async ({ body, ...by }) => ({ data: await h5ps.create(by, body) }),
    getH5p: async ({ params, actor }) => ({ data: await h5ps.get(actor, params.id) }),
    listH5pVersions: async ({ params, actor }) => ({ data: await h5ps.versions(actor, params.id) }),
    updateH5p: async ({ params, body, ...by }) => ({ data: await h5ps.update(by, params.id, body) }),
    deleteH5p: ({ params, ...by }) => h5ps.remove(by, params.id),
  };
};
