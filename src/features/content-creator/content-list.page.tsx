import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { Link, Navigate, useParams } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { AuthoredType, ContentLine } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { CourseImport } from '#src/features/content-creator/course-import.tsx';
import { contentCreate, contentPage, contentWords, isAuthored } from '#src/screens/authoring/content-words.ts';
import { publishedColumn } from '#src/screens/authoring/published-column.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { formatDay, formatMegabytes } from '#src/lib/format.ts';
import { IconBook } from '#src/ui/icons.tsx';

/** The columns of one type only. */
const ofType: Partial<Record<AuthoredType, readonly Column<ContentLine>[]>> = {
  scorm: [
    {
      ...{ id: 'standard', header: 'Standard', width: 130, grow: 0.4 },
      value: (c) => (c.package?.manifest.kind === 'scorm' ? `SCORM ${c.package.manifest.standard}` : ''),
    },
    { id: 'size', header: 'Size', width: 100, grow: 0.3, align: 'end', value: (c) => (c.package ? formatMegabytes(c.package.bytes) : '') },
  ],
  elearning: [
    { id: 'version', header: 'Version', width: 100, grow: 0.3, align: 'end', value: (c) => (c.version > 0 ? c.version : '') },
    { id: 'minutes', header: 'Minutes', width: 100, grow: 0.3, align: 'end', value: (c) => c.estimated_duration || '' },
  ],
};
const columnsOf = (type: AuthoredType): readonly Column<ContentLine>[] => [
  { id: 'title', header: 'Title', sort: 'title', width: 200, grow: 1.4, value: (c) => c.title },
  { id: 'course', header: 'Course', sort: 'course', value: (c) => c.course.title },
  ...(ofType[type] ?? []),
  { id: 'from', header: 'From', value: (c) => c.entity.name },
  { id: 'changed', header: 'Changed', sort: 'updated_at', width: 130, grow: 0.4, value: (c) => formatDay(c.updated_at) },
  publishedColumn,
];

const List = ({ type }: { type: AuthoredType }) => {
  const user = useSession();
  const load = (query: ListQuery<(typeof sorts.contents)[number]>, signal: AbortSignal) =>
    call('GET /content', { query: { ...query, type } }, { signal });
  const list = useList(['contents', type], load, { sortedBy: sorts.contents });
  const { title, one, many, none, first, add } = contentWords[type];
  return (
    <ListPage
      words={{ title, one, many, looksAt: 'Title or course', none, first, failed: texts.failedToFetchContent }}
      list={list}
      icon={<IconBook size={36} />}
      add={
        can(user, 'content.create') && (
          <div className={layout.tools}>
            <Button component={Link} to={contentCreate(type)}>
              {add}
            </Button>
            {type === 'elearning' && <CourseImport />}
          </div>
        )
      }
      columns={columnsOf(type)}
      to={(c) => {
        if (!can(user, 'content.update') || (!c.editable && type !== 'elearning')) return null;
        return contentPage(c, type);
      }}
    />
  );
};

/** The contents of one type that the organisation has made or that were assigned to it. */
export const Component = () => {
  const { type = '' } = useParams();
  return isAuthored(type) ? <List key={type} type={type} /> : <Navigate to={`${pathTo('404')}?resource=page`} replace />;
};
