import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/entities/entities.module.css';
import { useEntityWords } from '#src/access/entity-words.ts';
import { countOf } from '#src/lib/format.ts';
import { useList } from '#src/screens/use-list.ts';
import { IconBuilding, IconChevronRight } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { ListPage } from '#src/screens/list-page.tsx';

const filters = [
  { value: '', label: 'All' },
  { value: 'A', label: 'Level A' },
  { value: 'B', label: 'Level B' },
  { value: 'training', label: 'Training companies' },
];

const load = ({ filter, ...query }: { page: number; search: string; filter: string }, signal: AbortSignal) => {
  const kind = filter === 'training' ? { is_training_company: '1' as const } : filter === 'A' || filter === 'B' ? ({ level: filter } as const) : {};
  return call('GET /entities', { query: { ...query, ...kind } }, { signal });
};

/** The organisations that one can see, each below its parent. */
export const Component = () => {
  const user = useSession();
  const { Many, many, anOne } = useEntityWords();
  const list = useList(['organisations'], load);
  const mayOpen = can(user, ['entity.view', 'entity.update']);
  const asTree = list.search === '' && list.filter === '';
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
      row={(entity) => {
        const about = (
          <>
            <span>
              <strong>{entity.name}</strong>
              <small>
                {[
                  `Level ${entity.level}`,
                  countOf(entity.people, 'person', 'people'),
                  ...(!asTree && entity.parent ? [`in ${entity.parent.name}`] : []),
                ].join(' · ')}
              </small>
            </span>
            {entity.is_training_company && (
              <span className={layout.badge} data-tone="ok">
                Training company
              </span>
            )}
          </>
        );
        const place = { style: { '--depth': asTree ? Math.min(entity.depth, 5) : 0 } as React.CSSProperties };
        return mayOpen ? (
          <Link to={pathTo('entities-one', { slug: entity.slug })} className={`app-card ${classes.row}`} {...place}>
            {about}
            <IconChevronRight size={22} />
          </Link>
        ) : (
          <div className={`app-card ${classes.row}`} {...place}>
            {about}
          </div>
        );
      }}
    />
  );
};
