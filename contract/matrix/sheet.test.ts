import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellAt,
  cellTypes,
  dayNumber,
  dayOfNumber,
  emptySheet,
  type MatrixCell,
  type MatrixSheet,
  packRows,
  rowMark,
  stateByte,
  unpackRows,
} from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';

const cell: fc.Arbitrary<MatrixCell> = fc
  .record({
    status: fc.constantFrom(...complianceStatuses),
    type: fc.constantFrom(...cellTypes),
    exempt: fc.boolean(),
    other: fc.boolean(),
    done: fc.boolean(),
    completed: fc.integer({ min: 1, max: 65_535 }),
    expires: fc.integer({ min: 0, max: 65_535 }),
  })
  .map((said) => (said.done ? said : { ...said, completed: 0, expires: 0 }));
const filled = (rows: MatrixCell[][]): MatrixSheet => {
  const sheet = emptySheet(rows.length, rows[0]?.length ?? 0);
  rows.flat().forEach((said, at) => {
    sheet.states[at] = stateByte(said);
    sheet.completed[at] = said.completed;
    sheet.expires[at] = said.expires;
  });
  return sheet;
};
const sheets = fc
  .record({ rows: fc.integer({ min: 1, max: 12 }), columns: fc.integer({ min: 1, max: 9 }) })
  .chain(({ rows, columns }) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }));

describe('the cells of a matrix', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(sheets, (rows) => {
        const sheet = filled(rows);
        expect(rows.map((row, i) => row.map((_, j) => cellAt(sheet, i, j)))).toEqual(rows);
      }),
    );
  });
  it('arrive as they were sent, all at once or any of their rows, over what was there before', () => {
    fc.assert(
      fc.property(sheets, fc.array(fc.nat(), { minLength: 1 }), fc.boolean(), (rows, chosen, all) => {
        const sheet = filled(rows);
        const numbers = all ? rows.map((_, i) => i) : [...new Set(chosen.map((n) => n % rows.length))];
        const there = filled(rows.map((row) => row.map((said) => ({ ...said, done: true, completed: 7, expires: 7 }))));
        expect(unpackRows(packRows(sheet, numbers), there)).toEqual(numbers);
        for (const row of numbers) expect(rows[row]?.map((_, j) => cellAt(there, row, j))).toEqual(rows[row]);
      }),
    );
  });
  it('have another mark where a row differs', () => {
    fc.assert(
      fc.property(sheets, sheets, (a, b) => {
        const [one, other] = [filled(a), filled(b)];
        if (one.columns !== other.columns) return;
        const same = JSON.stringify(a[0]) === JSON.stringify(b[0]);
        expect(rowMark(one, 0) === rowMark(other, 0)).toBe(same);
      }),
    );
  });
  it('are not read from bytes that are of something else', () => {
    const sheet = emptySheet(3, 4);
    const bytes = packRows(sheet, [0, 2]);
    for (let length = 0; length < bytes.length; length++) expect(() => unpackRows(bytes.subarray(0, length), emptySheet(3, 4))).toThrow(RangeError);
    expect(() => unpackRows(bytes, emptySheet(3, 5))).toThrow(RangeError);
    expect(() => unpackRows(bytes, emptySheet(2, 4))).toThrow(RangeError);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const broken = Uint8Array.from(bytes);
        broken[at] = value;
        try {
          unpackRows(broken, emptySheet(3, 4));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe('days of a cell', () => {
  it('are days again, from 2000 to 2179', () => {
    expect(dayOfNumber(1)).toBe('2000-01-01');
    expect(dayOfNumber(dayNumber('2026-11-26'))).toBe('2026-11-26');
    expect(dayOfNumber(0)).toBeNull();
    expect(dayNumber('1980-05-01')).toBe(1);
    expect(dayNumber('2300-05-01')).toBe(65_535);
  });
});
