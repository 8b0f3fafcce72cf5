import { useParams } from 'react-router-dom';
import { AttemptPlayer } from '#src/features/learning/attempt-player.tsx';
import { useAttempt } from '#src/features/learning/use-attempt.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** Loaded only for courses with a package, in parallel with the attempt. */
const PackagePlayer = loadedLater(() => import('#src/features/learning/package-player.tsx').then((m) => m.PackagePlayer));
PackagePlayer.ready().catch(() => undefined);

/** Plays a course. */
export const Component = () => {
  const { attemptId = '' } = useParams();
  const { view, problem, reload } = useAttempt(attemptId);
  if (view?.document.package)
    return (
      <PackagePlayer key={attemptId} view={view} pack={view.document.package} meanwhile={<LoadingState rows={3} label="Loading the course" />} />
    );
  if (view) return <AttemptPlayer key={attemptId} view={view} />;
  if (problem?.offline) return <OfflineState order={1} what={problem.message} onRetry={reload} />;
  if (problem) return <ErrorState order={1} message={problem.message} onRetry={reload} />;
  return <LoadingState rows={3} label="Loading the course" />;
};
