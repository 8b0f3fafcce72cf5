import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { seesPathways } from '#contract/entities/pathway.ts';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { PathwaysDocument, type PathwaysQuery } from '#src/api/generated/graphql.ts';
import { graphCall, pageOf } from '#src/device/graph-call.ts';
import classes from '#src/features/pathways/pathways.module.css';
import { doneOf, standingOf } from '#src/features/pathways/step-words.ts';
import { StepsBar } from '#src/ui/steps-bar.tsx';
import { countOf } from '#src/lib/format.ts';
import { usePagedList } from '#src/lib/use-paged-list.ts';
import { IconPathway } from '#src/ui/icons.tsx';
import { PagedPage } from '#src/ui/paged-page.tsx';

type Row = PathwaysQuery['pathways']['data'][number];

const load = async ({ page, search, filter }: { page: number; search: string; filter: string }) => {
  const result = await graphCall(PathwaysDocument, { page, search, mine: filter === 'mine' });
  return result.kind === 'ok' ? pageOf(result.data.pathways) : result;
};

/** The pathways of the signed-in person, and of the organisations that they look after. */
export const Component = () => {
  const user = useSession();
  const list = usePagedList<Row>(load);
  const looksAfter = can(user, seesPathways);
  return (
    <PagedPage
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
      row={({ id, name, entity, steps, mine }) => (
        <Link to={pathTo('pathways-by-id', { id })} className={`app-card ${classes.row}`}>
          <span>
            <strong>{name}</strong>
            <small>{[countOf(steps.length, 'step'), ...(looksAfter ? [entity.name] : [])].join(' · ')}</small>
            {mine && <small>{standingOf(mine.steps)}</small>}
          </span>
          {mine && <StepsBar done={doneOf(mine.steps)} of={mine.steps.length} label={`Your steps of ${name}`} />}
        </Link>
      )}
    />
  );
};
