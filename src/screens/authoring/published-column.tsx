import { Badge } from '#src/ui/badge.tsx';

const wordOf = ({ published }: { published: boolean }) => (published ? 'Published' : 'Draft');
/** Whether something is published, as a badge. */
export const PublishedBadge = ({ published }: { published: boolean }) => <Badge tone={published ? 'ok' : 'warning'}>{wordOf({ published })}</Badge>;
/** The same as the last column of a list. */
export const publishedColumn = {
  ...{ id: 'state', header: 'Status', width: 120, grow: 0.3, keep: true as const, value: wordOf },
  cell: PublishedBadge,
} as const;
