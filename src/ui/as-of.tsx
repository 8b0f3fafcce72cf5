import { Button, Group } from '@mantine/core';
import { formatMoment } from '#src/lib/format.ts';
import layout from '#src/ui/page.module.css';

/** Shows that there is no connection, and the date of the data shown. */
export const AsOf = ({ at, onRetry }: { at: string; onRetry: () => void }) => (
  <Group className={layout.notice} data-tone="warning" justify="space-between" role="status">
    <span>No connection. Last updated on {formatMoment(at)}.</span>
    <Button variant="default" onClick={onRetry}>
      Try again
    </Button>
  </Group>
);
