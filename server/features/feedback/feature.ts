import { feedbackEndpoints } from '#contract/api/feedback.ts';
import { feature } from '#server/feature.ts';
import { feedbackHandlers } from '#server/features/feedback/feedback.rest.ts';
import { feedbackQueued } from '#server/features/feedback/queued.ts';

export const feedback = feature(feedbackEndpoints, feedbackHandlers, { queued: (services) => ({ feedback: feedbackQueued(services) }) });
