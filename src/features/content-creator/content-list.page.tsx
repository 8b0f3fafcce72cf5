import { Button } from '@mantine/core';

import { Link, Navigate, useParams } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { type ContentLine, type ContentType, contentTypes } from '#contract/entities/authored-content.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { formatDay, formatMegabytes } from '#src/lib/format.ts';
import { IconBook } from '#src/ui/icons.tsx';
import { Badge } from '#src/ui/badge.tsx';

const titles: Partial<Record<ContentType, string>> = {
  elearning: 'E-learning',
  scorm: 'SCORM courses',
  face2face: 'Face-to-face courses',
  historical: 'Historical courses',
};

const List = ({ type, title }: { type: ContentType; title: string }) => {
  const user = useSession();
  const load = (query: ListQuery<(typeof sorts.contents)[number]>, signal: AbortSignal) =>
    call('GET /content', { query: { ...query, type } }, { signal });
  const list = useList(['contents', type], load, { sortedBy: sorts.contents });
  const columns: readonly Column<ContentLine>[] = [
    { id: 'title', header: 'Title', sort: 'title', width: 200, grow: 1.4, value: (c) => c.title },
    { id: 'course', header: 'Course', sort: 'course', value: (c) => c.course.title },
    ...(type === 'scorm'
      ? ([
          {
            ...{ id: 'standard', header: 'Standard', width: 130, grow: 0.4 },
            value: (c) => (c.package?.manifest.kind === 'scorm' ? `SCORM ${c.package.manifest.standard}` : ''),
          },
          { id: 'size', header: 'Size', width: 100, grow: 0.3, align: 'end', value: (c) => (c.package ? formatMegabytes(c.package.bytes) : '') },
        ] as const satisfies readonly Column<ContentLine>[])
      : []),
    { id: 'from', header: 'From', value: (c) => c.entity.name },
    { id: 'changed', header: 'Changed', sort: 'updated_at', width: 130, grow: 0.4, value: (c) => formatDay(c.updated_at) },
    {
      ...{ id: 'state', header: 'Status', width: 120, grow: 0.3, keep: true, value: (c) => (c.published ? 'Published' : 'Draft') },
      cell: (c) => <Badge tone={c.published ? 'ok' : 'warning'}>{c.published ? 'Published' : 'Draft'}</Badge>,
    },
  ];
  return (
    <ListPage
      words={{
        title,
        one: type === 'scorm' ? 'a course' : 'a content',
        many: type === 'scorm' ? 'courses' : 'contents',
        looksAt: 'Title or course',
        none: type === 'scorm' ? 'No courses yet' : 'No contents yet',
        first: type === 'scorm' ? 'Upload the package (.zip) of a course that your organisation has bought or made.' : 'Your organisation has none.',
        failed: texts.failedToFetchContent,
      }}
      list={list}
      icon={<IconBook size={36} />}
      add={
        type === 'scorm' &&
        user &&
        can(user, 'content.create') && (
          <Button component={Link} to={pathTo('content-creator-content-scorm-create')}>
            Add a SCORM course
          </Button>
        )
      }
      columns={columns}
      to={(c) =>
        type === 'scorm' && c.editable && can(user, 'content.update') ? pathTo('content-creator-content-scorm-update-by-id', { id: c.id }) : null
      }
    />
  );
};

/** The contents of one type that the organisation has made or was given. */
export const Component = () => {
  const { type = '' } = useParams();
  const known = contentTypes.find((t) => t === type);
  const title = known && titles[known];
  return title ? <List key={known} type={known} title={title} /> : <Navigate to={`${pathTo('404')}?resource=page`} replace />;
};
