import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { IconHelp } from '#src/ui/icons.tsx';

const HelpDrawer = lazy(() => import('#src/features/help-desk/help-drawer.tsx').then((m) => ({ default: m.HelpDrawer })));

/** Opens the help articles for the page one is on. */
export const HelpButton = ({ pattern }: { pattern: string }) => {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label="Help for this page" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <IconHelp />
      </ActionIcon>
      {opened && (
        <Suspense fallback={null}>
          <HelpDrawer pattern={pattern} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
};
