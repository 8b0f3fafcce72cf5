import type { sorts } from '#contract/api/sorts.ts';
import type { LessonLine } from '#contract/entities/authored-parts.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { partListPage } from '#src/features/content-creator/part-list.tsx';
import { publishedColumn } from '#src/screens/authoring/published-column.tsx';
import type { ListQuery } from '#src/screens/use-list.ts';
import { IconBook } from '#src/ui/icons.tsx';

/** The lessons of the organisation, newest first. */
export const Component = partListPage<LessonLine>({
  kind: 'lessons',
  load: (query: ListQuery<(typeof sorts.parts)[number]>, signal) => call('GET /lessons', { query }, { signal }),
  words: {
    ...{ title: 'Lessons', one: 'a lesson', many: 'lessons', looksAt: 'Title', none: 'No lessons yet', failed: texts.failedToFetchLessons },
    first: 'A lesson holds topics, and can be used in several e-learning contents.',
  },
  add: 'Make a lesson',
  icon: <IconBook size={36} />,
  columns: [{ id: 'topics', header: 'Topics', width: 90, grow: 0.2, align: 'end', value: (l) => l.topic_count }],
  last: [publishedColumn],
});
