import { Title } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { SessionForm } from '#src/features/training-sessions/session-form.tsx';
import layout from '#src/ui/page.module.css';

export const Component = () => {
  const navigate = useNavigate();
  return (
    <div className={layout.page}>
      <Title order={1} className={layout.title}>
        Plan a session
      </Title>
      <SessionForm
        session={null}
        success="It is planned. Now put people on the list."
        onSaved={(id) => void navigate(pathTo('training-sessions-by-id', { id }))}
      />
    </div>
  );
};
