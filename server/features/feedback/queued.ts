import { takeFeedback } from '#server/features/feedback/feedback.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const feedbackQueued =
  ({ db, now }: Services): Queued<'feedback'> =>
  (actor, content, changes) =>
    takeFeedback(db, actor, content, changes, now());
