import type { sorts } from '#contract/api/sorts.ts';
import type { TopicLine } from '#contract/entities/authored-parts.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { partListPage } from '#src/features/content-creator/part-list.tsx';
import { TopicFlags } from '#src/features/content-creator/topic-flags.tsx';
import type { ListQuery } from '#src/screens/use-list.ts';
import { IconBook } from '#src/ui/icons.tsx';

const flags = ({ hidden, skippable, block_count }: TopicLine) =>
  [hidden && 'Hidden', skippable && 'Can be skipped', block_count === 0 && 'Empty'].filter(Boolean).join(', ');

/** The topics of the organisation, newest first. */
export const Component = partListPage<TopicLine>({
  kind: 'topics',
  load: (query: ListQuery<(typeof sorts.parts)[number]>, signal) => call('GET /topics', { query }, { signal }),
  words: {
    ...{ title: 'Topics', one: 'a topic', many: 'topics', looksAt: 'Title', none: 'No topics yet', failed: texts.failedToFetchTopics },
    first: 'A topic is one page that people read. Write it here, then add it to the lessons that need it.',
  },
  add: 'Write a topic',
  icon: <IconBook size={36} />,
  columns: [{ id: 'flags', header: 'Kind', value: flags, cell: (topic) => flags(topic) && <TopicFlags topic={topic} /> }],
});
