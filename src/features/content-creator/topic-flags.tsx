import type { TopicLine } from '#contract/entities/authored-parts.ts';
import { Badge } from '#src/ui/badge.tsx';

/** The special properties of a topic, a word for each. */
export const TopicFlags = ({ topic }: { topic: Pick<TopicLine, 'hidden' | 'skippable' | 'block_count'> }) => (
  <>
    {topic.hidden && <Badge tone="plain">Hidden</Badge>}
    {topic.skippable && <Badge tone="plain">Can be skipped</Badge>}
    {topic.block_count === 0 && <Badge tone="warning">Empty</Badge>}
  </>
);
