import type { forecastEndpoints } from '#contract/api/forecast.ts';
import { forecastsOf } from '#server/features/compliance/forecast.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const forecastHandlers = (services: Services): HandlersOf<typeof forecastEndpoints> => {
  const forecasts = forecastsOf(services);
  return {
    forecast: async ({ query, actor }) => ({ data: await forecasts.of(actor, query) }),
    forecastPeople: ({ query, actor }) => forecasts.people(actor, query),
    personForecast: async ({ params, actor }) => ({ data: await forecasts.ofPerson(actor, params.id) }),
  };
};
