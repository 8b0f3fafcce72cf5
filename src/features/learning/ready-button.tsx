import { Button } from '@mantine/core';
import { useState } from 'react';
import type { LearnerEvent } from '#src/features/learning/learner-events.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { IconTablet } from '#src/ui/icons.tsx';

const ReadyDialog = loadedLater(() => import('#src/features/learning/ready-dialog.tsx').then((m) => m.ReadyDialog));

/** Prepares everything for the next shift to work offline. The dialog is loaded on demand. */
export const ReadyForTomorrow = ({ events }: { events: readonly LearnerEvent[] }) => {
  // Other pages link here with the dialog open.
  const [opened, setOpened] = useState(() => new URLSearchParams(location.search).has('ready'));
  return (
    <div>
      <Button variant="default" leftSection={<IconTablet size={20} />} onClick={() => (opened ? openModal('ready-for-tomorrow') : setOpened(true))}>
        Ready for tomorrow
      </Button>
      {opened && <ReadyDialog events={events} />}
    </div>
  );
};
