import { protocol } from '#contract/protocol.ts';

let place: string | null = null;

/** The organisation that calls of the screens are made for from now on; null: the caller's own. Replaying never says one. */
export const callFor = (entityId: string | null): void => {
  place = entityId;
};
/** What says so to the server. */
export const placeHeaders = (): Record<string, string> => (place === null ? {} : { [protocol.actingAsHeader]: place });
