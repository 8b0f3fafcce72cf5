import { Navigate } from 'react-router-dom';
import { pathTo } from '#contract/site-map.ts';
import { AttemptPlayer } from '#src/features/learning/attempt-player.tsx';
import { OpenedAttempt } from '#src/features/learning/opened-attempt.tsx';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { LoadingState } from '#src/ui/states.tsx';

/** Loaded only for courses with a package, in parallel with the attempt. */
const PackagePlayer = loadedLater(() => import('#src/features/learning/package-player.tsx').then((m) => m.PackagePlayer));
PackagePlayer.ready().catch(() => undefined);

/** Plays a course. Designed contents have another address. */
export const Component = () => (
  <OpenedAttempt>
    {(view) => {
      const { id } = view.attempt;
      if (view.document.design) return <Navigate to={pathTo('cattempt-by-attemptid', { attemptId: id })} replace />;
      if (!view.document.package) return <AttemptPlayer key={id} view={view} />;
      return <PackagePlayer key={id} view={view} pack={view.document.package} meanwhile={<LoadingState rows={3} label="Loading the course" />} />;
    }}
  </OpenedAttempt>
);
