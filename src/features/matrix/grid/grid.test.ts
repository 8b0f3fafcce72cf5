import fc from 'fast-check';
import { describe as suite, expect, it } from 'vitest';
import { dayNumber, emptySheet, stateByte } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';
import { contrast } from '#contract/rules/colour.ts';
import { type Cursor, cursorAt, moveBy, followCursor } from '#src/features/matrix/grid/cursor.ts';
import { describe } from '#src/features/matrix/grid/describe.ts';
import {
  boxOf,
  columnAt,
  edgeAt,
  geometryOf,
  headLine,
  nameColumn,
  placeAt,
  scrollTo,
  selectColumn,
  totalColumn,
  totalsLine,
} from '#src/features/matrix/grid/geometry.ts';
import { lookOf } from '#src/features/matrix/grid/marks.ts';
import { arrange, indexOf, type MatrixData, plainView } from '#src/features/matrix/grid/matrix-view.ts';
import { readableInk } from '#contract/rules/colour.ts';
import { howSelected, peopleOfGroups, rowsBetween, selectionWith } from '#src/features/matrix/grid/selection.ts';
import { wrapText } from '#src/features/matrix/grid/text.ts';
import { tipAt } from '#src/features/matrix/grid/tip.ts';

const geometry = geometryOf({
  ...{ zoom: 1, columns: ['a', 'b', 'c'], widths: { courses: { b: 100 } } },
  ...{ lines: 1000, touch: false, room: 1200 },
});

suite('the geometry', () => {
  it('finds each place at each point of its box, at any scroll position', () => {
    const places = fc.record({ line: fc.integer({ min: headLine, max: 999 }), column: fc.integer({ min: selectColumn, max: 2 }) });
    fc.assert(
      fc.property(places, fc.nat(30), fc.nat(20_000), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (place, left, top, part) => {
        const scroll = { left, top };
        const box = boxOf(geometry, place, scroll);
        const [x, y] = [box.x + box.width * part, box.y + box.height * part];
        // Frozen lines and columns cover the point.
        if ((place.column >= 0 && x < geometry.left) || (place.line >= 0 && y < geometry.top)) return;
        expect(placeAt(geometry, x, y, scroll)).toEqual(place);
      }),
    );
  });
  it('finds no place beyond the last line and column', () => {
    expect(placeAt(geometry, geometry.width + 1, 10, { left: 0, top: 0 })).toBeNull();
    expect(placeAt(geometry, 10, geometry.height + 1, { left: 0, top: 0 })).toBeNull();
  });
  it('finds edges that can be dragged in the head only', () => {
    const right = geometry.left + (geometry.lefts[2] as number);
    expect(edgeAt(geometry, right + 2, 5, { left: 0, top: 0 })).toBe(1);
    expect(edgeAt(geometry, right - 2, 5, { left: 0, top: 0 })).toBe(1);
    expect(edgeAt(geometry, geometry.selectWidth + geometry.nameWidth, 5, { left: 0, top: 0 })).toBe(nameColumn);
    expect(edgeAt(geometry, right, geometry.head + 1, { left: 0, top: 0 })).toBeNull();
  });
  it('scrolls no further than is needed to show a place', () => {
    const room = { width: 700, height: 400 };
    const at = { line: 500, column: 1 };
    const scroll = scrollTo(geometry, at, { left: 0, top: 0 }, room);
    const box = boxOf(geometry, at, scroll);
    expect(box.y + box.height).toBeCloseTo(room.height);
    expect(scrollTo(geometry, at, scroll, room)).toEqual(scroll);
  });
  it('has cells of at least 44 pixels on a touch screen', () => {
    const touch = geometryOf({ zoom: 0, columns: ['a'], widths: { courses: {} }, lines: 1, touch: true, room: 800 });
    expect([touch.row, touch.lefts[1]]).toEqual([44, 44]);
  });
  it('finds columns by their left edges', () => expect([0, 39, 40, 139, 140, 900].map((x) => columnAt(geometry, x))).toEqual([0, 0, 1, 1, 2, 2]));
  it('has words beside each cell that can be seen: within the grid, and not over the cell', () => {
    const places = fc.record({ line: fc.integer({ min: headLine, max: 999 }), column: fc.integer({ min: nameColumn, max: 2 }) });
    const [room, size] = [
      { width: 800, height: 500 },
      { width: 300, height: 110 },
    ];
    fc.assert(
      fc.property(places, fc.nat(200), fc.nat(27_000), (place, left, top) => {
        const scroll = { left, top };
        const at = tipAt(geometry, place, scroll, room, size);
        const box = boxOf(geometry, place, scroll);
        const middle = placeAt(geometry, box.x + box.width / 2, box.y + box.height / 2, scroll);
        const isSeen = box.x + box.width / 2 <= room.width && box.y + box.height / 2 <= room.height;
        expect(at !== null).toBe(isSeen && middle?.line === place.line && middle.column === place.column);
        if (!at) return;
        expect(at.x >= 0 && at.x + size.width <= room.width && at.y >= 0 && at.y + size.height <= room.height).toBe(true);
        expect(at.y >= box.y + box.height || at.y + size.height <= box.y).toBe(true);
      }),
    );
  });
});

