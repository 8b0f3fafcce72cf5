import { Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { sentenceOf } from '#src/api/call.ts';
import { AllocatePathwayDocument, PathwaysOfEntityDocument, type PathwaysOfEntityQuery } from '#src/api/generated/graphql.ts';
import { graphCall, pageOf } from '#src/api/graph.ts';
import classes from '#src/features/pathways/pathways.module.css';
import { countOf } from '#src/lib/format.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { useRead } from '#src/screens/use-read.ts';
import { IconPathway } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

type Row = PathwaysOfEntityQuery['pathways']['data'][number];
type Named = { id: string; name: string };

const Pathways = ({ slug, role }: { slug: string; role: Named }) => {
  const load = async ({ page, search, filter }: ListQuery) => {
    const result = await graphCall(PathwaysOfEntityDocument, { page, search, entity: slug, role: filter === 'given' ? role.id : null });
    return result.kind === 'ok' ? pageOf(result.data.pathways) : result;
  };
  const list = useList<Row>(['pathways of role', slug, role.id], load);
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
      row={(row) => (
        <div className={`app-card ${classes.row}`}>
          <span>
            <strong>
              <Link to={pathTo('pathways-by-id', { id: row.id })}>{row.name}</Link>
            </strong>
            <small>{[countOf(row.steps.length, 'step'), ...(row.entity.slug === slug ? [] : [`from ${row.entity.name}`])].join(' · ')}</small>
          </span>
          <Segmented
            size="md"
            aria-label={`${row.name}: whether this job role goes through it`}
            disabled={!row.for_roles || busy === row.id}
            value={isGiven(row) ? 'yes' : 'no'}
            onChange={(to) => void choose(row, to === 'yes')}
            data={[
              { value: 'no', label: 'No' },
              { value: 'yes', label: 'Goes through it' },
            ]}
          />
        </div>
      )}
    />
  );
};

/** The pathways of an organisation: which of them everybody with a job role goes through. */
export const Component = () => {
  const { slug = '', role = '' } = useParams();
  const { state, retry } = useRead('GET /entities/{slug}/roles/{id}', { params: { slug, id: role } });
  return (
    <div className={layout.page}>
      <Link to={pathTo('entities-one-roles', { slug })} className={classes.back}>
        Job roles
      </Link>
      {state.kind !== 'here' && (
        <Title order={1} className={layout.title}>
          Pathways of a job role
        </Title>
      )}
      <ReadPlaceholder state={state} retry={retry} loading="Loading the pathways" offline="What a job role goes through needs a connection." />
      {state.kind === 'here' && <Pathways slug={slug} role={state.thing} />}
    </div>
  );
};
