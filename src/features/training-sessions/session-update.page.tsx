import { Title } from '@mantine/core';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { SessionForm } from '#src/features/training-sessions/session-form.tsx';
import { useRead } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';

export const Component = () => {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  // The day to which it was moved in the calendar.
  const moved = query.get('date');
  const day = moved && /^20\d\d-\d\d-\d\d$/.test(moved) ? moved : null;
  const { state, retry } = useRead('GET /training-sessions/{id}', { params: { id } });
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Change the session
      </Title>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the session" offline="Changing a session needs a connection." />
      {state.kind === 'loaded' && (
        <SessionForm session={state.data} day={day} success="Saved." onSaved={() => void navigate(pathTo('training-sessions-by-id', { id }))} />
      )}
    </div>
  );
};
