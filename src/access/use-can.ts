import { can, type Need } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';

/** Whether the signed-in person has a permission. The server checks again. */
export const useCan = (need: Need, mode: 'all' | 'any' = 'any'): boolean => can(useSession(), need, mode);
