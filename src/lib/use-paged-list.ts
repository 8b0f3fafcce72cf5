import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PageMeta } from '#contract/api/paging.ts';

type Answer<R> = { kind: 'ok'; data: R[]; meta: unknown } | { kind: 'refused' } | { kind: 'unreachable' };
type State<R> = { rows: R[]; meta: PageMeta } | 'loading' | 'offline' | 'error';

const searchPauseMs = 250;

/**
 * A list that comes a page at a time and can be searched: page, search and filter stand in the address, so that going back shows
 * the same again. `load` must be the same function at each drawing; it is asked anew when the address changes or `retry` is called.
 */
export const usePagedList = <R>(load: (query: { page: number; search: string; filter: string }, signal: AbortSignal) => Promise<Answer<R>>) => {
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const filter = query.get('filter') ?? '';
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const [typed, setTyped] = useState(search);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<R>>('loading');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== search) setQuery({ ...(typed ? { search: typed } : {}), ...(filter ? { filter } : {}) }, { replace: true });
    }, searchPauseMs);
    return () => clearTimeout(timer);
  }, [typed, search, filter, setQuery]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again
  useEffect(() => {
    const stop = new AbortController();
    void load({ page, search, filter }, stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      setState(answer.kind === 'ok' ? { rows: answer.data, meta: answer.meta as PageMeta } : answer.kind === 'unreachable' ? 'offline' : 'error');
    });
    return () => stop.abort();
  }, [load, page, search, filter, round]);
  return {
    state,
    page,
    search,
    typed,
    setTyped,
    filter,
    setFilter: (to: string) => setQuery({ ...(search ? { search } : {}), ...(to ? { filter: to } : {}) }, { replace: true }),
    goTo: (to: number) => setQuery({ ...(search ? { search } : {}), ...(filter ? { filter } : {}), page: String(to) }),
    retry: () => {
      setState('loading');
      setRound(round + 1);
    },
  };
};
