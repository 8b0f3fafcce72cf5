import { cellAt } from '#contract/matrix/sheet.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { type Geometry, boxOf, columnAt, hasDates, headLine, isWrapped, type Place, totalsLine } from '#src/features/matrix/grid/geometry.ts';
import { type Look, lookOf, markNames, marks } from '#src/features/matrix/grid/marks.ts';
import { type Arrangement, type MatrixData, type MatrixView, percentage } from '#src/features/matrix/grid/matrix-view.ts';
import type { Fills, Palette } from '#src/features/matrix/grid/palette.ts';
import { fitText, wrapText } from '#src/features/matrix/grid/text.ts';
import { briefWords, percentWords } from '#contract/matrix/words.ts';

export type Scene = {
  data: MatrixData;
  /** No rows have loaded: skeleton rows are drawn. */
  waits: boolean;
  arrangement: Arrangement;
  geometry: Geometry;
  view: MatrixView;
  palette: Palette;
  bands: { green: number; amber: number };
  isSelected: (row: number) => boolean;
  /** How many of the shown people of a group are selected. */
  stateOfGroup: (group: number) => 'all' | 'some' | 'none';
  /** How many of the shown people are selected. */
  all: 'all' | 'some' | 'none';
  focus: Place | null;
  hover: Place | null;
};
type Window = { left: number; top: number; width: number; height: number; ratio: number };

const looks = new WeakMap<MatrixView, readonly Look[]>();
const looksOf = (view: MatrixView): readonly Look[] => {
  const cached = looks.get(view);
  if (cached) return cached;
  const result = Array.from({ length: 256 }, (_, byte) => lookOf(byte, view.kind, view.statuses));
  looks.set(view, result);
  return result;
};

/** The marks in each ink, drawn once for a size and copied from then on. */
let markCache: { key: string; sheets: Map<string, ImageBitmap> } = { key: '', sheets: new Map() };
const markSheet = (ink: string, size: number, ratio: number): ImageBitmap => {
  const key = `${size} ${ratio}`;
  if (markCache.key !== key) markCache = { key, sheets: new Map() };
  const cached = markCache.sheets.get(ink);
  if (cached) return cached;
  const side = Math.ceil(size * ratio);
  const sheet = new OffscreenCanvas(side * markNames.length, side);
  const pen = sheet.getContext('2d') as OffscreenCanvasRenderingContext2D;
  pen.strokeStyle = ink;
  pen.fillStyle = ink;
  pen.lineWidth = 1.9;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  markNames.forEach((name, i) => {
    pen.setTransform(side / 16, 0, 0, side / 16, i * side, 0);
    const path = new Path2D(marks[name]);
    if (name === 'dot') pen.fill(path);
    else pen.stroke(path);
  });
  // An ImageBitmap is drawn faster than a canvas, because it cannot change.
  const copy = sheet.transferToImageBitmap();
  markCache.sheets.set(ink, copy);
  return copy;
};

type Drawing = Scene & { pen: CanvasRenderingContext2D; window: Window; font: (weight: number, size?: number) => string };

const drawClipped = ({ pen }: Drawing, x: number, y: number, width: number, height: number, draw: () => void) => {
  if (width <= 0 || height <= 0) return;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  draw();
  pen.restore();
};

const placeMark = ({ pen, geometry, window }: Drawing, mark: Look['mark'], ink: string, x: number, y: number) => {
  const side = Math.ceil(geometry.mark * window.ratio);
  pen.drawImage(markSheet(ink, geometry.mark, window.ratio), markNames.indexOf(mark) * side, 0, side, side, x, y, geometry.mark, geometry.mark);
};

const fillsOf = (d: Drawing, light: Look['light']): Fills | null => (light === null ? null : d.palette.lights[light]);

