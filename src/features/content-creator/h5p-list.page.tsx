import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import type { H5p } from '#contract/entities/h5p.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { kindOf } from '#src/features/content-creator/h5p-words.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { formatDay, formatMegabytes } from '#src/lib/format.ts';
import { IconBook } from '#src/ui/icons.tsx';

const load = (query: ListQuery<(typeof sorts.h5ps)[number]>, signal: AbortSignal) => call('GET /h5ps', { query }, { signal });
const words = {
  title: 'H5P activities',
  one: 'an activity',
  many: 'activities',
  looksAt: 'Title or kind',
  none: 'No activities yet',
  first: 'Upload an H5P file (.h5p) to use it in the topics of your courses.',
  failed: texts.failedToFetchH5ps,
};

const columns: readonly Column<H5p>[] = [
  { id: 'title', header: 'Title', sort: 'title', width: 200, grow: 1.6, value: (h) => h.title },
  { id: 'kind', header: 'Kind', value: (h) => kindOf(h.package) },
  { id: 'size', header: 'Size', width: 100, grow: 0.3, align: 'end', value: (h) => formatMegabytes(h.package.bytes) },
  { id: 'changed', header: 'Changed', sort: 'updated_at', width: 130, grow: 0.4, value: (h) => formatDay(h.updated_at) },
];

/** The H5P activities of the organisation, newest first. */
export const Component = () => {
  const list = useList(['h5ps'], load, { sortedBy: sorts.h5ps });
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconBook size={36} />}
      add={
        <Button component={Link} to={pathTo('content-creator-h5ps-create')}>
          Add an activity
        </Button>
      }
      columns={columns}
      to={(h5p) => pathTo('content-creator-h5ps-update-by-id', { id: h5p.id })}
    />
  );
};
