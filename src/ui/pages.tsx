import { Pagination } from '@mantine/core';

/** Pagination of a list; hidden if there is only one page. */
export const Pages = ({ last, page, onGoTo }: { last: number; page: number; onGoTo: (page: number) => void }) =>
  last > 1 && (
    <Pagination
      total={last}
      value={page}
      size="lg"
      siblings={0}
      onChange={onGoTo}
      getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
      getItemProps={(p) => ({ 'aria-label': `Page ${p}` })}
    />
  );
