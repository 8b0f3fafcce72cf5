import { headLine, type Place, selectColumn } from '#src/features/matrix/grid/geometry.ts';
import type { Arrangement } from '#src/features/matrix/grid/matrix-view.ts';

/** The keyboard's position, with its person (or group heading) and course: it follows them when the order changes. */
export type Cursor = Place & { stands: number; course: number };
type Shown = Pick<Arrangement, 'lines' | 'columns'>;

export const cursorAt = ({ line, column }: Place, shown: Shown): Cursor => ({
  ...{ line, column },
  stands: line < 0 ? 0 : (shown.lines[line] ?? 0),
  course: column < 0 ? 0 : (shown.columns[column] ?? 0),
});

/** The cursor where its person and course are now; where they are not shown, as near as there is something. */
export const settled = (cursor: Cursor, shown: Shown): Cursor => {
  const follow = (at: number, was: number, all: Int32Array | Uint32Array, least: number) => {
    if (at < 0 || all[at] === was) return at;
    const now = all.indexOf(was);
    return now === -1 ? Math.max(least, Math.min(at, all.length - 1)) : now;
  };
  const line = follow(cursor.line, cursor.stands, shown.lines, headLine);
  const column = follow(cursor.column, cursor.course, shown.columns, selectColumn);
  return line === cursor.line && column === cursor.column ? cursor : cursorAt({ line, column }, shown);
};

type Press = { key: string; ctrl: boolean };
/** The position after a key; null if there is none. `page`: the number of visible lines. */
export const moved = ({ line, column }: Place, { key, ctrl }: Press, shown: Shown, page: number): Place | null => {
  const last = { line: shown.lines.length - 1, column: shown.columns.length - 1 };
  const to = (nextLine: number, nextColumn: number): Place => ({
    line: Math.max(headLine, Math.min(last.line, nextLine)),
    column: Math.max(selectColumn, Math.min(last.column, nextColumn)),
  });
  switch (key) {
    case 'ArrowUp':
      return to(ctrl ? headLine : line - 1, column);
    case 'ArrowDown':
      return to(ctrl ? last.line : line + 1, column);
    case 'ArrowLeft':
      return to(line, ctrl ? selectColumn : column - 1);
    case 'ArrowRight':
      return to(line, ctrl ? last.column : column + 1);
    case 'Home':
      return to(ctrl ? headLine : line, selectColumn);
    case 'End':
      return to(ctrl ? last.line : line, last.column);
    case 'PageUp':
      return to(line < 0 ? headLine : Math.max(0, line - page), column);
    case 'PageDown':
      return to(Math.max(0, line) + page, column);
    default:
      return null;
  }
};
