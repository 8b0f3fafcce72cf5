import type { ContentFeedbackChange, EvaluateSession, FeedbackChange } from '#contract/commands/feedback-commands.ts';
import { takeFeedback } from '#server/features/feedback/feedback.service.ts';
import { takeEvaluation } from '#server/features/training-sessions/evaluations.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

const ofSession = (change: FeedbackChange): change is EvaluateSession => change.command === 'feedback.evaluate';
const ofContent = (change: FeedbackChange): change is ContentFeedbackChange => !ofSession(change);

/** A lane holds the feedback on one thing: a content, or a training session. */
export const feedbackQueued =
  ({ db, now }: Services): Queued<'feedback'> =>
  (actor, thing, changes) =>
    changes.some(ofSession)
      ? takeEvaluation(db, actor, thing, changes.filter(ofSession), now())
      : takeFeedback(db, actor, thing, changes.filter(ofContent), now());
