import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { CourseLine } from '#contract/entities/authored-content.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { CourseFilters, narrowedBy } from '#src/features/content-creator/course-filters.tsx';
import { publishedColumn } from '#src/screens/authoring/published-column.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { countOf } from '#src/lib/format.ts';
import { IconBook } from '#src/ui/icons.tsx';

const load = (query: ListQuery<(typeof sorts.courses)[number]>, signal: AbortSignal, more: Partial<Record<string, string>>) =>
  call('GET /courses', { query: { ...query, ...more } }, { signal });
const words = {
  ...{ title: 'Courses', one: 'a course', many: 'courses', looksAt: 'Title or short title', none: 'No courses yet' },
  first: 'A course is what people need to have done, such as “Moving and handling”. Make one, then add what they learn.',
  failed: 'Failed to fetch courses.',
};
/** How long a result is valid. */
export const validityWords = (months: number | null): string => (months === null ? 'Does not expire' : countOf(months, 'month'));
const columns: readonly Column<CourseLine>[] = [
  { id: 'title', header: 'Title', sort: 'title', width: 220, grow: 1.6, value: (c) => c.title },
  { id: 'short', header: 'Short title', width: 140, grow: 0.6, value: (c) => c.short_title },
  { id: 'contents', header: 'Contents', width: 110, grow: 0.3, align: 'end', value: (c) => c.content_count },
  { id: 'validity', header: 'Valid for', width: 140, grow: 0.4, value: (c) => validityWords(c.renewal_months) },
  { id: 'categories', header: 'Categories', value: (c) => c.categories.map(({ name }) => name).join(', ') },
  { id: 'from', header: 'From', value: (c) => c.entity.name },
  publishedColumn,
];

/** The courses of the organisation, by title. */
export const Component = () => {
  const user = useSession();
  const list = useList(['authored-courses'], load, { narrowedBy, sortedBy: sorts.courses });
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconBook size={36} />}
      add={
        can(user, 'course.create') && (
          <Button component={Link} to={pathTo('content-creator-courses-create')}>
            Make a course
          </Button>
        )
      }
      narrowing={<CourseFilters chosen={list.more} onChange={list.setMore} />}
      columns={columns}
      to={({ id }) => (can(user, 'course.update') ? pathTo('content-creator-courses-update-by-id', { id }) : null)}
    />
  );
};