const drawCell = (d: Drawing, row: number, column: number, look: Look, x: number, y: number, width: number, height: number) => {
  const { pen, geometry: g, palette } = d;
  const fills = fillsOf(d, look.fill === 'none' ? null : look.light);
  let ink = look.mark === 'none' ? palette.faint : palette.soft;
  if (fills && look.fill === 'full') {
    ink = fills.ink;
    pen.fillStyle = fills.fill;
    pen.fillRect(x + 1, y + 1, width - 2, height - 2);
    if (look.secondary && width >= 40) {
      pen.fillStyle = ink;
      pen.beginPath();
      pen.moveTo(x + width - 9, y + 1);
      pen.lineTo(x + width - 1, y + 1);
      pen.lineTo(x + width - 1, y + 9);
      pen.fill();
    }
  } else if (fills) {
    ink = palette.text;
    pen.strokeStyle = fills.fill;
    pen.lineWidth = 2;
    pen.strokeRect(x + 2, y + 2, width - 4, height - 4);
  }
  const top = y + (height - g.mark) / 2;
  const words = hasDates(g, width) ? briefWords(cellAt(d.data.sheet, row, column)) : '';
  if (words === '') return placeMark(d, look.mark, ink, x + (width - g.mark) / 2, top);
  placeMark(d, look.mark, ink, x + 8, top);
  pen.fillStyle = ink;
  pen.fillText(fitText(pen, words, width - g.mark - 18), x + g.mark + 13, y + height / 2 + 1);
};

/** A percentage over a bar of that length, in the colour of its band. */
const drawShare = (d: Drawing, inDate: number, required: number, x: number, y: number, width: number, height: number) => {
  const { pen, palette, geometry: g } = d;
  const percent = percentage(inDate, required);
  // Smaller figures in narrow columns, without the percent sign in the narrowest, so that neighbours do not touch.
  const hasNoSign = width < g.text * 2.4;
  const size = hasNoSign ? g.text - 1 : width < g.text * 3.6 ? g.text - 2 : g.text;
  pen.fillStyle = percent === null ? palette.soft : palette.text;
  pen.font = d.font(percent === null ? 400 : 650, size);
  pen.textAlign = 'center';
  pen.fillText(hasNoSign && percent !== null ? String(percent) : percentWords(percent), x + width / 2, y + height / 2 - 1);
  pen.textAlign = 'left';
  if (percent === null) return;
  const [from, room] = [x + 5, width - 10];
  pen.fillStyle = palette.line;
  pen.fillRect(from, y + height - 7, room, 3);
  pen.fillStyle = palette.lights[{ green: 'ok', amber: 'warning', red: 'danger' }[scoreBand(percent, d.bands)] as 'ok' | 'warning' | 'danger'].bar;
  pen.fillRect(from, y + height - 7, (room * percent) / 100, 3);
};

const drawBox = ({ pen, palette, geometry: g }: Drawing, state: 'all' | 'some' | 'none', x: number, y: number, height: number) => {
  const side = 18;
  const [left, top] = [Math.round(x + (g.selectWidth - side) / 2), Math.round(y + (height - side) / 2)];
  pen.beginPath();
  pen.roundRect(left + 0.5, top + 0.5, side - 1, side - 1, 4);
  pen.fillStyle = state === 'none' ? palette.surface : palette.brand;
  pen.fill();
  pen.strokeStyle = state === 'none' ? palette.lineStrong : palette.brand;
  pen.lineWidth = 1.5;
  pen.stroke();
  if (state === 'none') return;
  pen.strokeStyle = palette.brandInk;
  pen.lineWidth = 2.2;
  pen.beginPath();
  if (state === 'some') {
    pen.moveTo(left + 5, top + side / 2);
    pen.lineTo(left + side - 5, top + side / 2);
  } else {
    pen.moveTo(left + 4, top + 9);
    pen.lineTo(left + 7.5, top + 12.5);
    pen.lineTo(left + 14, top + 5.5);
  }
  pen.stroke();
};

/** A small triangle: the direction of a sort, or whether a group is open. */
const drawArrow = ({ pen }: Drawing, direction: 'up' | 'down' | 'right', x: number, y: number, ink: string) => {
  pen.fillStyle = ink;
  pen.beginPath();
  if (direction === 'right') {
    pen.moveTo(x - 3, y - 5);
    pen.lineTo(x + 4, y);
    pen.lineTo(x - 3, y + 5);
  } else {
    const tip = direction === 'up' ? -4 : 4;
    pen.moveTo(x - 5, y - tip);
    pen.lineTo(x + 5, y - tip);
    pen.lineTo(x, y + tip);
  }
  pen.fill();
};

