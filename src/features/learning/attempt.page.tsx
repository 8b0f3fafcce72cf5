import { lazy, Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { AttemptPlayer } from '#src/features/learning/attempt-player.tsx';
import { useAttempt } from '#src/features/learning/use-attempt.ts';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** Most courses bring no package; where one does, its player comes while what was done in it is read. */
const packagePlayer = () => import('#src/features/learning/package-player.tsx').then((m) => ({ default: m.PackagePlayer }));
const PackagePlayer = lazy(packagePlayer);
packagePlayer().catch(() => undefined);

/** Working through a course. */
export const Component = () => {
  const { attemptId = '' } = useParams();
  const { view, problem, reload } = useAttempt(attemptId);
  if (view?.document.package)
    return (
      <Suspense fallback={<LoadingState rows={3} label="Loading the course" />}>
        <PackagePlayer key={attemptId} view={view} pack={view.document.package} />
      </Suspense>
    );
  if (view) return <AttemptPlayer key={attemptId} view={view} />;
  if (problem?.offline) return <OfflineState order={1} what={problem.message} onRetry={reload} />;
  if (problem) return <ErrorState order={1} message={problem.message} onRetry={reload} />;
  return <LoadingState rows={3} label="Loading the course" />;
};
