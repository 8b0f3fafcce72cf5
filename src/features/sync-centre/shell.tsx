import { lazy, Suspense, useState } from 'react';
import { SaveChip } from '#src/features/sync-centre/save-chip.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';

const SyncCentre = lazy(() => import('#src/features/sync-centre/sync-centre.tsx').then((m) => ({ default: m.SyncCentre })));

/** The save state, always in sight, and the list behind it, loaded when it is asked for. */
export const SaveState = () => {
  const [wanted, setWanted] = useState(false);
  return (
    <>
      <SaveChip onOpen={() => (wanted ? openModal('sync-centre') : setWanted(true))} />
      {wanted && (
        <Suspense fallback={null}>
          <SyncCentre />
        </Suspense>
      )}
    </>
  );
};
