import type { CSSProperties, RefObject } from 'react';
import type { KindWords } from '#contract/matrix/words.ts';
import { describe } from '#src/features/matrix/grid/describe.ts';
import { type Geometry, headLine, nameColumn, type Place, selectColumn, totalColumn, totalsLine } from '#src/features/matrix/grid/geometry.ts';
import classes from '#src/features/matrix/grid/matrix.module.css';
import type { Arrangement, MatrixData, MatrixView } from '#src/features/matrix/grid/matrix-view.ts';

/** The lines and columns around the focused cell that are in the page: enough to read on, few enough to be rebuilt at each key press. */
const linesBeside = 3;
const columnsBeside = 4;
const around = (at: number, beside: number, count: number): number[] => {
  const from = Math.max(0, at - beside);
  return Array.from({ length: Math.max(0, Math.min(count, at + beside + 1) - from) }, (_, i) => from + i);
};
// Explicit roles, because table elements cannot be positioned over the canvas.
const group = { role: 'rowgroup' } as const;
const fixedColumns = [selectColumn, nameColumn, totalColumn];

type Props = {
  label: string;
  /** The id of the element that describes the keys. */
  help: string;
  element: RefObject<HTMLDivElement | null>;
  data: MatrixData;
  arrangement: Arrangement;
  view: MatrixView;
  kinds: KindWords;
  geometry: Geometry;
  cursor: Place;
  isSelected: (row: number) => boolean;
  stateOfGroup: (group: number) => 'all' | 'some' | 'none';
  all: 'all' | 'some' | 'none';
  onPlace: (place: Place, element: HTMLElement) => void;
  onPress: (place: Place, shift: boolean) => void;
};

/**
 * The surroundings of the focused cell as elements of a grid, at the positions at which the canvas draws them: for screen readers, magnifiers
 * and other tools that read the page. The elements are invisible.
 */
export const LiveGrid = (props: Props) => {
  const { label, help, element, data, arrangement, view, kinds, geometry: g, cursor, isSelected, stateOfGroup, all, onPlace, onPress } = props;
  const lines = around(cursor.line, linesBeside, arrangement.lines.length);
  const columns = [...fixedColumns, ...around(cursor.column, columnsBeside, arrangement.columns.length)];
  const shown = { data, arrangement, view, kinds };
  const sortOrder = (by: string) => (view.sort.by === by ? (view.sort.down ? 'descending' : 'ascending') : 'none');

  const cell = (line: number, column: number) => {
    const place = { line, column };
    const entry = line < 0 ? null : (arrangement.lines[line] ?? 0);
    const rowGroup = entry !== null && entry < 0 ? arrangement.groups[~entry] : undefined;
    const isFocused = line === cursor.line && column === cursor.column;
    const words = describe(shown, place);
    const focusable = {
      tabIndex: isFocused ? 0 : -1,
      'data-cursor': isFocused || undefined,
      onFocus: (event: React.FocusEvent<HTMLElement>) => onPlace(place, event.currentTarget),
      onClick: (event: React.MouseEvent) => onPress(place, event.shiftKey),
    };
    const height = line === headLine ? g.head : g.row;
    const style: CSSProperties =
      column < 0
        ? {
            left: { [selectColumn]: 0, [nameColumn]: g.selectWidth, [totalColumn]: g.selectWidth + g.nameWidth }[column],
            width: { [selectColumn]: g.selectWidth, [nameColumn]: g.nameWidth, [totalColumn]: g.totalWidth }[column],
            height,
          }
        : { left: g.left + (g.lefts[column] as number), width: (g.lefts[column + 1] as number) - (g.lefts[column] as number), height };
    const isSelect = column === selectColumn && line !== totalsLine;
    const state = entry === null ? all : entry < 0 ? stateOfGroup(~entry) : isSelected(entry) ? 'all' : 'none';
    const role = line === headLine ? 'columnheader' : column === nameColumn ? 'rowheader' : 'gridcell';
    const course = column < 0 ? undefined : data.courses[arrangement.columns[column] as number];
    const sort =
      line !== headLine || column === selectColumn
        ? undefined
        : sortOrder(column === nameColumn ? 'name' : column === totalColumn ? 'percentage' : (course?.id ?? ''));
    return (
      <div
        key={column < 0 ? column : `c${course?.id}`}
        {...{ role, 'aria-colindex': column - selectColumn + 1, 'aria-sort': sort as 'none' | undefined }}
        {...(rowGroup && column === nameColumn ? { 'aria-expanded': !rowGroup.closed } : {})}
        className={column < 0 ? classes.liveFixed : classes.liveCell}
        style={style}
        {...(isSelect ? {} : focusable)}
      >
        {isSelect ? (
          <span
            {...{
              role: 'checkbox',
              'aria-label': words,
              'aria-checked': state === 'some' ? 'mixed' : state === 'all',
            }}
            className={classes.liveBox}
            {...focusable}
          />
        ) : (
          <span className="visually-hidden">{words}</span>
        )}
      </div>
    );
  };
  const row = (line: number, style: CSSProperties) => {
    const entry = line < 0 ? -1 : (arrangement.lines[line] ?? 0);
    const key = line < 0 ? `line${line}` : entry < 0 ? `group${arrangement.groups[~entry]?.name}` : `${data.people[entry]?.id} ${line}`;
    return (
      <div
        key={key}
        {...{ role: 'row', 'aria-rowindex': line - headLine + 1, 'aria-selected': entry < 0 ? undefined : isSelected(entry) }}
        className={classes.liveRow}
        style={style}
      >
        {columns.map((column) => cell(line, column))}
      </div>
    );
  };
  const grid = {
    ...{ role: 'grid', 'aria-label': label, 'aria-describedby': help, 'aria-multiselectable': true },
    ...{ 'aria-rowcount': arrangement.lines.length + 2, 'aria-colcount': arrangement.columns.length + 3 },
  } as const;
  return (
    <div ref={element} {...grid} className={classes.live}>
      <div {...group} className={classes.liveHead} style={{ height: g.top }}>
        {row(headLine, { top: 0, height: g.head })}
        {row(totalsLine, { top: g.head, height: g.row })}
      </div>
      <div {...group} className={classes.liveBody}>
        {lines.map((line) => row(line, { top: g.top + line * g.row, height: g.row }))}
      </div>
    </div>
  );
};
