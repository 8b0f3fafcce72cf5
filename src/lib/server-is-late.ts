import { observable } from '#src/lib/observable.ts';

/** Whether the last request was not answered in time, although the connection is not known to be lost. */
export const serverIsLate = observable(false);