suite('the keyboard', () => {
  const shown = { lines: Int32Array.from([5, ~0, 7, 8]), columns: Uint32Array.from([2, 4, 9]) };
  const press = (key: string, from: { line: number; column: number }, ctrl = false) => moveBy(from, { key, ctrl }, shown, 2);
  it('moves a place at a time, and not beyond the edges', () => {
    expect(press('ArrowUp', { line: 0, column: 0 })).toEqual({ line: totalsLine, column: 0 });
    expect(press('ArrowUp', { line: headLine, column: 0 })).toEqual({ line: headLine, column: 0 });
    expect(press('ArrowLeft', { line: 0, column: 0 })).toEqual({ line: 0, column: totalColumn });
    expect(press('ArrowRight', { line: 0, column: 2 })).toEqual({ line: 0, column: 2 });
    expect(press('PageDown', { line: 0, column: 2 })).toEqual({ line: 2, column: 2 });
    expect(press('Home', { line: 3, column: 2 })).toEqual({ line: 3, column: selectColumn });
    expect(press('End', { line: headLine, column: selectColumn }, true)).toEqual({ line: 3, column: 2 });
    expect(press('x', { line: 0, column: 0 })).toBeNull();
  });
  it('stays within what is shown, whatever is pressed', () => {
    const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown');
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.boolean())), (presses) => {
        let at = { line: 0, column: 0 };
        for (const [key, ctrl] of presses) at = press(key, at, ctrl) ?? at;
        expect(at.line >= headLine && at.line < 4 && at.column >= selectColumn && at.column < 3).toBe(true);
      }),
    );
  });
  it('follows a person and a course when the order changes, and stays near when they are gone', () => {
    const cursor: Cursor = cursorAt({ line: 2, column: 1 }, shown);
    expect(followCursor(cursor, shown)).toBe(cursor);
    expect(followCursor(cursor, { lines: Int32Array.from([7, 5]), columns: Uint32Array.from([4]) })).toMatchObject({ line: 0, column: 0 });
    expect(followCursor(cursor, { lines: Int32Array.from([1]), columns: Uint32Array.from([]) })).toMatchObject({ line: 0, column: -1 });
    expect(followCursor(cursor, { lines: new Int32Array(0), columns: new Uint32Array(0) })).toMatchObject({ line: -1, column: -1 });
  });
});

suite('selecting', () => {
  it('takes everybody of a group who is shown, also while it is closed, and a person of two groups in both', () => {
    const groups = ['Rowan', 'Ash'].map((name) => ({ name, people: 0, required: 0, inDate: 0, closed: true }));
    const inGroups = [[0], [1], [0, 1], [1]];
    const people = peopleOfGroups(
      { rows: Uint32Array.from([0, 2, 3]), groups },
      (row) => inGroups[row] ?? [],
      (row) => `p${row}`,
    );
    expect(people).toEqual([
      ['p0', 'p2'],
      ['p2', 'p3'],
    ]);
  });
  it('takes a range in either direction and passes over headings', () => {
    const lines = Int32Array.from([~0, 4, 2, ~1, 9]);
    expect(rowsBetween(lines, 4, 1)).toEqual([4, 2, 9]);
    expect(rowsBetween(lines, 0, 1)).toEqual([4]);
  });
  it('tells all from some', () => {
    const selected = selectionWith(new Set(['a']), ['b', 'c'], true);
    expect([howSelected(selected, ['a', 'b']), howSelected(selected, ['a', 'z']), howSelected(selected, ['z']), howSelected(selected, [])]).toEqual([
      'all',
      'some',
      'none',
      'none',
    ]);
    expect([...selectionWith(selected, ['a', 'z'], false)]).toEqual(['b', 'c']);
  });
});

