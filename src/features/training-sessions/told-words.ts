import { countOf } from '#src/lib/format.ts';

/** How many people the server has written to about a change of a session. */
export const toldWords = (told: number): string =>
  told === 0 ? 'There was nobody to tell.' : `${countOf(told, 'person has', 'people have')} a message about it.`;
