import { trainingSessionEndpoints } from '#contract/api/training-sessions.ts';
import { feature } from '#server/feature.ts';
import { registerQueued } from '#server/features/training-sessions/queued.ts';
import { trainingSessionHandlers } from '#server/features/training-sessions/sessions.rest.ts';

export const trainingSessions = feature(trainingSessionEndpoints, trainingSessionHandlers, {
  queued: (services) => ({ register: registerQueued(services) }),
});
