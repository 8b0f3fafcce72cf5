import { Button, Group } from '@mantine/core';
import { IconAlert } from '#src/ui/icons.tsx';
import { EmptyState } from '#src/ui/states.tsx';

const words = {
  'too-new': {
    title: 'This device has newer work than this version can read',
    text: 'A newer version of the app has been used here. Nothing has been deleted. Connect to the internet, then try again to get the newer version.',
  },
  unreadable: {
    title: 'The store on this device cannot be opened',
    text: 'Nothing has been deleted. Close other tabs of this app, restart the device, and try again. If it does not help, do not clear the browser’s data: ask your administrator first.',
  },
  silent: {
    title: 'The storage of this device does not answer',
    text: 'Nothing has been deleted. Close other tabs of this app and try again. If it does not help, restart the device. Without it, nothing that you do in a course or on a record can be saved here; pages that need only a connection can be used.',
  },
} as const;

/** Shown when the person's store on this device cannot be used: why, that nothing was deleted, and what to do. */
export const StoreProblem = ({ state, onGoOn }: { state: keyof typeof words; onGoOn?: () => void }) => (
  <div role="alert">
    <EmptyState
      order={1}
      icon={<IconAlert size={36} />}
      title={words[state].title}
      action={
        <Group justify="center" gap="xs">
          <Button onClick={() => location.reload()}>Try again</Button>
          {onGoOn && (
            <Button variant="default" onClick={onGoOn}>
              Go on without it
            </Button>
          )}
        </Group>
      }
    >
      {words[state].text}
    </EmptyState>
  </div>
);
