import type { presetEndpoints } from '#contract/api/report-presets.ts';
import { presetsOf } from '#server/features/report-presets/presets.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const presetHandlers = (services: Services): HandlersOf<typeof presetEndpoints> => {
  const presets = presetsOf(services);
  return {
    listPresets: async ({ actor, query }) => ({ data: await presets.list(actor, query) }),
    getPreset: async ({ actor, params }) => ({ data: await presets.get(actor, params.id) }),
    createPreset: async ({ body, ...by }) => ({ data: await presets.create(by, body) }),
    updatePreset: async ({ params, body, ...by }) => ({ data: await presets.update(by, params.id, body) }),
    deletePreset: ({ params, ...by }) => presets.remove(by, params.id),
  };
};
