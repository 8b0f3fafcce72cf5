import { type CSSProperties, memo, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Column } from '#src/screens/table/columns.ts';
import classes from '#src/screens/table/table.module.css';

/** Explicit roles, because some browsers drop those of rows with a grid layout. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
  first: { role: 'rowheader' },
} as const;

export type RowProps<R> = {
  row: R;
  wide: readonly Column<R>[];
  folded: readonly Column<R>[];
  /** Its position in the whole list, counting the header. */
  place: number;
  to?: ((row: R) => string | null) | undefined;
  below?: ((row: R) => ReactNode) | undefined;
  selected?: boolean | undefined;
  onSelect?: ((row: R, selected: boolean) => void) | undefined;
  /** In a virtual table: its index, and the callback that measures its height. */
  index?: number;
  measure?: (element: HTMLElement | null) => void;
};

/** The content of a cell; null if it is empty. */
const shown = <R,>(column: Column<R>, row: R): ReactNode =>
  (column.cell ? column.cell(row) : column.value(row)) || (column.value(row) === 0 ? 0 : null);
const Shown = <R,>({ row, wide, folded, place, to, below, selected, onSelect, index, measure }: RowProps<R>) => {
  const [first, ...others] = wide as [Column<R>, ...Column<R>[]];
  const name = String(first.value(row) ?? '');
  const under = below?.(row);
  const leadsTo = to?.(row);
  return (
    <tr
      {...roles.row}
      className={classes.row}
      aria-rowindex={place}
      aria-selected={selected}
      data-selected={selected || undefined}
      data-leads={leadsTo ? true : undefined}
      data-index={index}
      ref={measure}
    >
      {onSelect && (
        <td {...roles.cell} className={classes.choice}>
          <label className={classes.tick}>
            <input
              type="checkbox"
              checked={selected ?? false}
              aria-label={`Select ${name}`}
              onChange={(e) => onSelect(row, e.currentTarget.checked)}
            />
          </label>
        </td>
      )}
      <th {...roles.first} scope="row" className={classes.first}>
        {leadsTo ? (
          <Link to={leadsTo} className={classes.open}>
            {shown(first, row)}
          </Link>
        ) : (
          <span>{shown(first, row)}</span>
        )}
        {folded.length > 0 && (
          <span className={classes.folded}>
            {folded.map((c) => {
              const value = shown(c, row);
              return (
                value !== null && (
                  <span key={c.id}>
                    {c.header}: {value}
                  </span>
                )
              );
            })}
          </span>
        )}
      </th>
      {others.map((c) => {
        const value = shown(c, row);
        return (
          <td
            key={c.id}
            {...roles.cell}
            className={classes.cell}
            data-align={c.align}
            data-keep={c.keep}
            data-actions={c.actions}
            data-label={c.header}
            data-empty={value === null || undefined}
          >
            {value === null && !c.actions ? <span aria-hidden="true">–</span> : value}
          </td>
        );
      })}
      {under && (
        <td {...roles.cell} className={classes.below}>
          {under}
        </td>
      )}
    </tr>
  );
};
export const Row = memo(Shown) as typeof Shown;

/** The first column's share of the rest while it contains folded ones: most. */
const carryingGrow = 2;
/** The grid template of the columns. `folded`: others are in the first one. */
export const gridOf = <R,>(
  wide: readonly Column<R>[],
  widthOf: (column: Column<R>) => number,
  chosen: Record<string, number>,
  ticks: boolean,
  folded = false,
): string => {
  // One column takes the rest even if every width was chosen.
  const stretch = wide.findLast((c) => chosen[c.id] === undefined && c.grow !== 0) ?? wide.at(0);
  const tracks = wide.map((c) => {
    const width = `${widthOf(c)}px`;
    const grow = Math.max(folded && c === wide[0] ? carryingGrow : 0, c.grow ?? 1);
    const fixed = (chosen[c.id] !== undefined || grow === 0) && c !== stretch;
    return fixed ? width : `minmax(${width}, ${grow}fr)`;
  });
  return [...(ticks ? ['44px'] : []), ...tracks].join(' ');
};
export type GridStyle = CSSProperties & { '--columns': string };
