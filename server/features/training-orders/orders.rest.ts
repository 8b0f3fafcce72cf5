import type { trainingOrderEndpoints } from '#contract/api/training-orders.ts';
import { budgetsOf } from '#server/features/training-orders/budgets.service.ts';
import { invoicesOf } from '#server/features/training-orders/invoice.service.ts';
import { licencesServiceOf } from '#server/features/training-orders/licences.service.ts';
import { ordersOf } from '#server/features/training-orders/orders.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const trainingOrderHandlers = (services: Services): HandlersOf<typeof trainingOrderEndpoints> => {
  const orders = ordersOf(services);
  const licences = licencesServiceOf(services);
  const invoices = invoicesOf(services);
  const budgets = budgetsOf(services);
  return {
    listTrainingOrders: ({ query, actor }) => orders.page(actor, query),
    getTrainingOrder: async ({ params, actor }) => ({ data: await orders.get(actor, params.id) }),
    addToTrainingOrder: async ({ body, ...by }) => ({ data: await orders.add(by, body.item_id, body.quantity) }),
    changeTrainingOrder: async ({ params, body, ...by }) => ({ data: await orders.change(by, params.id, body) }),
    takeOrderStep: async ({ params, body, ...by }) => ({ data: await orders.step(by, params.id, body) }),
    renewTrainingOrder: async ({ params, ...by }) => ({ data: await orders.renew(by, params.id) }),
    orderLicences: async ({ params, actor }) => ({ data: await licences.list(actor, params.id) }),
    assignLicences: async ({ params, body, ...by }) => ({ data: await licences.assign(by, params.id, body.line_id, body.user_ids) }),
    releaseLicence: async ({ params, ...by }) => ({ data: await licences.release(by, params.id, params.licence) }),
    orderInvoice: ({ params, query, actor }) => invoices.file(actor, params.id, query.format),
    getTrainingBudget: async ({ query, actor }) => ({ data: await budgets.get(actor, query.year) }),
    setTrainingBudget: async ({ body, ...by }) => ({ data: await budgets.set(by, body) }),
  };
};
