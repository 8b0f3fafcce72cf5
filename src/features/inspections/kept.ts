import type { InspectionCopy } from '#contract/entities/inspection.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { keptPages } from '#src/device/kept-pages.ts';

export type KeptInspection = { id: string; name: string; organisation: string; frozen_at: string };
/** The packs that this device keeps for the signed-in person, the newest first. */
export const keptInspections = async (): Promise<KeptInspection[]> =>
  (await keptPages<{ copy: InspectionCopy }>('inspection:'))
    .map(({ value: { copy } }) => ({
      ...{ id: copy.inspection.id, name: copy.inspection.name, organisation: copy.inspection.organisation.name },
      frozen_at: copy.inspection.frozen_at ?? copy.inspection.asked_at,
    }))
    .sort((a, b) => b.frozen_at.localeCompare(a.frozen_at));
/** Whether packs are kept here now: not while acting for another organisation. */
export const keepsInspections = (): boolean => currentUser() !== null && !currentActingAs();
