import type { InspectionCopy } from '#contract/entities/inspection.ts';
import { keptPage, keptPages } from '#src/device/kept-pages.ts';

export type KeptInspection = { id: string; name: string; organisation: string; frozen_at: string };
/** The packs stored on this device for the signed-in person, newest first. */
export const keptInspections = async (): Promise<KeptInspection[]> =>
  (await keptPages<{ copy: InspectionCopy }>('inspection:'))
    .map(({ value: { copy } }) => ({
      ...{ id: copy.inspection.id, name: copy.inspection.name, organisation: copy.inspection.organisation.name },
      frozen_at: copy.inspection.frozen_at ?? copy.inspection.asked_at,
    }))
    .sort((a, b) => b.frozen_at.localeCompare(a.frozen_at));
/** Whether this device has a pack now that the signed-in person can read. */
export const isKept = async (id: string): Promise<boolean> => (await keptPage(`inspection:${id}`)) !== null;
