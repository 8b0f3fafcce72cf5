import type { OwnEvaluation } from '#contract/entities/evaluation.ts';
import type { OwnFeedback } from '#contract/entities/feedback.ts';
import { request } from '#src/api/transport.ts';
import type { LaneOf } from '#src/offline/kinds/lane.ts';

/** Feedback on contents and training sessions, with a lane for each of them: in order, one at a time. */
export const feedbackLane: LaneOf<'feedback'> = {
  atOnce: 1,
  send: (thing, changes, headers) =>
    changes[0]?.command === 'feedback.evaluate'
      ? request<OwnEvaluation>('PATCH', `/bookings/own/${thing}/evaluation`, { body: { changes }, headers })
      : request<OwnFeedback>('PATCH', `/content/${thing}/feedback`, { body: { changes }, headers }),
  tables: (db) => [db.feedback],
  take: (db, row) => db.feedback.put('content_id' in row ? row : { ...row, kind: 'evaluation', content_id: row.id }).then(() => undefined),
};
