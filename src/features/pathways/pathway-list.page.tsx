import { Button } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { seesPathways } from '#contract/entities/pathway.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { PathwaysDocument, type PathwaysQuery } from '#src/api/generated/graphql.ts';
import { type KeptPage, keepPage, keptPage } from '#src/device/kept-pages.ts';
import { graphCall, pageOf } from '#src/api/graph.ts';
import { doneOf, standingOf } from '#src/features/pathways/step-words.ts';
import { StepsBar } from '#src/ui/steps-bar.tsx';
import { countOf } from '#src/lib/format.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { AsOf } from '#src/ui/as-of.tsx';
import layout from '#src/ui/page.module.css';
import { LoadingState, OfflineState } from '#src/ui/states.tsx';
import { IconPathway } from '#src/ui/icons.tsx';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';

type Row = PathwaysQuery['pathways']['data'][number];

const load = async ({ page, search, filter, sort }: ListQuery<(typeof sorts.pathways)[number]>) => {
  const result = await graphCall(PathwaysDocument, { page, search, mine: filter === 'mine', sort: sort ?? null });
  // Only the user's own are kept offline; for people who look after others the list holds others' too.
  if (result.kind === 'ok' && page === 1 && !search) {
    const ownPathways = result.data.pathways.data.filter((p) => p.mine);
    if (filter === 'mine' || ownPathways.length > 0 || result.data.pathways.paginatorInfo.lastPage <= 1)
      void keepPage('own-pathways', ownPathways).catch(() => undefined);
  }
  return result.kind === 'ok' ? pageOf(result.data.pathways) : result;
};

const PathwayLink = ({ row: { id, name, steps, mine } }: { row: Row }) => (
  <Link to={pathTo('pathways-by-id', { id })} className={`app-card ${layout.row}`}>
    <span>
      <strong>{name}</strong>
      <small>{countOf(steps.length, 'step')}</small>
      {mine && <small>{standingOf(mine.steps)}</small>}
    </span>
    {mine && <StepsBar done={doneOf(mine.steps)} of={mine.steps.length} label={`Your steps of ${name}`} />}
  </Link>
);

/** The user's own pathways as last received, shown offline. */
const Kept = ({ search, onRetry }: { search: string; onRetry: () => void }) => {
  const [kept, setKept] = useState<KeptPage<Row[]> | null | undefined>(undefined);
  useEffect(() => {
    void keptPage<Row[]>('own-pathways')
      .catch(() => null)
      .then(setKept);
  }, []);
  if (kept === undefined) return <LoadingState label="Looking on this device" />;
  if (kept === null) return <OfflineState what="The list of pathways needs a connection once; then this device keeps your own." onRetry={onRetry} />;
  const sought = search.trim().toLowerCase();
  const found = kept.value.filter((p) => p.name.toLowerCase().includes(sought));
  return (
    <>
      <AsOf at={kept.at} onRetry={onRetry} />
      <ul className={layout.list}>
        {found.map((row) => (
          <li key={row.id}>
            <PathwayLink row={row} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={layout.count}>{search ? `Nothing found for “${search}”.` : 'You had no pathways then.'}</p>}
    </>
  );
};

const columnsFor = (looksAfter: boolean): readonly Column<Row>[] => [
  { id: 'name', header: 'Name', sort: 'name', width: 200, grow: 1.6, value: (p) => p.name },
  { id: 'steps', header: 'Steps', width: 80, grow: 0.2, align: 'end', value: (p) => p.steps.length },
  ...(looksAfter ? [{ id: 'from', header: 'From', sort: 'from', value: (p: Row) => p.entity.name }] : []),
  { id: 'next', header: 'Your next step', width: 200, value: (p) => (p.mine ? standingOf(p.mine.steps) : '') },
  {
    ...{ id: 'done', header: 'Your progress', width: 180, grow: 0.6, keep: true },
    value: (p) => (p.mine ? `${doneOf(p.mine.steps)} of ${p.mine.steps.length}` : ''),
    cell: (p) => p.mine && <StepsBar done={doneOf(p.mine.steps)} of={p.mine.steps.length} label={`Your steps of ${p.name}`} />,
  },
];

/** The pathways of the signed-in person, and of the organisations that they look after. */
export const Component = () => {
  const user = useSession();
  const list = useList(['pathways'], load, { sortedBy: sorts.pathways });
  const looksAfter = can(user, seesPathways);
  const columns = useMemo(() => columnsFor(looksAfter), [looksAfter]);
  return (
    <ListPage
      words={{
        ...{ title: 'Pathways', one: 'a pathway', many: 'pathways', looksAt: 'Name', none: 'No pathways yet' },
        first: looksAfter
          ? 'A pathway puts courses in an order, for a person or for everybody with a job role.'
          : 'Courses that follow one another appear here when your organisation gives you some.',
        failed: 'The pathways could not be loaded.',
      }}
      list={list}
      icon={<IconPathway size={36} />}
      filters={
        looksAfter
          ? [
              { value: '', label: 'All' },
              { value: 'mine', label: 'My own' },
            ]
          : undefined
      }
      add={
        can(user, needOf('pathways-create')) && (
          <Button component={Link} to={pathTo('pathways-create')}>
            Create a pathway
          </Button>
        )
      }
      offline={<Kept search={list.search} onRetry={list.retry} />}
      columns={columns}
      to={(row) => pathTo('pathways-by-id', { id: row.id })}
    />
  );
};
