import type { Read } from '#src/screens/use-read.ts';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

type Props = { state: Read<unknown>['state']; retry: () => void; loading: string; offline: string; order?: 1 | 2 };

/** What is shown in place of what is read until it is here: loading, no connection, or what went wrong. */
export const ReadPlaceholder = ({ state, retry, loading, offline, order = 2 }: Props) =>
  state.kind === 'loading' ? (
    <LoadingState label={loading} />
  ) : state.kind === 'offline' ? (
    <OfflineState order={order} what={offline} onRetry={retry} />
  ) : state.kind === 'error' ? (
    <ErrorState order={order} message={state.message} onRetry={retry} />
  ) : null;
