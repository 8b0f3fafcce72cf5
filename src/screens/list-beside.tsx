import layout from '#src/ui/page.module.css';
import { Button, NativeSelect, Skeleton, TextInput, Title } from '@mantine/core';
import { useContext, useEffect, useRef } from 'react';
import { NavLink } from 'react-router-dom';
import { BesideDetail } from '#src/screens/beside.ts';
import classes from '#src/screens/list-beside.module.css';
import type { ListWords } from '#src/screens/list-page.tsx';
import type { TableProps } from '#src/screens/table.tsx';
import type { useList } from '#src/screens/use-list.ts';
import { countOf } from '#src/lib/format.ts';
import { IconSearch } from '#src/ui/icons.tsx';
import { Pages } from '#src/ui/pages.tsx';

type Props<R extends { id: string }> = Pick<TableProps<R>, 'columns' | 'to'> & {
  words: ListWords;
  list: ReturnType<typeof useList<R>>;
  filters?: readonly { value: string; label: string }[] | undefined;
};

/** A list beside a detail page, with the search and filters of the full list but without its tools. Hidden offline. */
export const ListBeside = <R extends { id: string }>({ words, list, columns, to, filters }: Props<R>) => {
  const { state, page, search, filter, more, typed, setTyped, setFilter, setMore, goTo, outdated } = list;
  const detail = useContext(BesideDetail);
  const rows = useRef<HTMLUListElement>(null);
  const loaded = typeof state === 'object';
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to the page's row when the rows are loaded, and when another page is opened
  useEffect(() => {
    rows.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [loaded, detail]);
  if (state === 'offline' || state === 'error') return null;
  const [first, ...others] = columns;
  const badge = others.find((c) => c.keep);
  const about = others.filter((c) => c !== badge && !c.optional && !c.actions).slice(0, 2);
  const chosen = Object.keys(more).length;
  return (
    <nav className={classes.list} aria-label={words.title}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {words.title}
        </Title>
        {loaded && <span className={layout.count}>{state.meta.total.toLocaleString('en-GB')}</span>}
      </div>
      <TextInput
        aria-label={`Find ${words.one}`}
        placeholder={words.looksAt}
        type="search"
        leftSection={<IconSearch size={20} />}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      {filters && (
        <NativeSelect
          aria-label={`Which ${words.many}`}
          data={filters.map(({ value, label }) => ({ value, label }))}
          value={filter}
          onChange={(e) => setFilter(e.currentTarget.value)}
        />
      )}
      {chosen > 0 && (
        <Button variant="subtle" onClick={() => setMore({})}>
          Clear {countOf(chosen, 'filter')}
        </Button>
      )}
      {state === 'loading' && <Skeleton height={320} radius="md" />}
      {loaded && state.rows.length === 0 && <p className={layout.count}>{search ? `Nothing found for “${search}”.` : 'None of these.'}</p>}
      {loaded && (
        <ul ref={rows} className={`${layout.plain} ${classes.rows}`} aria-busy={outdated}>
          {state.rows.map((row) => {
            const words = about.flatMap((c) => c.value(row) || []).join(' · ');
            const link = to?.(row);
            const content = (
              <>
                <strong>{first?.value(row)}</strong>
                {words && <span className={classes.about}>{words}</span>}
                {badge && (badge.cell?.(row) || badge.value(row))}
              </>
            );
            return (
              <li key={row.id}>
                {link ? (
                  <NavLink to={link} className={classes.row}>
                    {content}
                  </NavLink>
                ) : (
                  <div className={classes.row}>{content}</div>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {loaded && <Pages last={state.meta.last_page} page={page} onGoTo={goTo} />}
    </nav>
  );
};
