import { protocol } from '#contract/protocol.ts';

let place: string | null = null;

/** Sets the organisation for which screens make their calls; null for the caller's own. Not used by replay. */
export const callFor = (entityId: string | null): void => {
  place = entityId;
};
/** The header that tells the server. */
export const placeHeaders = (): Record<string, string> => (place === null ? {} : { [protocol.actingAsHeader]: place });
