import { useParams } from 'react-router-dom';
import { AttemptPlayer } from '#src/features/learning/attempt-player.tsx';
import { useAttempt } from '#src/features/learning/use-attempt.ts';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** Working through a course. */
export const Component = () => {
  const { attemptId = '' } = useParams();
  const { view, problem, reload } = useAttempt(attemptId);
  if (view) return <AttemptPlayer key={attemptId} view={view} />;
  if (problem?.offline) return <OfflineState order={1} what={problem.message} onRetry={reload} />;
  if (problem) return <ErrorState order={1} message={problem.message} onRetry={reload} />;
  return <LoadingState rows={3} label="Loading the course" />;
};
