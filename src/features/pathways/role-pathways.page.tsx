import { Title } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { sentenceOf } from '#src/api/call.ts';
import { AllocatePathwayDocument, PathwaysOfEntityDocument, type PathwaysOfEntityQuery } from '#src/api/generated/graphql.ts';
import { graphCall, pageOf } from '#src/api/graph.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconPathway } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Segmented } from '#src/ui/segmented.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Row = PathwaysOfEntityQuery['pathways']['data'][number];
type Named = { id: string; name: string };

const Pathways = ({ slug, role }: { slug: string; role: Named }) => {
  const load = async ({ page, search, filter, sort }: ListQuery<(typeof sorts.pathways)[number]>) => {
    const result = await graphCall(PathwaysOfEntityDocument, {
      page,
      search,
      entity: slug,
      role: filter === 'given' ? role.id : null,
      sort: sort ?? null,
    });
    return result.kind === 'ok' ? pageOf(result.data.pathways) : result;
  };
  const list = useList(['pathways of role', slug, role.id], load, { sortedBy: sorts.pathways });
  const [changed, setChanged] = useState<Record<string, boolean>>({});
  const [busy, setBusy] = useState<string | null>(null);
  const isGiven = (row: Row) => changed[row.id] ?? row.allocations.some((a) => a.role?.id === role.id);
  const choose = async (row: Row, allocated: boolean) => {
    setBusy(row.id);
    const result = await graphCall(AllocatePathwayDocument, { pathway_id: row.id, kind: 'role', allocation_ids: [role.id], allocated });
    setBusy(null);
    if (result.kind === 'ok') {
      setChanged((all) => ({ ...all, [row.id]: allocated }));
      notify('success', texts.successfullyUpdated);
    } else notify('error', sentenceOf(result));
  };
  const columns: readonly Column<Row>[] = [
    { id: 'name', header: 'Pathway', sort: 'name', width: 200, grow: 1.6, value: (p) => p.name },
    { id: 'steps', header: 'Steps', width: 80, grow: 0.2, align: 'end', value: (p) => p.steps.length },
    { id: 'from', header: 'From', sort: 'from', value: (p) => p.entity.name },
    {
      ...{ id: 'given', header: 'This job role', width: 260, grow: 0.4, keep: true },
      value: (p) => (isGiven(p) ? 'Goes through it' : 'No'),
      cell: (p) => (
        <Segmented
          size="md"
          aria-label={`${p.name}: whether this job role goes through it`}
          disabled={!p.for_roles || busy === p.id}
          value={isGiven(p) ? 'yes' : 'no'}
          onChange={(to) => void choose(p, to === 'yes')}
          data={[
            { value: 'no', label: 'No' },
            { value: 'yes', label: 'Goes through it' },
          ]}
        />
      ),
    },
  ];
  return (
    <ListPage
      words={{
        ...{ title: role.name, one: 'a pathway', many: 'pathways', looksAt: 'Name', none: 'No pathways yet' },
        ...{ first: 'Create one under Pathways: courses in an order.', failed: 'The pathways could not be loaded.' },
      }}
      list={list}
      icon={<IconPathway size={36} />}
      filters={[
        { value: '', label: 'All' },
        { value: 'given', label: 'Of this job role' },
      ]}
      columns={columns}
      to={(p) => pathTo('pathways-by-id', { id: p.id })}
    />
  );
};

/** The pathways of an organisation: which of them are allocated to a job role. */
export const Component = () => {
  const { slug = '', role = '' } = useParams();
  const { state, retry } = useRead('GET /entities/{slug}/roles/{id}', { params: { slug, id: role } });
  return (
    <div className={layout.page}>
      {state.kind !== 'loaded' && (
        <Title order={1} className={layout.title}>
          Pathways of a job role
        </Title>
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading the pathways" offline="The pathways of a job role need a connection." />
      {state.kind === 'loaded' && <Pathways slug={slug} role={state.data} />}
    </div>
  );
};
