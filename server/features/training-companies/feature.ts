import { trainerEndpoints } from '#contract/api/trainers.ts';
import { trainingCompanyEndpoints } from '#contract/api/training-companies.ts';
import { trainingPriceEndpoints } from '#contract/api/training-prices.ts';
import { feature } from '#server/feature.ts';
import { companyGraph } from '#server/features/training-companies/companies.graph.ts';
import { companyHandlers } from '#server/features/training-companies/companies.rest.ts';
import { pricesOf } from '#server/features/training-companies/prices.service.ts';
import { trainerHandlers } from '#server/features/training-companies/trainers.rest.ts';
import { resourceHandlers } from '#server/http/resource.ts';

export const trainingCompanies = feature(
  [...trainingCompanyEndpoints, ...trainerEndpoints, ...trainingPriceEndpoints],
  (services) => ({ ...companyHandlers(services), ...trainerHandlers(services), ...resourceHandlers(trainingPriceEndpoints, pricesOf(services)) }),
  { graph: companyGraph },
);
