import { observable } from '#src/lib/observable.ts';

/** Thrown by parts of a page that need the device's store while it does not answer: the shell says so in their place. */
export class StoreSilent extends Error {}

/** Whether the device's store has not answered since the app was opened. */
export const storeIsSilent = observable(false);

/** A store that takes longer is said not to answer. */
export const storeAnswersMs = 8000;
