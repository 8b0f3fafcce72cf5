import '@mantine/core/styles/Chip.css';
import { Chip, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { useList } from '#src/screens/use-list.ts';
import { countOf } from '#src/lib/format.ts';
import { IconSearch } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

type Words = {
  title: string;
  /** One of them with its article, and several, in the middle of a sentence. */
  one: string;
  many: string;
  /** What the search looks at. */
  looksAt: string;
  /** Where there are none: that, and what to do. */
  none: string;
  first: string;
  failed: string;
};
type Props<R> = {
  words: Words;
  list: ReturnType<typeof useList<R>>;
  icon: ReactNode;
  add?: ReactNode;
  /** Which of them are shown, one at a time. */
  filters?: readonly { value: string; label: string }[] | undefined;
  /** Further choices, below those. */
  narrowing?: ReactNode;
  /** What stands in its place without a connection, where something is kept. */
  offline?: ReactNode;
  row: (row: R) => ReactNode;
};

/** A list that is searched and read a page at a time, with all that can come in its place. */
export const ListPage = <R extends { id: string }>({ words, list, icon, add, filters, narrowing, offline, row }: Props<R>) => {
  const { state, page, search, filter, typed, setTyped, setFilter, goTo, retry } = list;
  return (
    <div className={layout.page}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        {add}
      </div>
      <TextInput
        label={`Find ${words.one}`}
        placeholder={words.looksAt}
        type="search"
        leftSection={<IconSearch size={20} />}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      {filters && (
        <Chip.Group value={filter} onChange={(to) => setFilter(String(to))}>
          <div className={layout.filters} role="radiogroup" aria-label={`Which ${words.many}`}>
            {filters.map(({ value, label }) => (
              <Chip key={value} value={value} size="md" variant="light">
                {label}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      )}
      {narrowing}
      {state === 'loading' && <LoadingState label={`Loading ${words.many}`} />}
      {state === 'offline' && (offline ?? <OfflineState what={`The list of ${words.many} needs a connection.`} onRetry={retry} />)}
      {state === 'error' && <ErrorState message={words.failed} onRetry={retry} />}
      {typeof state === 'object' && state.rows.length === 0 && (
        <EmptyState
          icon={icon}
          title={search ? `Nothing found for “${search}”` : filter || Object.keys(list.more).length > 0 ? 'None of these' : words.none}
        >
          {search || filter || Object.keys(list.more).length > 0
            ? `Try ${filter ? 'another choice or ' : ''}a part of the ${words.looksAt.charAt(0).toLowerCase()}${words.looksAt.slice(1)}.`
            : words.first}
        </EmptyState>
      )}
      {typeof state === 'object' && state.rows.length > 0 && (
        <>
          <p className={layout.count} role="status">
            {countOf(state.meta.total, words.one.replace(/^an? /, ''), words.many)}
          </p>
          <ul className={layout.list}>
            {state.rows.map((r) => (
              <li key={r.id}>{row(r)}</li>
            ))}
          </ul>
          <Pages last={state.meta.last_page} page={page} onGoTo={goTo} />
        </>
      )}
    </div>
  );
};
