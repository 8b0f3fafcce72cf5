import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import type { Inspection } from '#contract/entities/inspection.ts';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { keptInspections, type KeptInspection } from '#src/features/inspections/kept.ts';
import { InspectionState } from '#src/features/inspections/inspection-state.tsx';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import layout from '#src/ui/page.module.css';
import { IconCertificate } from '#src/ui/icons.tsx';
import { OfflineState } from '#src/ui/states.tsx';

const load: LoadPage<Inspection, (typeof sorts.inspections)[number]> = ({ filter: _none, ...query }, signal) =>
  call('GET /inspections', { query }, { signal });

const words = {
  title: 'Inspection packs',
  one: 'a pack',
  many: 'packs',
  looksAt: 'Name or service',
  none: 'There are no inspection packs yet',
  first: 'A pack freezes who is in date at one moment, with the certificates, for an inspector. It never changes afterwards.',
  failed: 'The inspection packs could not be fetched.',
};
const columns: readonly Column<Inspection>[] = [
  { id: 'name', header: 'Name', value: (i) => i.name, sort: 'name', width: 220, grow: 1.4 },
  { id: 'chosen', header: 'About', value: (i) => i.chosen, width: 200 },
  {
    ...{ id: 'frozen', header: 'Frozen', sort: 'asked_at', width: 170, grow: 0.4 },
    value: (i) => (i.frozen_at ? formatMoment(i.frozen_at) : ''),
    order: (i) => i.asked_at,
  },
  { id: 'by', header: 'By', value: (i) => i.asked_by.name, width: 150, grow: 0.5 },
  { id: 'people', header: 'People', value: (i) => i.people, width: 90, grow: 0, align: 'end' },
  { id: 'score', header: 'In date', value: (i) => (i.score === null ? '' : `${i.score} %`), width: 90, grow: 0, align: 'end' },
  { ...{ id: 'state', header: 'State', width: 140, grow: 0.3, keep: true }, value: (i) => i.state, cell: (i) => <InspectionState inspection={i} /> },
];

/** The packs stored on this device, shown offline. */
const Kept = ({ onRetry }: { onRetry: () => void }) => {
  const [kept, setKept] = useState<KeptInspection[] | null>(null);
  useEffect(() => {
    void keptInspections().then(setKept, () => setKept([]));
  }, []);
  if (!kept?.length)
    return <OfflineState what="No inspection pack is kept on this device yet. Packs that you open with a connection are." onRetry={onRetry} />;
  return (
    <section aria-label="On this device" className={layout.page}>
      <p className={layout.notice} data-tone="warning" role="status">
        No connection. {countOf(kept.length, 'pack is', 'packs are')} on this device and can be read.
      </p>
      <ul className={layout.list}>
        {kept.map(({ id, name, frozen_at, organisation }) => (
          <li key={id} className={`app-card ${layout.block}`}>
            <Link to={pathTo('reports-inspections-by-id', { id })}>{name}</Link>
            <small>
              {organisation} · frozen {formatMoment(frozen_at)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The inspection packs, newest first. */
export const Component = () => {
  const list = useList(['inspections'], load, { sortedBy: sorts.inspections });
  return (
    <ListPage
      words={words}
      list={list}
      icon={<IconCertificate size={36} />}
      columns={columns}
      add={
        <Button component={Link} to={pathTo('reports-inspections-create')}>
          Freeze a pack
        </Button>
      }
      offline={<Kept onRetry={list.retry} />}
      to={(i) => pathTo('reports-inspections-by-id', { id: i.id })}
    />
  );
};
