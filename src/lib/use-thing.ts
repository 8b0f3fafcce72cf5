import { useCallback, useEffect, useState } from 'react';

type Answer<T> = { kind: 'ok'; data: T } | { kind: 'refused'; error: { message: string } } | { kind: 'unreachable' };
type State<T> = { kind: 'loading' } | { kind: 'offline' } | { kind: 'error'; message: string } | { kind: 'here'; thing: T };

/** One thing that is fetched before it is shown. `load` must be the same function at each drawing. */
export const useThing = <T>(load: () => Promise<Answer<T>>): { state: State<T>; retry: () => void } => {
  const [state, setState] = useState<State<T>>({ kind: 'loading' });
  const retry = useCallback(() => {
    setState({ kind: 'loading' });
    void load().then((answer) =>
      setState(
        answer.kind === 'ok'
          ? { kind: 'here', thing: answer.data }
          : answer.kind === 'unreachable'
            ? { kind: 'offline' }
            : { kind: 'error', message: answer.error.message },
      ),
    );
  }, [load]);
  useEffect(retry, [retry]);
  return { state, retry };
};
