import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation, useSearchParams } from 'react-router-dom';
import type { PageMeta } from '#contract/api/paging.ts';
import { type Sort, sortsOf } from '#contract/api/sorts.ts';
import { type Answer, useReadOf } from '#src/screens/use-read.ts';

/** What a page of a list is asked for by. `per_page` where it is not the usual number. */
export type ListQuery<K extends string = never> = { page: number; search: string; filter: string; sort?: Sort<K>; per_page?: number };
type More = Partial<Record<string, string>>;
export type LoadPage<R, K extends string = never> = (query: ListQuery<K>, signal: AbortSignal, more: More) => Promise<Answer<R[]>>;
type State<R> = { rows: R[]; meta: PageMeta } | 'loading' | 'offline' | 'error';

const ownNames = ['search', 'filter', 'sort', 'page'] as const;

/** The query of an address with another view of a list: of `own` only what the view says, of all else what stood there. */
export const queryOfView = (query: URLSearchParams, own: readonly string[], view: More): URLSearchParams => {
  const next = new URLSearchParams(query);
  for (const name of own) {
    const value = view[name];
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
};

const searchPauseMs = 250;
/** As many rows as a list answers at once, and as many as an export takes. */
const mostAtOnce = 100;
const mostInAll = 20_000;

/**
 * A list that comes a page at a time and can be searched. Page, search, filter, order and the choices that `narrowedBy` names
 * stand in the address, so that a link and the way back show the same again. `key` names the list; `sortedBy` is by what the
 * server can sort it. What else stands in the address, as the tab of a page beside the list, stays there.
 */
export const useList = <R, K extends string = never>(
  key: readonly unknown[],
  load: LoadPage<R, K>,
  { narrowedBy = [], sortedBy = [] }: { narrowedBy?: readonly string[]; sortedBy?: readonly K[] } = {},
) => {
  const [query, setQuery] = useSearchParams();
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
  /** Goes to another view of the list: what is not named stays, and the first page comes first. */
  const show = (to: { search?: string; filter?: string; sort?: string; more?: More; page?: number }, replace = true) => {
    const next = { search, filter, sort: sort ?? '', ...more, ...to.more, ...to };
    const { more: _more, page: nextPage, ...texts } = next;
    if (to.more) for (const name of narrowedBy) if (!to.more[name]) delete (texts as More)[name];
    const view = { ...texts, ...(nextPage ? { page: String(nextPage) } : {}) };
    setQuery(queryOfView(query, [...ownNames, ...narrowedBy], view), { replace });
  };

  // What is typed goes to the address after a pause. An address that changes otherwise (a link, the way back) is shown as it says.
  const [typing, setTyping] = useState<string | null>(null);
  const sent = useRef(search);
  const lastShow = useRef(show);
  lastShow.current = show;
  const { pathname } = useLocation();
  const leaving = useNavigation().state !== 'idle';
  useEffect(() => {
    if (typing === null || typing === sent.current || leaving) return;
    const timer = setTimeout(() => {
      // Another page is being opened: it is not called back, and its address is its own.
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

  const asked = { search, filter, ...(sort ? { sort } : {}) };
  const {
    state: read,
    retry,
    outdated,
  } = useReadOf<R[]>([...key, { page, ...asked, more }], (signal) => load({ page, ...asked }, signal, more), {
    keepShown: true,
  });
  /** All rows that are found, of every page. Rejects where they cannot be had. */
  const everything = async (): Promise<R[]> => {
    const rows: R[] = [];
    for (let at = 1, last = 1; at <= last; at++) {
      const answer = await load({ page: at, per_page: mostAtOnce, ...asked }, new AbortController().signal, more);
      if (answer.kind !== 'ok') throw new Error(answer.kind === 'refused' ? answer.error.message : 'There is no connection to the server.');
      const meta = answer.meta as PageMeta | undefined;
      if ((meta?.total ?? 0) > mostInAll) throw new Error(`These are more than ${mostInAll.toLocaleString('en-GB')} rows: search or filter first.`);
      rows.push(...answer.data);
      last = meta?.last_page ?? 1;
    }
    return rows;
  };
  const state: State<R> = read.kind === 'here' ? { rows: read.thing, meta: read.meta as PageMeta } : read.kind;
  return {
    state,
    /** What the server says is wrong with what was asked for. */
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
    goTo: (to: number) => show({ page: to }, false),
    /** The rows are those of an earlier search, choice or page, until these come. */
    outdated,
    retry,
  };
};
