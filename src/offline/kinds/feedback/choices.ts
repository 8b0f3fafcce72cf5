import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

/** What is said of a session has the id of one's place there; all else that of its entry. */
export const feedbackChoices: Choices = {
  takeBack: (db, { id, lane, command }) => db.feedback.delete(command === 'feedback.evaluate' ? placeOfLane(lane).id : id),
};
