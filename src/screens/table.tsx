import {
  columnSizingFeature,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Body } from '#src/screens/table/body.tsx';
import { type BulkAction, BulkBar } from '#src/screens/table/bulk-bar.tsx';
import { type Cell, type Column, useView } from '#src/screens/table/columns.ts';
import { areCards, arrange, widthOf } from '#src/screens/table/room.ts';
import { exportRows } from '#src/screens/table/export.ts';
import { type GridStyle, gridOf, roles } from '#src/screens/table/row.tsx';
import classes from '#src/screens/table/table.module.css';
import { ExportMenu, SortChoice, ViewMenu } from '#src/screens/table/tools.tsx';
import { IconDown, IconUp } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature, rowSortingFeature, sortedRowModel: createSortedRowModel() });
const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });
/** Empty values come last in either direction. */
const compare = (a: Cell, b: Cell): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a ?? ''), String(b ?? ''));

export type TableProps<R extends { id: string }> = {
  /** Its rows in a few words: for screen readers, and as the name of an export. */
  label: string;
  /** The name under which a person's view of it is stored. */
  name: string;
  /** Must be referentially stable if there are many rows. */
  columns: readonly Column<R>[];
  rows: readonly R[];
  /** The address to which a row leads. */
  to?: (row: R) => string | null;
  /** Content below a row, if any. */
  below?: (row: R) => ReactNode;
  /** The server's sort order and how to change it. Without it, the table sorts its own rows. */
  sorted?: { sort: string; onSort: (sort: string) => void };
  /** If these rows are a page of a list: its total, and the number of rows before them. */
  part?: { total: number; before: number };
  /** Loads all rows of the list for an export; default: these rows. */
  everything?: () => Promise<readonly R[]>;
  /** False if the page has its own exports. */
  exports?: boolean;
  /** Bulk actions. Without them rows cannot be selected. */
  bulk?: readonly BulkAction<R>[];
  /** Called after a bulk action. */
  onChanged?: () => void;
  /** Content at the left of its tools. */
  heading?: ReactNode;
};

