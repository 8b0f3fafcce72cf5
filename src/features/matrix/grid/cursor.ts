import { headLine, type Place, selectColumn } from '#src/features/matrix/grid/geometry.ts';
import type { Arrangement } from '#src/features/matrix/grid/matrix-view.ts';

/** The keyboard's position, with the entry of its line (a row, or a group) and its course: it follows them when the order changes. */
export type Cursor = Place & { entry: number; course: number };
type Shown = Pick<Arrangement, 'lines' | 'columns'>;

export const cursorAt = ({ line, column }: Place, shown: Shown): Cursor => ({
  ...{ line, column },
  entry: line < 0 ? 0 : (shown.lines[line] ?? 0),
  course: column < 0 ? 0 : (shown.columns[column] ?? 0),
});

/** The cursor at the present position of its entry and course; if one is not shown, at the nearest position. */
export const followCursor = (cursor: Cursor, shown: Shown): Cursor => {
  const follow = (position: number, entry: number, all: Int32Array | Uint32Array, least: number) => {
    if (position < 0 || all[position] === entry) return position;
    const newPosition = all.indexOf(entry);
    return newPosition === -1 ? Math.max(least, Math.min(position, all.length - 1)) : newPosition;
  };
  const line = follow(cursor.line, cursor.entry, shown.lines, headLine);
  const column = follow(cursor.column, cursor.course, shown.columns, selectColumn);
  return line === cursor.line && column === cursor.column ? cursor : cursorAt({ line, column }, shown);
};

type KeyPress = { key: string; ctrl: boolean };
/** The position after a key; null if there is none. `page`: the number of visible lines. */
export const moveBy = ({ line, column }: Place, { key, ctrl }: KeyPress, shown: Shown, page: number): Place | null => {
  const last = { line: shown.lines.length - 1, column: shown.columns.length - 1 };
  const moved = (nextLine: number, nextColumn: number): Place => ({
    line: Math.max(headLine, Math.min(last.line, nextLine)),
    column: Math.max(selectColumn, Math.min(last.column, nextColumn)),
  });
  switch (key) {
    case 'ArrowUp':
      return moved(ctrl ? headLine : line - 1, column);
    case 'ArrowDown':
      return moved(ctrl ? last.line : line + 1, column);
    case 'ArrowLeft':
      return moved(line, ctrl ? selectColumn : column - 1);
    case 'ArrowRight':
      return moved(line, ctrl ? last.column : column + 1);
    case 'Home':
      return moved(ctrl ? headLine : line, selectColumn);
    case 'End':
      return moved(ctrl ? last.line : line, last.column);
    case 'PageUp':
      return moved(line < 0 ? headLine : Math.max(0, line - page), column);
    case 'PageDown':
      return moved(Math.max(0, line) + page, column);
    default:
      return null;
  }
};
