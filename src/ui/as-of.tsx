import { Button, Group } from '@mantine/core';
import { formatMoment } from '#src/lib/format.ts';
import layout from '#src/ui/page.module.css';

/** Says that there is no connection, and of when what is shown is. */
export const AsOf = ({ at, onRetry }: { at: string; onRetry: () => void }) => (
  <Group className={layout.notice} data-tone="warning" justify="space-between" role="status">
    <span>No connection. This is how it stood on {formatMoment(at)}.</span>
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  </Group>
);
