import type { Choices } from '#src/offline/kinds/choices.ts';

export const messagesChoices: Choices = {
  takeBack: async (db, { id, command }) => {
    if (command === 'message.send') await db.messages.delete(id);
  },
};
