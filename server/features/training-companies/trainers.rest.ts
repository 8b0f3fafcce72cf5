import type { trainerEndpoints } from '#contract/api/trainers.ts';
import { trainersOf } from '#server/features/training-companies/trainers.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const trainerHandlers = (services: Services): HandlersOf<typeof trainerEndpoints> => {
  const trainers = trainersOf(services);
  return {
    listTrainers: ({ query, actor }) => trainers.page(actor, query),
    getTrainer: async ({ params, actor }) => ({ data: await trainers.get(actor, params.trainer) }),
    addTrainer: async ({ body, ...by }) => ({ data: await trainers.add(by, body.user_id) }),
    updateTrainer: async ({ params, body, ...by }) => ({ data: await trainers.change(by, params.trainer, body) }),
    removeTrainer: ({ params, ...by }) => trainers.remove(by, params.trainer),
    checkTrainer: async ({ params, query, actor }) => ({ data: await trainers.check(actor, params.trainer, query) }),
  };
};
