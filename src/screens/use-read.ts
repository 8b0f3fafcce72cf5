import { QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { PageMeta } from '#contract/api/paging.ts';
import { protocol } from '#contract/protocol.ts';
import { texts } from '#contract/texts.ts';
import { type CallData, type CallInput, call, type EndpointKey } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';

/** Why a request was refused, with the server's errors. */
type Refusal = { message: string; code?: string };
/** The result of a request, as returned by `call` and `graphCall`. Status 202: not ready yet, it is requested again. */
export type Answer<T> = { kind: 'ok'; data: T; meta?: unknown; status?: number } | { kind: 'refused'; error: Refusal } | { kind: 'unreachable' };
export type ReadState<T> =
  | { kind: 'loading' }
  | { kind: 'offline' }
  | { kind: 'error'; message: string; code?: string | undefined }
  | { kind: 'loaded'; data: T; meta: PageMeta | undefined };
export type Read<T> = {
  state: ReadState<T>;
  retry: () => void;
  /** What is shown answers an earlier key: the answer for this one has not arrived. */
  outdated: boolean;
};
/** Requests it; the signal aborts when nobody waits for the answer any more. */
export type Load<T> = (signal: AbortSignal) => Promise<Answer<T>>;

/**
 * Reads from the server while a screen shows them. Nothing is cached beyond its screen: data is fetched for the present user, and what
 * is stored on a device is stored deliberately.
 */
const reads = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 0,
      staleTime: 0,
      retry: false,
      // Only a request shows whether there is a connection; the browser's state is a guess.
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
  if (answer.kind === 'ok') return { kind: 'loaded', data: answer.data, meta: answer.meta as PageMeta | undefined };
  return answer.kind === 'unreachable' ? { kind: 'offline' } : { kind: 'error', message: answer.error.message, code: answer.error.code };
};

type DataOf<A extends readonly Answer<unknown>[]> = { [K in keyof A]: Extract<A[K], { kind: 'ok' }>['data'] };
/** Several results as one: all their data, or the first refusal. */
export const together = async <A extends readonly Answer<unknown>[]>(...reads: { [K in keyof A]: Promise<A[K]> }): Promise<Answer<DataOf<A>>> => {
  const answers: readonly Answer<unknown>[] = await Promise.all(reads);
  const refused = answers.find((a) => a.kind === 'refused');
  if (refused) return refused;
  const data = answers.flatMap((a) => (a.kind === 'ok' ? [a.data] : []));
  return data.length === answers.length ? { kind: 'ok', data: data as DataOf<A> } : { kind: 'unreachable' };
};

/**
 * Data that is fetched by `load` while it is shown. `key` identifies it: another key is another query, and an answer for an earlier key
 * is never shown. `keepShown` keeps the present data visible while the next is loading;
 * 'same' only while the same key is fetched again.
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
  // The present data stays visible, or is replaced by a skeleton.
  const retry = () =>
    void (keepShown && state.kind === 'loaded'
      ? reads.refetchQueries({ queryKey: key, exact: true })
      : reads.resetQueries({ queryKey: key, exact: true }));
  // After being offline it is requested again as soon as there is a connection.
  const hasLine = useLine();
  const name = JSON.stringify(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: request again only when the connection returns
  useEffect(() => {
    if (hasLine && state.kind === 'offline') retry();
  }, [hasLine, name]);
  return { state, retry, outdated: isPlaceholderData };
};

/** The answer of a call of the contract, while the screen is shown. */
export const useRead = <K extends EndpointKey & `GET ${string}`>(
  endpoint: K,
  input: CallInput<K>,
  options: { keepShown?: boolean } = {},
): Read<CallData<K>> => useReadOf<CallData<K>>([endpoint, input], (signal) => call(endpoint, input, { signal }), options);
