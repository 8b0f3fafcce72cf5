import type { Choices } from '#src/offline/kinds/choices.ts';

export const feedbackChoices: Choices = { takeBack: (db, { id }) => db.feedback.delete(id) };
