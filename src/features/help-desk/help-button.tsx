import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { IconHelp } from '#src/ui/icons.tsx';

const HelpDrawer = loadedLater(() => import('#src/features/help-desk/help-drawer.tsx').then((m) => m.HelpDrawer));

/** Opens the help articles for the current page. */
export const HelpButton = ({ pattern }: { pattern: string }) => {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label="Help for this page" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <IconHelp />
      </ActionIcon>
      {opened && <HelpDrawer pattern={pattern} onClose={() => setOpened(false)} />}
    </>
  );
};
