/** The zoom levels, in CSS pixels. */
export const zooms = [
  { name: 'Overview', row: 24, column: 28, text: 12, mark: 14 },
  { name: 'Compact', row: 28, column: 40, text: 14, mark: 16 },
  { name: 'With dates', row: 44, column: 96, text: 14, mark: 16 },
  { name: 'Large', row: 60, column: 128, text: 18, mark: 22 },
] as const;
/** Cells at least this wide show a date beside their mark; a multiple of the text size. */
const dateWidthPerText = 6.2;
/** In narrower columns titles are rotated; a multiple of the text size. */
const wrapWidthPerText = 5.6;

const selectWidth = 44;
export const defaultNameWidth = 260;
const narrowestName = 120;
const narrowest = 26;
const widest = 480;
/** The minimum size of a touch target. */
const touchTarget = 44;

/** Widths that the user has changed: that of the names, and those of courses by their ids. */
export type Widths = { names?: number; courses: Readonly<Record<string, number>> };

/**
 * The layout in CSS pixels. Selection, names and shares on the left and titles and shares at the top are frozen; the cells scroll. `lefts` are
 * the left edges of the columns, measured from the first cell, and the right edge of the last.
 */
export type Geometry = {
  text: number;
  mark: number;
  row: number;
  head: number;
  selectWidth: number;
  nameWidth: number;
  totalWidth: number;
  left: number;
  top: number;
  lefts: Float64Array;
  lines: number;
  width: number;
  height: number;
};

type GeometryInput = { zoom: number; columns: readonly string[]; widths: Widths; lines: number; touch: boolean; room: number };
export const geometryOf = ({ zoom, columns, widths, lines, touch, room }: GeometryInput): Geometry => {
  const step = zooms[zoom] ?? zooms[1];
  const row = touch ? Math.max(step.row, touchTarget) : step.row;
  const defaultWidth = touch ? Math.max(step.column, touchTarget) : step.column;
  const lefts = new Float64Array(columns.length + 1);
  columns.forEach((id, i) => {
    lefts[i + 1] = (lefts[i] as number) + clampWidth(widths.courses[id] ?? defaultWidth);
  });
  // Names leave room for cells on a narrow screen.
  const nameWidth = Math.max(narrowestName, Math.min(widths.names ?? defaultNameWidth, room * 0.45));
  const totalWidth = step.text * 4 + 20;
  const left = selectWidth + nameWidth + totalWidth;
  const head = defaultWidth < step.text * wrapWidthPerText ? step.text * 9 : step.text * 4 + 28;
  const top = head + row;
  return {
    ...{ text: step.text, mark: step.mark, row, head, selectWidth, nameWidth, totalWidth, left, top, lefts, lines },
    ...{ width: left + (lefts[columns.length] as number), height: top + lines * row },
  };
};
export const clampWidth = (width: number): number => Math.round(Math.max(narrowest, Math.min(widest, width)));
export const clampNameWidth = (width: number): number => Math.round(Math.max(narrowestName, Math.min(widest, width)));
export const hasDates = (geometry: Geometry, width: number): boolean => width >= geometry.text * dateWidthPerText;
export const isWrapped = (geometry: Geometry, width: number): boolean => width >= geometry.text * wrapWidthPerText;

/** The column at a distance from the first cell's left edge. */
export const columnAt = ({ lefts }: Geometry, x: number): number => {
  let low = 0;
  let high = lefts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lefts[middle] as number) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** Frozen lines and columns: head and shares of the courses; selection, names and shares of the people. */
export const headLine = -2;
export const totalsLine = -1;
export const selectColumn = -3;
export const nameColumn = -2;
export const totalColumn = -1;
export type Place = { line: number; column: number };
type Scroll = { left: number; top: number };

/** The position at a point of the viewport; null beyond the last line or column. */
export const placeAt = (g: Geometry, x: number, y: number, scroll: Scroll): Place | null => {
  const line = y < g.head ? headLine : y < g.top ? totalsLine : Math.floor((y - g.top + scroll.top) / g.row);
  const inCells = x - g.left + scroll.left;
  const column = x < g.selectWidth ? selectColumn : x < g.selectWidth + g.nameWidth ? nameColumn : x < g.left ? totalColumn : columnAt(g, inCells);
  if (line >= g.lines || (column >= 0 && inCells >= (g.lefts.at(-1) as number))) return null;
  return { line, column };
};

const edgeReach = 5;
/** The column whose right edge can be dragged at a point of the head: names or a course; null elsewhere. */
export const edgeAt = (g: Geometry, x: number, y: number, scroll: Scroll): number | null => {
  if (y >= g.head) return null;
  if (Math.abs(x - g.selectWidth - g.nameWidth) <= edgeReach) return nameColumn;
  if (x < g.left) return null;
  const inCells = x - g.left + scroll.left;
  const column = columnAt(g, inCells);
  if (Math.abs(inCells - (g.lefts[column + 1] as number)) <= edgeReach) return column;
  return column > 0 && Math.abs(inCells - (g.lefts[column] as number)) <= edgeReach ? column - 1 : null;
};

/** The rectangle of a position in the viewport. */
export const boxOf = (g: Geometry, { line, column }: Place, scroll: Scroll): { x: number; y: number; width: number; height: number } => {
  const y = line === headLine ? 0 : line === totalsLine ? g.head : g.top + line * g.row - scroll.top;
  const height = line === headLine ? g.head : g.row;
  if (column === selectColumn) return { x: 0, y, width: g.selectWidth, height };
  if (column === nameColumn) return { x: g.selectWidth, y, width: g.nameWidth, height };
  if (column === totalColumn) return { x: g.selectWidth + g.nameWidth, y, width: g.totalWidth, height };
  const left = g.lefts[column] as number;
  return { x: g.left + left - scroll.left, y, width: (g.lefts[column + 1] as number) - left, height };
};

/** The nearest scroll position at which a place is not covered by frozen lines and columns. */
export const scrollTo = (g: Geometry, { line, column }: Place, scroll: Scroll, room: { width: number; height: number }): Scroll => {
  const next = { ...scroll };
  if (line >= 0) next.top = Math.min(line * g.row, Math.max(scroll.top, (line + 1) * g.row - (room.height - g.top)));
  if (column >= 0) {
    const [from, to] = [g.lefts[column] as number, g.lefts[column + 1] as number];
    next.left = Math.min(from, Math.max(scroll.left, to - (room.width - g.left)));
  }
  return next;
};
