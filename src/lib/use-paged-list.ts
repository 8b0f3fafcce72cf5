import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PageMeta } from '#contract/api/paging.ts';

type Answer<R> = { kind: 'ok'; data: R[]; meta: unknown } | { kind: 'refused' } | { kind: 'unreachable' };
type State<R> = { rows: R[]; meta: PageMeta } | 'loading' | 'offline' | 'error';

const searchPauseMs = 250;

/**
 * A list that comes a page at a time and can be searched: page, search and filter stand in the address, so that going back shows
 * the same again. `narrowedBy` names further choices that stand there too. `load` must be the same function at each drawing; it is asked anew when the address changes or `retry` is called.
 */
export const usePagedList = <R>(
  load: (query: { page: number; search: string; filter: string }, signal: AbortSignal, more: Partial<Record<string, string>>) => Promise<Answer<R>>,
  narrowedBy: readonly string[] = [],
) => {
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const filter = query.get('filter') ?? '';
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const more: Partial<Record<string, string>> = Object.fromEntries(
    narrowedBy.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const narrowed = JSON.stringify(more);
  const [typed, setTyped] = useState(search);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<R>>('loading');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== search)
        setQuery({ ...(typed ? { search: typed } : {}), ...(filter ? { filter } : {}), ...JSON.parse(narrowed) }, { replace: true });
    }, searchPauseMs);
    return () => clearTimeout(timer);
  }, [typed, search, filter, narrowed, setQuery]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again
  useEffect(() => {
    const stop = new AbortController();
    void load({ page, search, filter }, stop.signal, JSON.parse(narrowed) as typeof more).then((answer) => {
      if (stop.signal.aborted) return;
      setState(answer.kind === 'ok' ? { rows: answer.data, meta: answer.meta as PageMeta } : answer.kind === 'unreachable' ? 'offline' : 'error');
    });
    return () => stop.abort();
  }, [load, page, search, filter, narrowed, round]);
  return {
    state,
    page,
    search,
    typed,
    setTyped,
    filter,
    setFilter: (to: string) =>
      setQuery({ ...(search ? { search } : {}), ...(to ? { filter: to } : {}), ...more } as Record<string, string>, { replace: true }),
    more,
    setMore: (change: Partial<Record<string, string>>) =>
      setQuery({ ...(search ? { search } : {}), ...(filter ? { filter } : {}), ...change } as Record<string, string>, { replace: true }),
    goTo: (to: number) =>
      setQuery({ ...(search ? { search } : {}), ...(filter ? { filter } : {}), ...more, page: String(to) } as Record<string, string>),
    retry: () => {
      setState('loading');
      setRound(round + 1);
    },
  };
};