const drawCells = (d: Drawing, lines: [number, number], columns: [number, number]) => {
  const { pen, geometry: g, data, arrangement, palette, window } = d;
  const looksByByte = looksOf(d.view);
  const { states, columns: stride } = data.sheet;
  pen.font = d.font(450, g.text - 0.5);
  for (let line = lines[0]; line < lines[1]; line++) {
    const row = arrangement.lines[line] as number;
    const y = g.top + line * g.row - window.top;
    if (row < 0) {
      pen.fillStyle = palette.group;
      pen.fillRect(g.left, y, window.width - g.left, g.row);
    }
    const isLoaded = row < 0 || data.loaded[row] === 1;
    for (let i = columns[0]; i < columns[1]; i++) {
      const column = arrangement.columns[i] as number;
      const x = g.left + (g.lefts[i] as number) - window.left;
      const width = (g.lefts[i + 1] as number) - (g.lefts[i] as number);
      if (row < 0) {
        const at = ~row * stride + column;
        drawShare(d, arrangement.groupInDate[at] ?? 0, arrangement.groupRequired[at] ?? 0, x, y, width, g.row);
      } else if (isLoaded) drawCell(d, row, column, looksByByte[states[row * stride + column] as number] as Look, x, y, width, g.row);
      else {
        pen.fillStyle = palette.group;
        pen.fillRect(x + 4, y + g.row / 2 - 4, width - 8, 8);
      }
    }
    if (row < 0) pen.font = d.font(450, g.text - 0.5);
  }
};

const drawSkeleton = (d: Drawing) => {
  const { pen, geometry: g, palette, window } = d;
  // Before the courses have loaded, the columns are of a typical width.
  const columnWidth = g.lefts[1] ?? g.row * 1.3;
  pen.fillStyle = palette.group;
  for (let y = g.top; y < window.height; y += g.row) {
    const line = Math.round((y - g.top) / g.row);
    pen.fillRect(g.selectWidth, y + g.row / 2 - 4, (g.nameWidth - 20) * (0.45 + ((line * 37) % 50) / 100), 8);
    pen.fillRect(g.selectWidth + g.nameWidth + 12, y + g.row / 2 - 4, g.totalWidth - 24, 8);
    for (let x = g.left; x < window.width; x += columnWidth) pen.fillRect(x + 4, y + g.row / 2 - 4, columnWidth - 8, 8);
    pen.fillRect(0, Math.round(y + g.row) - 1, window.width, 1);
  }
};

