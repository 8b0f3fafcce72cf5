import type { scheduleEndpoints } from '#contract/api/report-schedules.ts';
import { schedulesOf } from '#server/features/report-schedules/schedules.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const scheduleHandlers = (services: Services): HandlersOf<typeof scheduleEndpoints> => {
  const schedules = schedulesOf(services);
  return {
    listSchedules: async ({ actor }) => ({ data: await schedules.list(actor) }),
    getSchedule: async ({ actor, params }) => ({ data: await schedules.get(actor, params.id) }),
    createSchedule: async ({ body, ...by }) => ({ data: await schedules.create(by, body) }),
    updateSchedule: async ({ params, body, ...by }) => ({ data: await schedules.update(by, params.id, body) }),
    pauseSchedule: async ({ params, body, ...by }) => ({ data: await schedules.pause(by, params.id, body.paused) }),
    sendSchedule: async ({ params, ...by }) => ({ data: await schedules.send(by, params.id) }),
    deleteSchedule: ({ params, ...by }) => schedules.remove(by, params.id),
    getDelivery: async ({ actor, params }) => ({ data: await schedules.delivery(actor, params.id) }),
    deliveryFile: ({ actor, params }) => schedules.file(actor, params.id),
  };
};
