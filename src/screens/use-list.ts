import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import type { PageMeta } from '#contract/api/paging.ts';
import { type Sort, sortsOf } from '#contract/api/sorts.ts';
import { useQuery } from '#src/screens/use-query.ts';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';

/** The query of a page of a list. `per_page` if it is not the default. */
export type ListQuery<K extends string = never> = { page: number; search: string; filter: string; sort?: Sort<K>; per_page?: number };
type More = Partial<Record<string, string>>;
export type LoadPage<R, K extends string = never> = (query: ListQuery<K>, signal: AbortSignal, more: More) => Promise<Answer<R[]>>;
type State<R> = { rows: R[]; meta: PageMeta } | 'loading' | 'offline' | 'error';

const ownNames = ['search', 'filter', 'sort', 'page'] as const;

/** The query of an address with another view of a list: the parameters in `own` are replaced, others are kept. */
export const queryOfView = (query: URLSearchParams, ownFields: readonly string[], view: More): URLSearchParams => {
  const next = new URLSearchParams(query);
  for (const name of ownFields) {
    const value = view[name];
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
};

const searchPauseMs = 250;
/** The page size of a list, and the most rows of an export. */
const mostAtOnce = 100;
const mostInAll = 20_000;

/**
 * A list with pages and search. Page, search, filter, sort order and the filters in `narrowedBy` are in the address, so that a link and
 * the back button show the same again. `key` identifies the list; `sortedBy` has the server's sort names. Other parameters of the
 * address, such as the tab of a page beside the list, are kept.
 */
export const useList = <R, K extends string = never>(
  key: readonly unknown[],
  load: LoadPage<R, K>,
  { narrowedBy = [], sortedBy = [] }: { narrowedBy?: readonly string[]; sortedBy?: readonly K[] } = {},
) => {
  const [query, setQuery] = useQuery();
  const search = query.get('search') ?? '';
  const filter = query.get('filter') ?? '';
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const sort = sortsOf(sortedBy).find((s) => s === query.get('sort'));
  const more: More = Object.fromEntries(
    narrowedBy.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  /** Changes the view of the list: unnamed parts stay, and it returns to the first page. */
  const show = (to: { search?: string; filter?: string; sort?: string; more?: More; page?: number }, replace = true) => {
    const next = { search, filter, sort: sort ?? '', ...more, ...to.more, ...to };
    const { more: _more, page: nextPage, ...texts } = next;
    if (to.more) for (const name of narrowedBy) if (!to.more[name]) delete (texts as More)[name];
    const view = { ...texts, ...(nextPage ? { page: String(nextPage) } : {}) };
    setQuery(queryOfView(query, [...ownNames, ...narrowedBy], view), { replace, afresh: ['page'] });
  };

  // Typed text is put into the address after a pause. Other changes of the address (a link, the back button) are applied to the field.
  const [typing, setTyping] = useState<string | null>(null);
  const sent = useRef(search);
  const lastShow = useRef(show);
  lastShow.current = show;
  const { pathname } = useLocation();
  const leaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (typing === null || typing === sent.current || leaving) return;
    const timer = setTimeout(() => {
      // Another page is being opened: do not change its address.
      if (window.location.pathname !== pathname) return;
      sent.current = typing;
      lastShow.current({ search: typing });
    }, searchPauseMs);
    return () => clearTimeout(timer);
  }, [typing, leaving, pathname]);
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setTyping(null);
  }, [search]);

  const params = { search, filter, ...(sort ? { sort } : {}) };
  const {
    state: read,
    retry,
    outdated,
  } = useReadOf<R[]>([...key, { page, ...params, more }], (signal) => load({ page, ...params }, signal, more), {
    keepShown: true,
  });
  /** All matching rows, of every page. Rejects if they cannot be loaded. */
  const everything = async (): Promise<R[]> => {
    const rows: R[] = [];
    for (let at = 1, last = 1; at <= last; at++) {
      const answer = await load({ page: at, per_page: mostAtOnce, ...params }, new AbortController().signal, more);
      if (answer.kind !== 'ok') throw new Error(answer.kind === 'refused' ? answer.error.message : 'There is no connection to the server.');
      const meta = answer.meta as PageMeta | undefined;
      if ((meta?.total ?? 0) > mostInAll) throw new Error(`These are more than ${mostInAll.toLocaleString('en-GB')} rows: search or filter first.`);
      rows.push(...answer.data);
      last = meta?.last_page ?? 1;
    }
    return rows;
  };
  const state: State<R> = read.kind === 'loaded' ? { rows: read.data, meta: read.meta as PageMeta } : read.kind;
  return {
    state,
    /** The server's errors of the query. */
    problem: read.kind === 'error' ? read.message : null,
    page,
    search,
    typed: typing ?? search,
    setTyped: setTyping,
    filter,
    setFilter: (to: string) => show({ filter: to }),
    sort: (sort ?? '') as string,
    setSort: (to: string) => show({ sort: to }),
    everything,
    more,
    setMore: (to: More) => show({ more: to }),
    /** Shows everything: without a search and without filters. */
    clear: () => show({ search: '', filter: '', more: {} as More }),
    goTo: (to: number) => show({ page: to }, false),
    /** The rows are those of an earlier query until the next ones have loaded. */
    outdated,
    retry,
  };
};
