import { complianceEndpoints } from '#contract/api/compliance.ts';
import { forecastEndpoints } from '#contract/api/forecast.ts';
import { feature } from '#server/feature.ts';
import { complianceHandlers } from '#server/features/compliance/compliance.rest.ts';
import { forecastHandlers } from '#server/features/compliance/forecast.rest.ts';

export const compliance = feature([...complianceEndpoints, ...forecastEndpoints] as const, (services) => ({
  ...complianceHandlers(services),
  ...forecastHandlers(services),
}));
