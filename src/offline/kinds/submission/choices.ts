import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

export const submissionChoices: Choices = {
  takeBack: async (db, { command, lane }) => {
    if (command === 'submission.add') await db.submissions.delete(placeOfLane(lane).id);
  },
};
