import { Navigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { DesignPlayer } from '#src/features/learning/design-player.tsx';
import { OpenedAttempt } from '#src/features/learning/opened-attempt.tsx';

/** Plays a designed content. Others have the address of attempts. */
export const Component = () => (
  <OpenedAttempt>
    {(view) => {
      const { id } = view.attempt;
      if (!view.document.design) return <Navigate to={pathTo('attempt-by-attemptid', { attemptId: id })} replace />;
      return <DesignPlayer key={id} view={view} look={view.document.design} />;
    }}
  </OpenedAttempt>
);
