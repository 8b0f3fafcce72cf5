import type { careOverviewEndpoints } from '#contract/api/care-overview.ts';
import { qualityOf } from '#server/features/care-certificates/quality.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const overviewHandlers = (services: Services): HandlersOf<typeof careOverviewEndpoints> => {
  const quality = qualityOf(services);
  return {
    careOverview: async ({ actor }) => ({ data: await quality.overview(actor) }),
    sampleRecords: async ({ body, ...by }) => ({ data: await quality.sample(by, body) }),
    checkSample: async ({ params, body, ...by }) => ({ data: await quality.check(by, params.id, body) }),
    competenceOf: async ({ params, actor }) => ({ data: await quality.competence(actor, params.id) }),
    noteCompetence: async ({ params, body, ...by }) => ({ data: await quality.noteCompetence(by, params.id, body) }),
  };
};
