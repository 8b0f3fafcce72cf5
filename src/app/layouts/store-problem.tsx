import { Button } from '@mantine/core';
import { IconAlert } from '#src/ui/icons.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** Shown when the person's store on this device cannot be used: why, that nothing was deleted, and what to do. */
export const StoreProblem = ({ state }: { state: 'too-new' | 'unreadable' }) => (
  <div>
    <EmptyState
      order={1}
      icon={<IconAlert size={36} />}
      title={state === 'too-new' ? 'This device has newer work than this version can read' : 'The store on this device cannot be opened'}
      action={<Button onClick={() => location.reload()}>Try again</Button>}
    >
      {state === 'too-new'
        ? 'A newer version of the app has been used here. Nothing has been deleted. Connect to the internet, then try again to get the newer version.'
        : 'Nothing has been deleted. Close other tabs of this app, restart the device, and try again. If it does not help, do not clear the browser’s data: ask your administrator first.'}
    </EmptyState>
  </div>
);