/** From this width, several facts of a card stand beside one another. */
const roomyCards = 520;
/** The borders of the table and the padding of its rows, in pixels. */
const besideColumns = 18;
/** Rows in aligned columns, with sorting, selection and export; cards if there is no room. */
export const Table = <R extends { id: string }>({
  label,
  name,
  columns,
  rows,
  to,
  below,
  sorted,
  part,
  everything,
  exports = true,
  bulk,
  onChanged,
  heading,
}: TableProps<R>) => {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(1000);
  const { view, changed, setView } = useView(name);
  const [sortedHere, setSortedHere] = useState<SortingState>([]);
  const [selection, setSelection] = useState<ReadonlyMap<string, R>>(new Map());
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const onSelect = useCallback(
    (row: R, selected: boolean) =>
      setSelection((before) => {
        const next = new Map(before);
        if (selected) next.set(row.id, row);
        else next.delete(row.id);
        return next;
      }),
    [],
  );

  const defs = useMemo(
    () =>
      columns.map((c) => ({
        id: c.id,
        header: c.header,
        accessorFn: c.order ?? c.value,
        enableSorting: c.sort !== undefined,
        size: widthOf(c, view),
        sortFn: (a: { original: R }, b: { original: R }) => compare((c.order ?? c.value)(a.original), (c.order ?? c.value)(b.original)),
      })),
    [columns, view],
  );
  const isShown = (c: Column<R>) => c === columns[0] || c.actions || (view.shown[c.id] ?? !c.optional);
  const table = useTable({
    features,
    columns: defs,
    data: rows,
    getRowId: (row: R) => row.id,
    manualSorting: sorted !== undefined,
    state: {
      sorting: sortedHere,
      columnVisibility: Object.fromEntries(columns.map((c) => [c.id, Boolean(isShown(c))])),
      columnSizing: view.widths,
    },
    onSortingChange: setSortedHere,
  });
  const visible = useMemo(() => columns.filter((c) => c === columns[0] || c.actions || (view.shown[c.id] ?? !c.optional)), [columns, view]);
  const ticks = bulk !== undefined && bulk.length > 0;
  const beside = besideColumns + (ticks ? 44 : 0);
  const cards = areCards(visible, room, beside);
  const { wide, folded } = useMemo(
    () => (cards ? { wide: visible, folded: [] } : arrange(visible, view, room - beside)),
    [visible, view, room, cards, beside],
  );
  const model = table.getRowModel().rows;
  const shown = useMemo(() => model.map((r) => r.original), [model]);

  const keyOf = (c: Column<R>): string | null => (c.sort === undefined ? null : c.sort === true ? c.id : c.sort);
  const [clientSort] = sortedHere;
  const sort = sorted ? sorted.sort : clientSort ? `${clientSort.desc ? '-' : ''}${clientSort.id}` : '';
  const onSort = (next: string) =>
    sorted ? sorted.onSort(next) : setSortedHere(next === '' ? [] : [{ id: next.replace(/^-/, ''), desc: next.startsWith('-') }]);
  const [selecting, setSelecting] = useState(false);
  /** Selects the rows of every page. */
  const selectEverything = async (load: () => Promise<readonly R[]>) => {
    setSelecting(true);
    try {
      setSelection(new Map((await load()).map((row) => [row.id, row])));
    } catch (error) {
      notify('error', (error as Error).message);
    }
    setSelecting(false);
  };
  const everySelected = rows.length > 0 && rows.every((r) => selection.has(r.id));
  const first = columns[0] as Column<R>;
  const save = async (kind: 'csv' | 'xlsx', chosenRows?: readonly R[]) =>
    exportRows(kind, label, visible, chosenRows ?? (everything ? await everything() : shown));
  const style: GridStyle = { '--columns': gridOf(wide, (c) => widthOf(c, view), view.widths, ticks, folded.length > 0) };
  const resize = (column: Column<R>, head: HTMLElement, from: number) => {
    const before = head.getBoundingClientRect().width;
    const move = (e: PointerEvent) => {
      const width = Math.max(80, Math.round(before + e.clientX - from));
      setView({ ...view, widths: { ...view.widths, [column.id]: width } });
    };
    const stop = () => removeEventListener('pointermove', move);
    addEventListener('pointermove', move);
    addEventListener('pointerup', stop, { once: true });
    addEventListener('pointercancel', stop, { once: true });
  };
  const selectAll = (
    <label className={classes.tick}>
      <input
        type="checkbox"
        aria-label="Select all that are shown"
        checked={everySelected}
        onChange={(e) => {
          for (const row of rows) onSelect(row, e.currentTarget.checked);
        }}
      />
    </label>
  );
  return (
    <div
      ref={frame}
      className={classes.frame}
      data-view={cards ? 'cards' : 'table'}
      data-roomy={room >= roomyCards || undefined}
      data-dense={view.dense || undefined}
    >
      <div className={classes.tools}>
        {cards && ticks && selectAll}
        <div className={classes.heading}>{heading}</div>
        {cards && columns.some((c) => keyOf(c) !== null) && (
          <SortChoice
            columns={columns as readonly Column<never>[]}
            keyOf={keyOf as (c: Column<never>) => string | null}
            sort={sort}
            onSort={onSort}
          />
        )}
        <ViewMenu columns={columns} isShown={(c) => Boolean(isShown(c))} view={view} changed={changed} onView={setView} />
        {exports && <ExportMenu onExport={(kind) => save(kind)} />}
      </div>
      <table {...roles.table} className={classes.table} style={style} aria-label={label} aria-rowcount={(part?.total ?? rows.length) + 1}>
        <thead {...roles.group} className={classes.head}>
          <tr {...roles.row} className={classes.heads} aria-rowindex={1}>
            {ticks && (
              <th {...roles.head} scope="col" className={classes.choice}>
                {cards ? <span>Select</span> : selectAll}
              </th>
            )}
            {wide.map((column, i) => {
              const key = keyOf(column);
              const way = key === null ? undefined : sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
              return (
                <th key={column.id} {...roles.head} scope="col" className={classes.th} data-align={column.align} aria-sort={way}>
                  {key === null || cards ? (
                    <span className={column.actions && 'visually-hidden'}>{column.header}</span>
                  ) : (
                    <button type="button" className={classes.sort} onClick={() => onSort(way === 'ascending' ? `-${key}` : key)}>
                      {column.header}
                      <span className={classes.way}>{way === 'descending' ? <IconDown size={16} /> : <IconUp size={16} />}</span>
                    </button>
                  )}
                  {!cards && i < wide.length - 1 && (
                    <span
                      className={classes.edge}
                      aria-hidden="true"
                      onPointerDown={(e) => {
                        e.preventDefault();
                        resize(column, e.currentTarget.parentElement as HTMLElement, e.clientX);
                      }}
                    />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <Body
          rows={shown}
          before={part?.before ?? 0}
          dense={view.dense}
          wide={wide}
          folded={folded}
          to={to}
          below={below}
          selected={ticks ? selection : undefined}
          onSelect={ticks ? onSelect : undefined}
        />
      </table>
      {ticks && selection.size > 0 && (
        <BulkBar
          rows={[...selection.values()]}
          nameOf={(row) => String(first.value(row))}
          actions={bulk}
          onClear={() => setSelection(new Map())}
          onDone={(done) => {
            for (const row of done) onSelect(row, false);
            onChanged?.();
          }}
        >
          <ExportMenu onExport={(kind) => save(kind, [...selection.values()])} />
          {everything && part && everySelected && selection.size < part.total && (
            <Button variant="light" loading={selecting} onClick={() => void selectEverything(everything)}>
              Select all {part.total.toLocaleString('en-GB')}
            </Button>
          )}
        </BulkBar>
      )}
    </div>
  );
};
