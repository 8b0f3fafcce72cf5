import '@mantine/core/styles/Chip.css';
import { Button, Chip, TextInput, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { useLocation } from 'react-router-dom';
import type { useList } from '#src/screens/use-list.ts';
import { BesideDetail } from '#src/screens/beside.ts';
import { ListBeside } from '#src/screens/list-beside.tsx';
import { Table, type TableProps } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { countOf } from '#src/lib/format.ts';
import { IconSearch } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState, ErrorState, LoadingState, OfflineState } from '#src/ui/states.tsx';

export type ListWords = {
  title: string;
  /** Singular with its article, and plural, for the middle of a sentence. */
  one: string;
  many: string;
  /** The fields that the search covers. */
  looksAt: string;
  /** The empty state: that there are none, and what to do. */
  none: string;
  first: string;
  failed: string;
};
type Rows<R extends { id: string }> = { columns: readonly Column<R>[]; row?: undefined } & Pick<TableProps<R>, 'to' | 'below' | 'bulk' | 'exports'>;
type Props<R extends { id: string }> = {
  words: ListWords;
  list: ReturnType<typeof useList<R>>;
  icon: ReactNode;
  add?: ReactNode;
  /** The form that adds one, above the list. */
  form?: ReactNode;
  /** The main filter, of which one option applies at a time. */
  filters?: readonly { value: string; label: string }[] | undefined;
  /** Further filters, below that one. */
  narrowing?: ReactNode;
  /** Shown offline in place of the list, if something is stored. */
  offline?: ReactNode;
  /** False for a person who sees at most one of them. */
  findable?: boolean;
} & (Rows<R> | { columns?: undefined; row: (row: R) => ReactNode });

/** A list with search and pages, and all states that can replace it. */
export const ListPage = <R extends { id: string }>({
  words,
  list,
  icon,
  add,
  form,
  filters,
  narrowing,
  offline,
  findable = true,
  ...rows
}: Props<R>) => {
  const beside = useContext(BesideDetail) !== null;
  // The search stays in the address of the detail page, for the list beside it and the back button.
  const { pathname, search: query } = useLocation();
  const leadsTo = rows.columns && rows.to;
  const listPath =
    leadsTo &&
    ((row: R) => {
      const path = leadsTo(row);
      // If the row leads to another kind of list, its search does not apply.
      return path && (beside || path.startsWith(`${pathname}/`)) ? path + query : path;
    });
  const { state, page, search, filter, typed, setTyped, setFilter, goTo, retry, outdated } = list;
  const isChosen = filter !== '' || Object.keys(list.more).length > 0;
  const isNarrowed = search !== '' || isChosen;
  if (beside)
    return rows.columns && <ListBeside words={words} list={list} columns={rows.columns} filters={filters} {...(listPath ? { to: listPath } : {})} />;
  const count = (total: number) => (
    <p className={layout.count} role="status">
      {countOf(total, words.one.replace(/^an? /, ''), words.many)}
    </p>
  );
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <div className={layout.head}>
        <Title order={1} className={layout.title}>
          {words.title}
        </Title>
        {add}
      </div>
      {form}
      <div className={shapes.controls}>
        {findable && (
          <TextInput
            className={shapes.find}
            label={`Find ${words.one}`}
            placeholder={words.looksAt}
            type="search"
            leftSection={<IconSearch size={20} />}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        )}
        {filters && (
          <Chip.Group value={filter} onChange={(to) => setFilter(String(to))}>
            <div className={shapes.filters} role="radiogroup" aria-label={`Which ${words.many}`}>
              {filters.map(({ value, label }) => (
                <Chip key={value} value={value} size="md" variant="light">
                  {label}
                  {typeof state === 'object' && state.meta.counts?.[value] !== undefined && ` ${state.meta.counts[value].toLocaleString('en-GB')}`}
                </Chip>
              ))}
            </div>
          </Chip.Group>
        )}
        {narrowing}
      </div>
      {state === 'loading' && <LoadingState label={`Loading ${words.many}`} />}
      {state === 'offline' && (offline ?? <OfflineState what={`The list of ${words.many} needs a connection.`} onRetry={retry} />)}
      {state === 'error' && <ErrorState message={words.failed} onRetry={retry} />}
      {typeof state === 'object' && (
        <div className={shapes.shown} aria-busy={outdated}>
          {state.rows.length === 0 && state.meta.total > 0 && (
            <EmptyState
              icon={icon}
              title={`There is no page ${page.toLocaleString('en-GB')}`}
              action={<Button onClick={() => goTo(state.meta.last_page)}>Go to the last page</Button>}
            >
              The last is page {state.meta.last_page.toLocaleString('en-GB')}.
            </EmptyState>
          )}
          {state.rows.length === 0 && state.meta.total === 0 && (
            <EmptyState
              icon={icon}
              title={search ? `Nothing found for “${search}”` : isNarrowed ? 'None of these' : words.none}
              action={
                isNarrowed && (
                  <Button variant="default" onClick={list.clear}>
                    {isChosen ? 'Clear the filters' : 'Clear the search'}
                  </Button>
                )
              }
            >
              {search
                ? `Try ${isChosen ? 'another choice or ' : ''}a part of the ${words.looksAt.charAt(0).toLowerCase()}${words.looksAt.slice(1)}.`
                : isNarrowed
                  ? 'Nothing matches what is chosen above.'
                  : words.first}
            </EmptyState>
          )}
          {state.rows.length > 0 && (
            <>
              {rows.columns ? (
                <Table
                  {...rows}
                  {...(listPath ? { to: listPath } : {})}
                  label={words.title}
                  name={words.many}
                  rows={state.rows}
                  sorted={{ sort: list.sort, onSort: list.setSort }}
                  part={{ total: state.meta.total, before: (state.meta.current_page - 1) * state.meta.per_page }}
                  everything={list.everything}
                  onChanged={retry}
                  heading={count(state.meta.total)}
                />
              ) : (
                <>
                  {count(state.meta.total)}
                  <ul className={layout.list}>
                    {state.rows.map((r) => (
                      <li key={r.id}>{rows.row(r)}</li>
                    ))}
                  </ul>
                </>
              )}
              <Pages last={state.meta.last_page} page={page} onGoTo={goTo} />
            </>
          )}
        </div>
      )}
    </div>
  );
};
