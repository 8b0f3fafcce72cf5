import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

/** An evaluation has the id of the person's place on the session; other feedback has that of its entry. */
export const feedbackChoices: Choices = {
  takeBack: (db, { id, lane, command }) => db.feedback.delete(command === 'feedback.evaluate' ? placeOfLane(lane).id : id),
};
