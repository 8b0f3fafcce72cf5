import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import type { EntityRow } from '#contract/entities/entity.ts';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useActingAs, useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/entities/entities.module.css';
import { useEntityWords } from '#src/access/entity-words.ts';
import { type ListQuery, useList } from '#src/screens/use-list.ts';
import { IconBuilding } from '#src/ui/icons.tsx';
import { useActFor } from '#src/screens/use-act-for.ts';
import { ListPage } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { Badge } from '#src/ui/badge.tsx';

const filters = [
  { value: '', label: 'All' },
  { value: 'A', label: 'Organisations (level A)' },
  { value: 'B', label: 'Services (level B)' },
  { value: 'training', label: 'Training companies' },
];

const load = ({ filter, ...query }: ListQuery<(typeof sorts.entities)[number]>, signal: AbortSignal) => {
  const kind = filter === 'training' ? { is_training_company: '1' as const } : filter === 'A' || filter === 'B' ? ({ level: filter } as const) : {};
  return call('GET /entities', { query: { ...query, ...kind } }, { signal });
};

/** The organisations that the user can see, each below its parent. */
export const Component = () => {
  const user = useSession();
  const act = useActFor();
  const place = useActingAs() ?? user?.primary_entity;
  const { Many, many, anOne } = useEntityWords();
  const list = useList(['organisations'], load, { sortedBy: sorts.entities });
  const mayOpen = can(user, ['entity.view', 'entity.update']);
  const asTree = list.search === '' && list.filter === '' && list.sort === '';
  const columns: readonly Column<EntityRow>[] = [
    {
      ...{ id: 'name', header: 'Name', sort: 'name', width: 220, grow: 2, value: (e) => e.name },
      cell: (e) => (
        <span className={classes.place} style={{ '--depth': asTree ? Math.min(e.depth, 5) : 0 } as React.CSSProperties}>
          {e.name}
        </span>
      ),
    },
    { id: 'parent', header: 'Part of', value: (e) => e.parent?.name ?? '' },
    { id: 'level', header: 'Level', width: 90, grow: 0.3, value: (e) => `Level ${e.level}` },
    { id: 'people', header: 'People', width: 90, grow: 0.3, align: 'end', value: (e) => e.people },
    {
      ...{ id: 'kind', header: 'Kind', width: 160, grow: 0.4, keep: true, value: (e) => (e.is_training_company ? 'Training company' : '') },
      cell: (e) => e.is_training_company && <Badge tone="ok">Training company</Badge>,
    },
    ...(can(user, 'entity.act_as')
      ? [
          {
            ...{ id: 'act', header: 'Act for', width: 130, grow: 0, actions: true as const, value: () => null },
            cell: (e: EntityRow) =>
              e.id !== place?.id && (
                <Button variant="default" aria-label={`Act for ${e.name}`} onClick={() => act(e)}>
                  Act for
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <ListPage
      words={{
        ...{ title: Many, one: anOne, many, looksAt: 'Name or code', none: `No ${many} yet` },
        ...{ first: 'They appear here when they are added.', failed: texts.failedToFetchEntities },
      }}
      list={list}
      icon={<IconBuilding size={36} />}
      filters={filters}
      add={
        can(user, 'entity.create') && (
          <Button component={Link} to={pathTo('entities-create')}>
            Add {anOne}
          </Button>
        )
      }
      columns={columns}
      to={(entity) => (mayOpen ? pathTo('entities-one', { slug: entity.slug }) : null)}
    />
  );
};
