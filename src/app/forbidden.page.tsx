import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useWindowTitle } from '#src/lib/window-title.ts';
import { IconKey } from '#src/ui/icons.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** The 403 screen. */
export const Component = () => {
  const title = 'You do not have permission to see this';
  useWindowTitle(title);
  return (
    <EmptyState
      order={1}
      icon={<IconKey size={36} />}
      title={title}
      action={
        <Button component={Link} to="/">
          Go to the start page
        </Button>
      }
    >
      If you think you should, ask your manager or an administrator of your organisation. They can change what you may do.
    </EmptyState>
  );
};
