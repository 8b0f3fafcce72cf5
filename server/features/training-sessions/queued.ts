import { checkInsOf } from '#server/features/training-sessions/check-ins.service.ts';
import { applyToRegister } from '#server/features/training-sessions/registers.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const registerQueued =
  (services: Services): Queued<'register'> =>
  async (actor, id, changes) => {
    const taken = await applyToRegister(services, actor, id, changes);
    services.mail.wake();
    return taken;
  };

export const checkInQueued = (services: Services): Queued<'check_in'> => checkInsOf(services).take;
