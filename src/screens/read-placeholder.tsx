import { texts } from '#contract/texts.ts';
import type { Read } from '#src/screens/use-read.ts';
import { IconSearch } from '#src/ui/icons.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

type Props = { state: Read<unknown>['state']; retry: () => void; loading: string; offline: string; order?: 1 | 2 };

/** Whether a retry is useless: the thing does not exist, or the address is invalid. */
const isNowhere = ({ code, message }: { code?: string | undefined; message: string }) =>
  code === 'not_found' || (code === 'invalid_input' && message === texts.invalidInput);

/** Shown in place of a read until it has loaded: loading, offline, or the error. */
export const ReadPlaceholder = ({ state, retry, loading, offline, order = 2 }: Props) =>
  state.kind === 'loading' ? (
    <LoadingState label={loading} />
  ) : state.kind === 'offline' ? (
    <OfflineState order={order} what={offline} onRetry={retry} />
  ) : state.kind === 'error' && isNowhere(state) ? (
    <div role="alert">
      <EmptyState order={order} icon={<IconSearch size={36} />} title="This could not be found">
        It may have been removed, you may not have access to it, or the address is not quite right.
      </EmptyState>
    </div>
  ) : state.kind === 'error' ? (
    <ErrorState order={order} message={state.message} onRetry={retry} />
  ) : null;
