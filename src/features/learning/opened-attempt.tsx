import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { type AttemptView, useAttempt } from '#src/features/learning/use-attempt.ts';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

/** The attempt in the address, or why it cannot be shown. */
export const OpenedAttempt = ({ children }: { children: (view: AttemptView) => ReactNode }) => {
  const { attemptId = '' } = useParams();
  const { view, problem, reload } = useAttempt(attemptId);
  if (view) return children(view);
  if (problem?.offline) return <OfflineState order={1} what={problem.message} onRetry={reload} />;
  if (problem) return <ErrorState order={1} message={problem.message} onRetry={reload} />;
  return <LoadingState rows={3} label="Loading the course" />;
};
