import { askWhetherHeld } from '#server/features/training-sessions/ask-whether-held.ts';
import { checkInsOf } from '#server/features/training-sessions/check-ins.service.ts';
import { applyToRegister } from '#server/features/training-sessions/registers.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const registerQueued =
  (services: Services): Queued<'register'> =>
  async (actor, id, changes) => {
    const taken = await applyToRegister(services.db, actor, id, changes, services.now());
    if (taken.needsOutcome) await askWhetherHeld(services, taken.current).catch((error) => services.log.error(error));
    return taken;
  };

export const checkInQueued = (services: Services): Queued<'check_in'> => checkInsOf(services).take;
