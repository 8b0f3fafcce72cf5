import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { useWindowTitle } from '#src/lib/window-title.ts';
import { IconSearch } from '#src/ui/icons.tsx';
import { EmptyState } from '#src/ui/states.tsx';

/** The 404 screen; `resource` says what was not found and defaults to a page. */
export const NotFoundPage = () => {
  const [query] = useSearchParams();
  const resource = (query.get('resource') ?? 'page').slice(0, 40);
  const title = `This ${resource} could not be found`;
  useWindowTitle(title);
  return (
    <EmptyState
      order={1}
      icon={<IconSearch size={36} />}
      title={title}
      action={
        <Button component={Link} to="/">
          Go to the start page
        </Button>
      }
    >
      It may have been moved or removed, or the address may not be quite right.
    </EmptyState>
  );
};