suite('the description of a position', () => {
  const sheet = emptySheet(1, 3);
  const put = (
    column: number,
    status: (typeof complianceStatuses)[number],
    more: { type?: 'none' | 'secondary'; exempt?: boolean; expires?: string; completed?: string },
  ) => {
    const done = more.completed !== undefined;
    sheet.states[column] = stateByte({ status, type: more.type ?? 'primary', exempt: more.exempt ?? false, other: false, done });
    sheet.completed[column] = more.completed ? dayNumber(more.completed) : 0;
    sheet.expires[column] = more.expires ? dayNumber(more.expires) : 0;
  };
  put(0, 'in_date', { completed: '2025-03-12', expires: '2027-03-12' });
  put(1, 'missing', { type: 'secondary' });
  put(2, 'in_date', { completed: '2025-03-12', exempt: true });
  const data: MatrixData = {
    ...{ sheet, loaded: new Uint8Array([1]), people: [{ id: 'p', name: 'Amara Okafor', place: 'Rowan House', role: 'Cook' }] },
    courses: ['Fire safety', 'First aid', 'Food'].map((title) => ({ id: title, title, short_title: null })),
  };
  const kinds = { primary: 'Mandatory', secondary: 'Recommended' };
  const heard = (line: number, column: number, view = plainView, group: 'person' | 'place' = 'person') =>
    describe({ data, arrangement: arrange(data, indexOf(data.people, data.courses), { ...view, group }), view, kinds }, { line, column });
  it('is the person, the course, the status and its dates', () => {
    expect(heard(0, 0)).toBe('Amara Okafor, Fire safety, in date, expires 12/03/2027, completed 12/03/2025');
    expect(heard(0, 1)).toBe('Amara Okafor, First aid, missing, recommended');
    expect(heard(0, 2)).toBe('Amara Okafor, Food, exempt, in date, does not expire');
    expect(heard(0, 1, { ...plainView, kind: 'primary' })).toBe('Amara Okafor, First aid, not required');
  });
  it('is the share of a course, a person, a group and everyone', () => {
    expect(heard(totalsLine, 0)).toBe('Fire safety, 100 % in date, 1 of 1');
    expect(heard(0, totalColumn)).toBe('Amara Okafor, 67 % in date, 2 of 3');
    expect(heard(totalsLine, totalColumn)).toBe('All, 67 % in date, 2 of 3');
    expect(heard(0, nameColumn, plainView, 'place')).toBe('Rowan House, 1 person');
    expect(heard(0, 1, plainView, 'place')).toBe('Rowan House, First aid, 0 % in date, 0 of 1');
  });
  it('says that a row has not loaded', () => {
    data.loaded[0] = 0;
    expect(heard(0, 0)).toBe('Amara Okafor, Fire safety, loading');
    data.loaded[0] = 1;
  });
});

suite('the look of a cell', () => {
  it('has another mark for each status, so that none is shown by colour alone', () => {
    const shown = complianceStatuses.map(
      (status) => lookOf(stateByte({ status, type: 'primary', exempt: false, other: false, done: true }), 'all').mark,
    );
    expect(new Set(shown).size).toBe(complianceStatuses.length);
  });
  it('shows an exemption by its own mark for as long as it is valid', () => {
    const mark = (status: 'in_date' | 'expired') =>
      lookOf(stateByte({ status, type: 'primary', exempt: true, other: false, done: true }), 'all').mark;
    expect([mark('in_date'), mark('expired')]).toEqual(['exempt', 'cross']);
  });
  it('fills only cells that match the filter and are required', () => {
    const byte = (type: 'none' | 'primary') => stateByte({ status: 'in_date', type, exempt: false, other: false, done: true });
    expect([lookOf(byte('primary'), 'all').fill, lookOf(byte('none'), 'all').fill, lookOf(byte('primary'), 'all', ['expired']).fill]).toEqual([
      'full',
      'outline',
      'none',
    ]);
  });
  it('has an ink that is readable on any colour', () => {
    fc.assert(
      fc.property(fc.nat(0xff_ffff), (n) => {
        const colour = `#${n.toString(16).padStart(6, '0')}`;
        expect(contrast(colour, readableInk(colour))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
  it('wraps a title into lines that fit, and cuts the rest', () => {
    const pen = { font: 'test', measureText: (text: string) => ({ width: text.length * 10 }) as TextMetrics };
    expect(wrapText(pen, 'Moving and assisting people', 110, 2)).toEqual(['Moving and', 'assisting…']);
    expect(wrapText(pen, 'Fire', 110, 2)).toEqual(['Fire']);
    expect(wrapText(pen, '', 110, 2)).toEqual(['']);
  });
});
