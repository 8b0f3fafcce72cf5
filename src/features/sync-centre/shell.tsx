import { useState } from 'react';
import { SaveChip } from '#src/features/sync-centre/save-chip.tsx';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';

const SyncCentre = loadedLater(() => import('#src/features/sync-centre/sync-centre.tsx').then((m) => m.SyncCentre));

/** The save state, always visible, and the sync centre behind it, loaded on demand. */
export const SaveState = () => {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <SaveChip onOpen={() => (opened ? openModal('sync-centre') : setOpened(true))} />
      {opened && <SyncCentre />}
    </>
  );
};
