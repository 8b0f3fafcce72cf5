import { Title } from '@mantine/core';

import { useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { H5pForm } from '#src/features/content-creator/h5p-form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** Changes an H5P activity: its title, its file; or takes it out of the library. */
export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /h5ps/{id}', { params: { id } });
  const back = () => void navigate(pathTo('content-creator-h5ps'));
  const remove = useAction(() => call('DELETE /h5ps/{id}', { params: { id } }), { success: texts.h5pDeleted, onDone: back });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {state.kind === 'here' ? state.thing.title : 'Activity'}
      </Title>
      {state.kind === 'loading' && <LoadingState label="Loading the activity" />}
      {state.kind === 'offline' && <OfflineState what="Changing an activity needs a connection." onRetry={retry} />}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {state.kind === 'here' && (
        <H5pForm
          key={state.thing.id}
          title={state.thing.title}
          pack={state.thing.package}
          save={(body) => call('PATCH /h5ps/{id}', { params: { id }, body })}
          success={texts.h5pUpdated}
          onSaved={back}
          more={<DeleteButton question="Remove it from the library? Courses that use it keep it." onDelete={() => void remove.run()} />}
        />
      )}
    </div>
  );
};
