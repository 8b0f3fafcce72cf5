import type { useThing } from '#src/lib/use-thing.ts';
import { ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

type Props = { state: ReturnType<typeof useThing>['state']; retry: () => void; loading: string; offline: string; order?: 1 | 2 };

/** What stands in the place of one thing until it is here. */
export const ThingState = ({ state, retry, loading, offline, order = 2 }: Props) =>
  state.kind === 'loading' ? (
    <LoadingState label={loading} />
  ) : state.kind === 'offline' ? (
    <OfflineState order={order} what={offline} onRetry={retry} />
  ) : state.kind === 'error' ? (
    <ErrorState order={order} message={state.message} onRetry={retry} />
  ) : null;
