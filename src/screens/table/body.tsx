import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Row, type RowProps, roles } from '#src/screens/table/row.tsx';
import classes from '#src/screens/table/table.module.css';

type Shared<R> = Omit<RowProps<R>, 'row' | 'place' | 'selected' | 'index' | 'measure'>;
type Props<R> = Shared<R> & {
  rows: readonly R[];
  /** The number of rows of the whole list before these. */
  before: number;
  dense: boolean;
  selected?: { has: (id: string) => boolean } | undefined;
};

const reachable = 'a[href], button:not(:disabled), input:not(:disabled)';
/** Elements that use the arrow keys themselves. */
const withOwnKeys = 'input:not([type=checkbox]), textarea, select, [role=combobox], [role=menu], [role=radiogroup]';
/** The same control of another row, or its first one. */
const focusIn = (row: Element, from: Element, cell: number) => {
  const focusable = row.children[cell]?.querySelector<HTMLElement>(reachable) ?? row.querySelector<HTMLElement>(`.${classes.open}, ${reachable}`);
  if (focusable && focusable !== from) focusable.focus();
};
/** Up and down move between rows, Home and End to the first and last; Tab moves within a row. */
const useArrows = (count: number, bring: (index: number) => void) => (event: KeyboardEvent<HTMLTableSectionElement>) => {
  const target = event.target as HTMLElement;
  const row = target.closest('tr');
  if (!row || event.altKey || event.ctrlKey || event.metaKey || target.closest(withOwnKeys)) return;
  const body = event.currentTarget;
  const rowIndex = Number(row.dataset.index ?? [...body.children].indexOf(row));
  const goal = { ArrowDown: rowIndex + 1, ArrowUp: rowIndex - 1, Home: 0, End: count - 1 }[event.key];
  if (goal === undefined || goal < 0 || goal >= count) return;
  event.preventDefault();
  const cell = [...row.children].findIndex((c) => c.contains(target));
  const find = () => (row.dataset.index === undefined ? body.children[goal] : body.querySelector(`[data-index="${goal}"]`));
  const there = find();
  if (there) return focusIn(there, target, cell);
  bring(goal);
  let tries = 0;
  const wait = () => {
    const arrived = find();
    if (arrived) focusIn(arrived, target, cell);
    else if (tries++ < 30) requestAnimationFrame(wait);
  };
  requestAnimationFrame(wait);
};

type WithId = { id: string };
const Whole = <R extends WithId>({ rows, before, selected, dense: _, ...shared }: Props<R>) => (
  <tbody {...roles.group} onKeyDown={useArrows(rows.length, () => undefined)}>
    {rows.map((row, i) => (
      <Row key={row.id} row={row} place={before + i + 2} selected={selected?.has(row.id)} {...shared} />
    ))}
  </tbody>
);

/** Renders only the visible rows and some around them. */
const Windowed = <R extends WithId>({ rows, before, selected, dense, ...shared }: Props<R>) => {
  const [margin, setMargin] = useState(0);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const place = () => body.current && setMargin(Math.round(body.current.getBoundingClientRect().top + scrollY));
    // Content above the table changes its height.
    const watch = new ResizeObserver(place);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: rows.length,
    estimateSize: () => (dense ? 45 : 61),
    getItemKey: useCallback((i: number) => (rows[i] as R).id, [rows]),
    overscan: 10,
    scrollMargin: margin,
    useFlushSync: false,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
  const { containerRef, measureElement } = virtualizer;
  const onKeyDown = useArrows(rows.length, (index) => virtualizer.scrollToIndex(index, { align: 'center' }));
  return (
    <tbody
      {...roles.group}
      className={classes.windowed}
      onKeyDown={onKeyDown}
      ref={(node) => {
        body.current = node;
        containerRef(node);
      }}
    >
      {virtualizer.getVirtualItems().map(({ index, key }) => {
        const row = rows[index] as R;
        return (
          <Row key={key} row={row} index={index} place={before + index + 2} selected={selected?.has(row.id)} measure={measureElement} {...shared} />
        );
      })}
    </tbody>
  );
};

const fewRows = 60;
/** The rows of a table: all of them, or only the visible ones of many. In print all of them. */
export const Body = <R extends WithId>(props: Props<R>) => {
  const [onPaper, setOnPaper] = useState(false);
  useEffect(() => {
    const paper = (is: boolean) => () => flushSync(() => setOnPaper(is));
    const [begin, end] = [paper(true), paper(false)];
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return props.rows.length > fewRows && !onPaper ? <Windowed {...props} /> : <Whole {...props} />;
};
