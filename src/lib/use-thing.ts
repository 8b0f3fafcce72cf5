import { useCallback, useEffect, useState } from 'react';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';

type State<T> = { kind: 'loading' } | { kind: 'offline' } | { kind: 'error'; message: string } | { kind: 'here'; thing: T };

/** One thing that is fetched before it is shown. `load` must be the same function at each drawing. */
export const useThing = <T>(load: () => Promise<Result<T>>): { state: State<T>; retry: () => void } => {
  const [state, setState] = useState<State<T>>({ kind: 'loading' });
  const retry = useCallback(() => {
    setState({ kind: 'loading' });
    void load().then((result) =>
      setState(
        result.kind === 'ok'
          ? { kind: 'here', thing: result.data }
          : result.kind === 'unreachable'
            ? { kind: 'offline' }
            : { kind: 'error', message: sentenceOf(result) },
      ),
    );
  }, [load]);
  useEffect(retry, [retry]);
  return { state, retry };
};
