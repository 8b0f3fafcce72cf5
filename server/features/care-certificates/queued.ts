import type { AddEvidence } from '#contract/commands/evidence-commands.ts';
import { applyToCertificate } from '#server/features/care-certificates/observations.service.ts';
import { applyEvidence } from '#server/features/care-certificates/evidence.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const certificateQueued =
  (services: Services): Queued<'certificate'> =>
  async (actor, id, changes) => {
    const taken = await applyToCertificate(services, actor, id, changes, services.now());
    services.mail.wake();
    return taken;
  };

/** A file comes with a single change: no two changes share one. */
export const evidenceQueued =
  ({ db, files, now }: Services): Queued<'evidence'> =>
  (actor, id, [change]) =>
    applyEvidence(db, files, actor, id, change as AddEvidence, now());
