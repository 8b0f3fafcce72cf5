import { Title } from '@mantine/core';

import { useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { ScormForm } from '#src/features/content-creator/scorm-form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** Changes a SCORM course of the organisation, or takes it away. */
export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useRead('GET /content/{id}', { params: { id } });
  const back = () => void navigate(pathTo('content-creator-content-by-type', { type: 'scorm' }));
  const remove = useAction(() => call('DELETE /content/{id}', { params: { id } }), { success: texts.contentDeleted, onDone: back });
  const content = state.kind === 'here' && state.thing.type === 'scorm' ? state.thing : null;
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {content?.title ?? 'SCORM course'}
      </Title>
      {state.kind === 'loading' && <LoadingState label="Loading the course" />}
      {state.kind === 'offline' && <OfflineState what="Changing a course needs a connection." onRetry={retry} />}
      {state.kind === 'error' && <ErrorState message={state.message} onRetry={retry} />}
      {state.kind === 'here' && !content && <ErrorState message="This content is not a SCORM course." onRetry={retry} />}
      {content && !content.editable && (
        <ErrorState message={`${content.entity.name} created this course, and only they can change it.`} onRetry={retry} />
      )}
      {content?.editable && (
        <ScormForm
          key={content.id}
          content={content}
          save={({ type: _type, course_id: _course, ...body }) => call('PATCH /content/{id}', { params: { id }, body })}
          success={texts.contentUpdated}
          onSaved={back}
          more={
            <DeleteButton
              question="Remove it? People who have begun it can finish it; results and certificates stay."
              onDelete={() => void remove.run()}
            />
          }
        />
      )}
    </div>
  );
};
