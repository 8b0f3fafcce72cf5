import { certificateQueued, evidenceQueued } from '#server/features/care-certificates/queued.ts';
import { attemptQueued } from '#server/features/learning/queued.ts';
import { messagesQueued } from '#server/features/messages/queued.ts';
import { registerQueued } from '#server/features/training-sessions/queued.ts';
import type { QueuedKinds } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

/** How each kind of thing that devices queue is taken, as its feature hands it in. */
export const queuedKinds = (services: Services): QueuedKinds => ({
  attempt: attemptQueued(services),
  certificate: certificateQueued(services),
  evidence: evidenceQueued(services),
  messages: messagesQueued(services),
  register: registerQueued(services),
});
