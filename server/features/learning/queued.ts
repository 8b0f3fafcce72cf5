import { applyChanges } from '#server/features/learning/apply-changes.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const attemptQueued =
  ({ db, now }: Services): Queued<'attempt'> =>
  (actor, id, changes) =>
    applyChanges(db, actor, id, changes, now());
