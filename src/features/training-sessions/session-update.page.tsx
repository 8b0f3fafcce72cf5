import { Title } from '@mantine/core';
import { useCallback } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { call } from '#src/api/call.ts';
import { SessionForm } from '#src/features/training-sessions/session-form.tsx';
import { useThing } from '#src/lib/use-thing.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ThingState } from '#src/ui/thing-state.tsx';

export const Component = () => {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { state, retry } = useThing(useCallback(() => call('GET /training-sessions/{id}', { params: { id } }), [id]));
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Change the session
      </Title>
      <ThingState state={state} retry={retry} loading="Loading the session" offline="Changing a session needs a connection." />
      {state.kind === 'here' && (
        <SessionForm
          session={state.thing}
          onSaved={() => {
            notify('success', 'Saved.');
            void navigate(pathTo('training-sessions-by-id', { id }));
          }}
        />
      )}
    </div>
  );
};
