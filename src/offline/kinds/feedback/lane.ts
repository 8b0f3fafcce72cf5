import type { OwnFeedback } from '#contract/entities/feedback.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf } from '#src/offline/kinds/lane.ts';

/** What is said of contents, a lane for each content: in the order in which it was said, one at a time. */
export const feedbackLane: LaneOf<'feedback'> = {
  atOnce: 1,
  send: (content, changes, headers) => request<OwnFeedback>('PATCH', `/content/${content}/feedback`, { body: { changes }, headers }),
  tables: (db) => [db.feedback],
  take: (db, said) => db.feedback.put(said).then(() => undefined),
};
