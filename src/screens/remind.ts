import { observable } from '#src/lib/observable.ts';

type Somebody = { id: string; name: string };
/** The people whom a reminder is being written to, and whether its dialog is open. */
export const reminded = observable<{ people: readonly Somebody[]; opened: boolean; by: Element | null } | null>(null);

/** Opens the dialog that reminds these people of their own courses; on closing, the focus returns to where it was. */
export const askToRemind = (people: readonly Somebody[]): void => reminded.set({ people, opened: true, by: document.activeElement });
