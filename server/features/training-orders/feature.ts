import { trainingOrderEndpoints } from '#contract/api/training-orders.ts';
import { feature } from '#server/feature.ts';
import { licencesJob } from '#server/features/training-orders/licences.service.ts';
import { trainingOrderHandlers } from '#server/features/training-orders/orders.rest.ts';
import { trainingMonthsSource, trainingSpendSource } from '#server/features/training-orders/spend.report.ts';

export const trainingOrders = feature(trainingOrderEndpoints, trainingOrderHandlers, {
  jobs: (services) => ({ licences: licencesJob(services) }),
  reports: { 'training-spend': trainingSpendSource, 'training-months': trainingMonthsSource },
});
