import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PageMeta } from '#contract/api/paging.ts';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';

/** What a page of a list is asked for by. */
export type ListQuery = { page: number; search: string; filter: string };
type More = Partial<Record<string, string>>;
export type LoadPage<R> = (query: ListQuery, signal: AbortSignal, more: More) => Promise<Answer<R[]>>;
type State<R> = { rows: R[]; meta: PageMeta } | 'loading' | 'offline' | 'error';

const searchPauseMs = 250;

/**
 * A list that comes a page at a time and can be searched. Page, search, filter and the choices that `narrowedBy` names stand in
 * the address, so that a link and the way back show the same again. `key` names the list.
 */
export const useList = <R>(key: readonly unknown[], load: LoadPage<R>, narrowedBy: readonly string[] = []) => {
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const filter = query.get('filter') ?? '';
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const more: More = Object.fromEntries(
    narrowedBy.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  /** Goes to another view of the list: what is not named stays, and the first page comes first. */
  const show = (to: { search?: string; filter?: string; more?: More; page?: number }, replace = true) => {
    const next = { search, filter, ...more, ...to.more, ...to };
    const { more: _more, page: nextPage, ...texts } = next;
    if (to.more) for (const name of narrowedBy) if (!to.more[name]) delete (texts as More)[name];
    const kept = Object.entries({ ...texts, ...(nextPage ? { page: String(nextPage) } : {}) }).filter(([, value]) => value);
    setQuery(Object.fromEntries(kept) as Record<string, string>, { replace });
  };

  // What is typed goes to the address after a pause. An address that changes otherwise (a link, the way back) is shown as it says.
  const [typing, setTyping] = useState<string | null>(null);
  const sent = useRef(search);
  const lastShow = useRef(show);
  lastShow.current = show;
  useEffect(() => {
    if (typing === null || typing === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typing;
      lastShow.current({ search: typing });
    }, searchPauseMs);
    return () => clearTimeout(timer);
  }, [typing]);
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setTyping(null);
  }, [search]);

  const { state: read, retry } = useReadOf<R[]>([...key, { page, search, filter, more }], (signal) => load({ page, search, filter }, signal, more), {
    keepShown: true,
  });
  const state: State<R> = read.kind === 'here' ? { rows: read.thing, meta: read.meta as PageMeta } : read.kind;
  return {
    state,
    page,
    search,
    typed: typing ?? search,
    setTyped: setTyping,
    filter,
    setFilter: (to: string) => show({ filter: to }),
    more,
    setMore: (to: More) => show({ more: to }),
    goTo: (to: number) => show({ page: to }, false),
    retry,
  };
};
