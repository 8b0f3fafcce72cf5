import { attemptEndpoints } from '#contract/api/attempts.ts';
import { learningEndpoints } from '#contract/api/learning.ts';
import { feature } from '#server/feature.ts';
import { attemptHandlers } from '#server/features/learning/attempts.rest.ts';
import { learningGraph } from '#server/features/learning/learning.graph.ts';
import { learningHandlers } from '#server/features/learning/learning.rest.ts';
import { attemptQueued } from '#server/features/learning/queued.ts';
import { remindersJob } from '#server/features/learning/reminders.ts';

export const learning = feature(
  [...attemptEndpoints, ...learningEndpoints],
  (services) => ({ ...attemptHandlers(services), ...learningHandlers(services) }),
  { graph: learningGraph, jobs: (services) => ({ reminders: remindersJob(services) }), queued: (services) => ({ attempt: attemptQueued(services) }) },
);
