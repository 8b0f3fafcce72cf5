import type { Choices } from '#src/offline/kinds/choices.ts';

/** A file alone shows nothing; its record refers to it. */
export const evidenceChoices: Choices = { takeBack: async () => undefined };