/** The arrow of a group stands before its name. */
const arrowRoom = 18;
const drawNames = (d: Drawing, lines: [number, number]) => {
  const { pen, geometry: g, data, arrangement, palette, window } = d;
  const x = g.selectWidth;
  for (let line = lines[0]; line < lines[1]; line++) {
    const row = arrangement.lines[line] as number;
    const y = g.top + line * g.row - window.top;
    const middle = y + g.row / 2 + 1;
    if (row < 0) {
      const group = arrangement.groups[~row];
      if (!group) continue;
      pen.fillStyle = palette.group;
      pen.fillRect(0, y, g.left, g.row);
      drawBox(d, d.stateOfGroup(~row), 0, y, g.row);
      drawArrow(d, group.closed ? 'right' : 'down', x + 5, y + g.row / 2, palette.text);
      pen.fillStyle = palette.text;
      pen.font = d.font(700);
      const count = ` ${group.people.toLocaleString('en-GB')}`;
      const start = x + arrowRoom;
      const name = fitText(pen, group.name, g.nameWidth - arrowRoom - 8 - pen.measureText(count).width);
      pen.fillText(name, start, middle);
      const after = start + pen.measureText(name).width + 6;
      pen.font = d.font(400);
      pen.fillStyle = palette.soft;
      pen.fillText(count, after, middle);
      drawShare(d, group.inDate, group.required, x + g.nameWidth, y, g.totalWidth, g.row);
      continue;
    }
    const person = data.people[row];
    if (!person) continue;
    if (d.isSelected(row) || d.hover?.line === line) {
      pen.fillStyle = palette.tint;
      pen.fillRect(0, y + 1, g.left, g.row - 1);
    }
    drawBox(d, d.isSelected(row) ? 'all' : 'none', 0, y, g.row);
    const room = g.nameWidth - 10;
    const details = [person.role, person.place].filter(Boolean).join(' · ');
    const hasTwoLines = g.row >= g.text * 2.8 && details !== '';
    pen.font = d.font(600, g.text + 0.5);
    pen.fillStyle = palette.text;
    const name = fitText(pen, person.name, room);
    pen.fillText(name, x, hasTwoLines ? middle - g.text * 0.62 : middle);
    const used = hasTwoLines ? 0 : pen.measureText(name).width + 8;
    if (room - used > g.text * 3) {
      pen.font = d.font(400, g.text - 1);
      pen.fillStyle = palette.soft;
      pen.fillText(fitText(pen, details, room - used), x + used, hasTwoLines ? middle + g.text * 0.66 : middle);
    }
    if (data.loaded[row] === 1)
      drawShare(d, arrangement.rowInDate[row] ?? 0, arrangement.rowRequired[row] ?? 0, x + g.nameWidth, y, g.totalWidth, g.row);
    else {
      pen.fillStyle = palette.group;
      pen.fillRect(x + g.nameWidth + 12, y + g.row / 2 - 4, g.totalWidth - 24, 8);
    }
  }
};

const drawHead = (d: Drawing, columns: [number, number]) => {
  const { pen, geometry: g, data, arrangement, palette, window, view } = d;
  for (let i = columns[0]; i < columns[1]; i++) {
    const course = data.courses[arrangement.columns[i] as number];
    if (!course) continue;
    const x = g.left + (g.lefts[i] as number) - window.left;
    const width = (g.lefts[i + 1] as number) - (g.lefts[i] as number);
    if (d.hover?.column === i) {
      pen.fillStyle = palette.tint;
      pen.fillRect(x, 0, width, g.head);
    }
    const isSorted = view.sort.by === course.id;
    pen.font = d.font(isSorted ? 700 : 550, g.text);
    pen.fillStyle = palette.text;
    const leading = g.text * 1.18;
    if (isWrapped(g, width)) {
      const title = width >= g.text * 11 ? course.title : (course.short_title ?? course.title);
      const texts = wrapText(pen, title, width - 12, Math.floor((g.head - 18) / leading));
      texts.forEach((text, n) => {
        pen.fillText(text, x + 6, 12 + n * leading);
      });
    } else {
      const count = width >= leading * 2 + 6 ? 2 : 1;
      const texts = wrapText(pen, course.short_title ?? course.title, g.head - 26, count);
      pen.save();
      pen.translate(x + width / 2, g.head - 20);
      pen.rotate(-Math.PI / 2);
      texts.forEach((text, n) => {
        pen.fillText(text, 0, (n - (texts.length - 1) / 2) * leading);
      });
      pen.restore();
    }
    if (isSorted) drawArrow(d, view.sort.down ? 'down' : 'up', x + width / 2, g.head - 9, palette.brand);
    const column = arrangement.columns[i] as number;
    drawShare(d, arrangement.columnInDate[column] ?? 0, arrangement.columnRequired[column] ?? 0, x, g.head, width, g.row);
  }
};

