import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { ContentLine } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { publishedColumn } from '#src/screens/authoring/published-column.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { formatDay } from '#src/lib/format.ts';
import { IconBook } from '#src/ui/icons.tsx';

const load = (query: ListQuery<(typeof sorts.contents)[number]>, signal: AbortSignal) => call('GET /designed-contents', { query }, { signal });
const words = {
  ...{ title: 'Content designer', one: 'a designed content', many: 'designed contents', looksAt: 'Title or course', none: 'Nothing designed yet' },
  first: 'Lay out pages of text, pictures, cards, scenarios and questions. Begin with a template, such as an induction or a policy to read and sign.',
  failed: texts.failedToFetchContent,
};
const columns: readonly Column<ContentLine>[] = [
  { id: 'title', header: 'Title', sort: 'title', width: 220, grow: 1.6, value: (c) => c.title },
  { id: 'course', header: 'Course', sort: 'course', value: (c) => c.course.title },
  { id: 'version', header: 'Version', width: 100, grow: 0.3, align: 'end', value: (c) => (c.version > 0 ? c.version : '') },
  { id: 'from', header: 'From', value: (c) => c.entity.name },
  { id: 'changed', header: 'Changed', sort: 'updated_at', width: 130, grow: 0.4, value: (c) => formatDay(c.updated_at) },
  publishedColumn,
];

/** The designed contents that the organisation has made or that were assigned to it. */
export const Component = () => {
  const user = useSession();
  const list = useList(['designed-contents'], load, { sortedBy: sorts.contents });
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconBook size={36} />}
      add={
        can(user, 'content.create') && (
          <Button component={Link} to={pathTo('content-designer-create')}>
            Design a content
          </Button>
        )
      }
      columns={columns}
      to={({ id, editable }) => (can(user, 'content.update') && editable ? pathTo('content-designer-by-id', { id }) : null)}
    />
  );
};
