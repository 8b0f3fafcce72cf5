import { resource } from '#contract/api/resource.ts';
import { TrainingPrice, TrainingPriceFields } from '#contract/entities/training-price.ts';

/** The price list of a training company. Ours. */
export const trainingPriceEndpoints = resource({
  ids: ['TrainingPrice', 'TrainingPrices'],
  path: '/training-prices',
  words: { one: 'a price of training', many: 'prices of training of the caller’s organisation and below it' },
  ...{ row: TrainingPrice, fields: TrainingPriceFields, sorts: ['course', 'valid_from'] },
  ...{ read: ['training_company.update', 'booking.manage', 'booking.create'], write: ['training_company.update'] },
});
