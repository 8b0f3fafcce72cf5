import type { Choices } from '#src/offline/kinds/choices.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';

export const checkInChoices: Choices = {
  takeBack: async (db, { lane }) => {
    const { id } = placeOfLane(lane);
    if ((await db.checkIns.get(id))?.received === false) await db.checkIns.delete(id);
  },
};
