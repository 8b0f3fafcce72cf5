import { Button, Checkbox, Menu, NativeSelect, Popover } from '@mantine/core';
import { useState } from 'react';
import type { Column, View } from '#src/screens/table/columns.ts';
import { widthOf } from '#src/screens/table/room.ts';
import classes from '#src/screens/table/table.module.css';
import { IconDown, IconDownload } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

type ViewProps<R> = {
  columns: readonly Column<R>[];
  isShown: (column: Column<R>) => boolean;
  view: View;
  changed: boolean;
  onView: (view: View | null) => void;
};
const step = 24;

/** The view settings: visible columns, their widths, and the density of rows. */
export const ViewMenu = <R,>({ columns, isShown, view, changed, onView }: ViewProps<R>) => (
  <Popover position="bottom-end" trapFocus returnFocus withinPortal>
    <Popover.Target>
      <Button variant="default" rightSection={<IconDown size={18} />}>
        Columns
      </Button>
    </Popover.Target>
    <Popover.Dropdown className={classes.view}>
      {columns.map(
        (column, i) =>
          !column.actions && (
            <div key={column.id} className={classes.choose}>
              <Checkbox
                label={column.header}
                checked={isShown(column)}
                disabled={i === 0}
                onChange={(e) => onView({ ...view, shown: { ...view.shown, [column.id]: e.currentTarget.checked } })}
              />
              {(['narrower', 'wider'] as const).map((way) => (
                <Button
                  key={way}
                  variant="default"
                  size="compact-md"
                  className={classes.step}
                  aria-label={`${column.header}: ${way}`}
                  disabled={!isShown(column)}
                  onClick={() => {
                    const width = Math.max(80, widthOf(column, view) + (way === 'wider' ? step : -step));
                    onView({ ...view, widths: { ...view.widths, [column.id]: width } });
                  }}
                >
                  {way === 'wider' ? '+' : '−'}
                </Button>
              ))}
            </div>
          ),
      )}
      <Checkbox label="Rows close together" checked={view.dense} onChange={(e) => onView({ ...view, dense: e.currentTarget.checked })} />
      {changed && (
        <Button variant="default" onClick={() => onView(null)}>
          As it was
        </Button>
      )}
    </Popover.Dropdown>
  </Popover>
);

/** Exports the displayed rows as a file. */
export const ExportMenu = ({ onExport }: { onExport: (kind: 'csv' | 'xlsx') => Promise<void> }) => {
  const [busy, setBusy] = useState(false);
  const make = async (kind: 'csv' | 'xlsx') => {
    setBusy(true);
    await onExport(kind).catch((error: Error) => notify('error', error.message));
    setBusy(false);
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconDownload size={20} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void make('csv')}>CSV file</Menu.Item>
        <Menu.Item onClick={() => void make('xlsx')}>Excel workbook</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

type SortProps = { columns: readonly Column<never>[]; keyOf: (column: Column<never>) => string | null; sort: string; onSort: (sort: string) => void };
/** The sort order, if there are no column headings. */
export const SortChoice = ({ columns, keyOf, sort, onSort }: SortProps) => (
  <NativeSelect
    className={classes.order}
    aria-label="Sort by"
    value={sort}
    onChange={(e) => onSort(e.currentTarget.value)}
    data={[
      ...(sort === '' ? [{ value: '', label: 'Sort by' }] : []),
      ...columns.flatMap((c) => {
        const key = keyOf(c);
        return key === null
          ? []
          : [
              { value: key, label: `${c.header}, ascending` },
              { value: `-${key}`, label: `${c.header}, descending` },
            ];
      }),
    ]}
  />
);
