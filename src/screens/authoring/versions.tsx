import shapes from '#src/ui/shapes.module.css';
import type { Content, ContentVersion } from '#contract/entities/authored-content.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Table } from '#src/screens/table.tsx';
import { useRead } from '#src/screens/use-read.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconHistory } from '#src/ui/icons.tsx';
import { EmptyState } from '#src/ui/states.tsx';

type Row = ContentVersion & { id: string };
const columns: readonly Column<Row>[] = [
  {
    ...{ id: 'version', header: 'Version', width: 150, grow: 0.3, sort: true, value: (v) => v.version },
    cell: (v) => (
      <>
        Version {v.version} {v.current && <Badge tone="ok">Taken now</Badge>}
      </>
    ),
  },
  { id: 'published', header: 'Published', width: 150, grow: 0.4, value: (v) => formatMoment(v.published_at) },
  { id: 'people', header: 'People', width: 90, grow: 0.2, align: 'end', sort: true, value: (v) => v.people },
  { id: 'open', header: 'Not finished', width: 120, grow: 0.2, align: 'end', sort: true, value: (v) => v.open },
  { id: 'devices', header: 'Devices', width: 100, grow: 0.2, align: 'end', sort: true, value: (v) => v.devices },
  {
    ...{ id: 'change', header: 'Change', width: 150, grow: 0.4 },
    value: (v) => (v.version === 1 ? 'The first version' : v.material ? 'Something that matters' : 'Small corrections'),
  },
  {
    ...{ id: 'asked', header: 'Asked to take it', width: 190, grow: 0.5 },
    value: (v) => (v.take_within_days === null ? '' : `${v.taken} of ${v.taken + v.asked} have, within ${countOf(v.take_within_days, 'day')}`),
  },
  { id: 'note', header: 'Note', width: 180, grow: 1, value: (v) => v.note },
  { id: 'by', header: 'By', value: (v) => v.by?.name ?? '' },
];

/** The published versions of a content, and how many people are on each. */
export const Versions = ({ content: { id, version, title } }: { content: Content }) => {
  const { state, retry } = useRead('GET /content/{id}/versions', { params: { id } });
  if (state.kind !== 'loaded')
    return <ReadPlaceholder state={state} retry={retry} loading="Loading the versions" offline="The versions need a connection." />;
  if (state.data.length === 0)
    return (
      <EmptyState icon={<IconHistory size={36} />} title="Never published">
        Each time you publish, what people take is kept here as a version.
      </EmptyState>
    );
  return (
    <>
      <Table
        key={version}
        label={`Versions of ${title}`}
        name="content-versions"
        columns={columns}
        rows={state.data.map((v) => ({ ...v, id: `${v.version}` }))}
      />
      <p className={shapes.muted}>Devices are those on which people keep the version for use without a connection, as they last said.</p>
    </>
  );
};