const drawCorner = (d: Drawing) => {
  const { pen, geometry: g, arrangement, palette, view } = d;
  drawBox(d, d.all, 0, g.head - 40, 40);
  const foot = g.head - 20;
  const middle = g.head + g.row / 2 + 1;
  pen.font = d.font(700);
  pen.fillStyle = palette.text;
  pen.fillText('Name', g.selectWidth, foot);
  pen.textAlign = 'center';
  pen.fillText('In date', g.left - g.totalWidth / 2, foot);
  pen.textAlign = 'left';
  const arrow = view.sort.down ? 'down' : 'up';
  if (view.sort.by === 'name') drawArrow(d, arrow, g.selectWidth + pen.measureText('Name').width + 12, foot, palette.brand);
  if (view.sort.by === 'percentage') drawArrow(d, arrow, g.left - g.totalWidth / 2, g.head - 7, palette.brand);
  const people = arrangement.rows.length;
  pen.fillStyle = palette.text;
  if (d.waits) return;
  pen.fillText(`${people.toLocaleString('en-GB')} ${people === 1 ? 'person' : 'people'}`, g.selectWidth, middle);
  drawShare(d, arrangement.inDate, arrangement.required, g.left - g.totalWidth, g.head, g.totalWidth, g.row);
};

const drawLines = (d: Drawing, lines: [number, number], right: number) => {
  const { pen, geometry: g, palette, window } = d;
  pen.fillStyle = palette.line;
  for (let line = lines[0]; line < lines[1]; line++) {
    const y = Math.round(g.top + (line + 1) * g.row - window.top) - 1;
    if (y >= g.top) pen.fillRect(0, y, right, 1);
  }
};

const drawRing = (d: Drawing, place: Place, ink: string, thick: number) => {
  const { geometry: g, window, pen } = d;
  const box = boxOf(g, place, window);
  const left = place.column < 0 ? 0 : g.left;
  const top = place.line === headLine ? 0 : place.line === totalsLine ? g.head : g.top;
  drawClipped(d, left, top, window.width - left, window.height - top, () => {
    pen.lineWidth = thick + 2;
    pen.strokeStyle = d.palette.surface;
    pen.strokeRect(box.x + thick / 2 + 1, box.y + thick / 2 + 1, box.width - thick - 2, box.height - thick - 2);
    pen.lineWidth = thick;
    pen.strokeStyle = ink;
    pen.strokeRect(box.x + thick / 2, box.y + thick / 2, box.width - thick, box.height - thick);
  });
};

/** Paints the part of the grid that is in the window, scaled to device pixels. */
export const paint = (pen: CanvasRenderingContext2D, scene: Scene, window: Window) => {
  const { geometry: g, palette } = scene;
  const { width, height, ratio } = window;
  const snapped = { ...window, left: Math.round(window.left * ratio) / ratio, top: Math.round(window.top * ratio) / ratio };
  const font = (weight: number, size = g.text) => `${weight} ${size}px ${palette.font}`;
  const d: Drawing = { ...scene, pen, window: snapped, font };
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.surface;
  pen.fillRect(0, 0, width, height);
  const lines: [number, number] = [Math.floor(snapped.top / g.row), Math.min(g.lines, Math.ceil((snapped.top + height - g.top) / g.row))];
  const count = g.lefts.length - 1;
  const columns: [number, number] =
    count === 0 ? [0, 0] : [columnAt(g, snapped.left), Math.min(count, columnAt(g, snapped.left + width - g.left) + 1)];
  const right = scene.waits ? width : Math.min(width, g.width - snapped.left);
  drawClipped(d, g.left, g.top, width - g.left, height - g.top, () => drawCells(d, lines, columns));
  drawClipped(d, 0, g.top, g.left, height - g.top, () => drawNames(d, lines));
  if (scene.waits) drawSkeleton(d);
  drawLines(d, lines, right);
  drawClipped(d, g.left, 0, width - g.left, g.top, () => drawHead(d, columns));
  drawClipped(d, 0, 0, g.left, g.top, () => drawCorner(d));
  pen.fillStyle = palette.line;
  pen.fillRect(0, g.head - 1, right, 1);
  pen.fillStyle = palette.lineStrong;
  pen.fillRect(0, g.top - 1, right, 1);
  pen.fillRect(g.left - 1, 0, 1, scene.waits ? height : Math.min(height, g.height - snapped.top));
  if (scene.hover && scene.hover.column >= 0 && scene.hover.line >= 0) drawRing(d, scene.hover, palette.text, 1.5);
  if (scene.focus) drawRing(d, scene.focus, palette.brand, 3);
};
