import { applyMessageChanges } from '#server/features/messages/messages.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const messagesQueued =
  ({ db, now }: Services): Queued<'messages'> =>
  (actor, _other, changes) =>
    applyMessageChanges(db, actor, changes, now());
