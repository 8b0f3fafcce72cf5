import { Button, Title } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { H5p } from '#contract/entities/h5p.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import { H5pForm } from '#src/features/content-creator/h5p-form.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** Changes an H5P activity: its title, its file; or takes it out of the library. */
export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const [state, setState] = useState<H5p | 'loading' | 'offline' | { message: string }>('loading');
  const [sure, setSure] = useState(false);
  const load = useCallback(() => {
    setState('loading');
    void call('GET /h5ps/{id}', { params: { id } }).then((result) =>
      setState(result.kind === 'ok' ? result.data : result.kind === 'unreachable' ? 'offline' : { message: sentenceOf(result) }),
    );
  }, [id]);
  useEffect(load, [load]);
  const back = (message: string) => {
    notify('success', message);
    void navigate(pathTo('content-creator-h5ps'));
  };
  const remove = async () => {
    const result = await call('DELETE /h5ps/{id}', { params: { id } });
    if (result.kind === 'ok') back(texts.h5pDeleted);
    else notify('error', sentenceOf(result));
  };
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        {typeof state === 'object' && 'id' in state ? state.title : 'Activity'}
      </Title>
      {state === 'loading' && <LoadingState label="Loading the activity" />}
      {state === 'offline' && <OfflineState what="Changing an activity needs a connection." onRetry={load} />}
      {typeof state === 'object' && 'message' in state && <ErrorState message={state.message} onRetry={load} />}
      {typeof state === 'object' && 'id' in state && (
        <H5pForm
          key={state.id}
          title={state.title}
          pack={state.package}
          save={(title, pack) => call('PATCH /h5ps/{id}', { params: { id }, body: { title, package_id: pack.id } })}
          onSaved={() => back(texts.h5pUpdated)}
          more={
            sure ? (
              <>
                <span>Take it out of the library? Courses that use it keep it.</span>
                <Button color="red" onClick={() => void remove()}>
                  Delete
                </Button>
                <Button variant="default" onClick={() => setSure(false)}>
                  Keep it
                </Button>
              </>
            ) : (
              <Button variant="subtle" color="red" onClick={() => setSure(true)}>
                Delete …
              </Button>
            )
          }
        />
      )}
    </div>
  );
};
