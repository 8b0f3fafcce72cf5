import type { inspectionEndpoints } from '#contract/api/inspections.ts';
import { inspectionsOf } from '#server/features/inspections/inspections.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const inspectionHandlers = (services: Services): HandlersOf<typeof inspectionEndpoints> => {
  const inspections = inspectionsOf(services);
  return {
    listInspections: ({ query, actor }) => inspections.list(actor, query),
    createInspection: async ({ body, ...by }) => ({ data: await inspections.freeze(by, body) }),
    getInspection: async ({ params, actor }) => ({ data: await inspections.one(actor, params.id) }),
    inspectionCopy: async ({ params, actor }) => ({ data: await inspections.copy(actor, params.id) }),
    inspectionFile: ({ params, query, actor }) => inspections.file(actor, params.id, query.format),
    verifyInspection: async ({ params, request }) => ({ data: await inspections.verify(params.hash, request.ip) }),
  };
};
