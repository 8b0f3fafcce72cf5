import { bookingEndpoints } from '#contract/api/bookings.ts';
import { evaluationEndpoints } from '#contract/api/evaluations.ts';
import { sessionDocumentEndpoints } from '#contract/api/session-documents.ts';
import { trainingSessionEndpoints } from '#contract/api/training-sessions.ts';
import { feature } from '#server/feature.ts';
import { bookingHandlers } from '#server/features/training-sessions/bookings.rest.ts';
import { sessionDocumentHandlers } from '#server/features/training-sessions/documents.rest.ts';
import { evaluationHandlers } from '#server/features/training-sessions/evaluations.rest.ts';
import { checkInQueued, registerQueued } from '#server/features/training-sessions/queued.ts';
import { sessionsJob } from '#server/features/training-sessions/session-notices.service.ts';
import { sessionsGraph } from '#server/features/training-sessions/sessions.graph.ts';
import { trainingSessionHandlers } from '#server/features/training-sessions/sessions.rest.ts';
import { placesJob } from '#server/features/training-sessions/waiting-list.ts';

export const trainingSessions = feature(
  [...trainingSessionEndpoints, ...sessionDocumentEndpoints, ...evaluationEndpoints, ...bookingEndpoints],
  (services) => ({
    ...trainingSessionHandlers(services),
    ...sessionDocumentHandlers(services),
    ...evaluationHandlers(services),
    ...bookingHandlers(services),
  }),
  {
    graph: sessionsGraph,
    jobs: (services) => ({ places: placesJob(services), sessions: sessionsJob(services) }),
    queued: (services) => ({ check_in: checkInQueued(services), register: registerQueued(services) }),
  },
);
