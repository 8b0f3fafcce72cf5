import { QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { PageMeta } from '#contract/api/paging.ts';
import { protocol } from '#contract/protocol.ts';
import { texts } from '#contract/texts.ts';
import { type CallData, type CallInput, call, type EndpointKey } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';

/** Why something was refused, with all that the server says of it. */
type Refusal = { message: string; code?: string };
/** What came of asking: as `call` and `graphCall` answer. Status 202 where it is not ready yet: it is asked for again. */
export type Answer<T> = { kind: 'ok'; data: T; meta?: unknown; status?: number } | { kind: 'refused'; error: Refusal } | { kind: 'unreachable' };
export type ReadState<T> =
  | { kind: 'loading' }
  | { kind: 'offline' }
  | { kind: 'error'; message: string; code?: string | undefined }
  | { kind: 'here'; thing: T; meta: PageMeta | undefined };
export type Read<T> = {
  state: ReadState<T>;
  retry: () => void;
  /** What is shown answers an earlier question: the answer to this one has not come. */
  outdated: boolean;
};
/** Asks the server; is told when nobody waits for the answer any more. */
export type Load<T> = (signal: AbortSignal) => Promise<Answer<T>>;

/**
 * Reads from the server while a screen shows them. Nothing outlives its screen: what is shown was asked for by who looks at
 * it now, and what a device keeps it keeps on purpose.
 */
const reads = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 0,
      staleTime: 0,
      retry: false,
      // Whether there is a connection is found out by asking; a browser only guesses.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      structuralSharing: false,
    },
  },
});

const notReady = 202;
const loading = { kind: 'loading' } as const;
const failed = { kind: 'error', message: texts.fallback } as const;

const stateOf = <T>(answer: Answer<T>): ReadState<T> => {
  if (answer.kind === 'ok' && answer.status === notReady) return loading;
  if (answer.kind === 'ok') return { kind: 'here', thing: answer.data, meta: answer.meta as PageMeta | undefined };
  return answer.kind === 'unreachable' ? { kind: 'offline' } : { kind: 'error', message: answer.error.message, code: answer.error.code };
};

type DataOf<A extends readonly Answer<unknown>[]> = { [K in keyof A]: Extract<A[K], { kind: 'ok' }>['data'] };
/** Several answers as one: what all of them answered, or the first that was refused. */
export const together = async <A extends readonly Answer<unknown>[]>(...asked: { [K in keyof A]: Promise<A[K]> }): Promise<Answer<DataOf<A>>> => {
  const answers: readonly Answer<unknown>[] = await Promise.all(asked);
  const refused = answers.find((a) => a.kind === 'refused');
  if (refused) return refused;
  const data = answers.flatMap((a) => (a.kind === 'ok' ? [a.data] : []));
  return data.length === answers.length ? { kind: 'ok', data: data as DataOf<A> } : { kind: 'unreachable' };
};

/**
 * Something that is fetched before it is shown, by whatever `load` does. `key` names what is asked for: another key is another
 * question, and an answer to an earlier one is never shown. `keepShown` leaves what is shown in place while the next is asked for;
 * 'same' only while the same is asked for again.
 */
export const useReadOf = <T>(key: readonly unknown[], load: Load<T>, { keepShown = false }: { keepShown?: boolean | 'same' } = {}): Read<T> => {
  const { data, isError, isPlaceholderData } = useQuery<Answer<T>>(
    {
      queryKey: key,
      queryFn: ({ signal }) => load(signal),
      refetchInterval: ({ state: { data: last } }) => last?.kind === 'ok' && last.status === notReady && protocol.pollIntervalMs,
      ...(keepShown === true ? { placeholderData: (before: Answer<T> | undefined) => before } : {}),
    },
    reads,
  );
  const state = useMemo<ReadState<T>>(() => (data ? stateOf(data) : isError ? failed : loading), [data, isError]);
  // What is shown stays in place, or gives way to the grey shapes of what is coming.
  const retry = () =>
    void (keepShown && state.kind === 'here'
      ? reads.refetchQueries({ queryKey: key, exact: true })
      : reads.resetQueries({ queryKey: key, exact: true }));
  // Where there was no connection it is asked for again as soon as there is one.
  const hasLine = useLine();
  const name = JSON.stringify(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the connection is back, and for nothing else
  useEffect(() => {
    if (hasLine && state.kind === 'offline') retry();
  }, [hasLine, name]);
  return { state, retry, outdated: isPlaceholderData };
};

/** What a call of the contract answers, while the screen is shown. */
export const useRead = <K extends EndpointKey & `GET ${string}`>(
  endpoint: K,
  input: CallInput<K>,
  options: { keepShown?: boolean } = {},
): Read<CallData<K>> => useReadOf<CallData<K>>([endpoint, input], (signal) => call(endpoint, input, { signal }), options);
