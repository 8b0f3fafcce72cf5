import { Locked } from '#src/offline/keys/unlocked.ts';
import type { Entry, Trouble } from '#src/offline/ports.ts';
import { storedRow } from '#src/offline/store/sealed-rows.ts';

/** Whether a row is a valid entry. Invalid ones are parked, never sent and never deleted. */
export const isReadable = (e: Partial<Entry>): e is Entry => {
  try {
    return typeof e.id === 'string' && typeof e.lane === 'string' && typeof e.command === 'string' && e.args !== undefined && typeof e.n === 'number';
  } catch (error) {
    // Locked is not damaged.
    if (error instanceof Locked) throw error;
    return false;
  }
};

export const unreadable = (at: string): Trouble => ({
  code: 'unreadable',
  message: 'This could not be read back. It has been set aside.',
  resolution: [],
  current: null,
  at,
});

/** An entry for display; an unreadable one with its known fields. */
export const entryToShow = (entry: Entry): Entry => {
  if (isReadable(entry as Partial<Entry>)) return { ...entry };
  const { sealed: _, ...clear } = storedRow(entry);
  return {
    ...(clear as unknown as Entry),
    dependsOn: (clear.dependsOn as string[] | undefined) ?? [],
    state: 'needs-person',
    args: null,
    sentence: 'Something that could not be read back',
    trouble: unreadable(entry.at),
    mergeKey: null,
  };
};
