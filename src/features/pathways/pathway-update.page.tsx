import { Title } from '@mantine/core';

import { Link, useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { DeletePathwayDocument, PathwayToChangeDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { PathwayForm } from '#src/features/pathways/pathway-form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useReadOf(['pathway to change', id], () => graphCall(PathwayToChangeDocument, { id }));
  const pathway = state.kind === 'loaded' ? state.data.pathway : null;
  const remove = useAction(() => graphCall(DeletePathwayDocument, { id }), {
    success: 'The pathway has been deleted. What people have done stays.',
    onDone: () => void navigate(pathTo('pathways')),
  });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {pathway?.name ?? 'Pathway'}
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the pathway" offline="Changing a pathway needs a connection." />
      {pathway && !pathway.editable && (
        <p className={layout.notice} data-tone="warning" role="status">
          {pathway.entity.name} created this pathway, and only they can change it.{' '}
          <Link to={pathTo('pathways-by-id', { id })}>Back to the pathway</Link>
        </p>
      )}
      {pathway?.editable && (
        <PathwayForm
          pathway={pathway}
          success={texts.successfullyUpdated}
          onSaved={() => void navigate(pathTo('pathways-by-id', { id }))}
          more={<DeleteButton question={`Delete “${pathway.name}” for everybody on it?`} onDelete={() => void remove.run()} />}
        />
      )}
    </div>
  );
};
