import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { reportedTypes } from '#contract/reports/filter.ts';
import { cellAt, cellTypes, dayOfNumber, emptySheet, type MatrixSheet, stateByte } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';
import { matrixTable } from '#server/features/matrix/matrix.report.ts';
import type { TableCell } from '#server/reports/report-table.ts';
import { lookOf } from '#src/features/matrix/grid/marks.ts';
import { arrange, indexOf, percentage, plainView } from '#src/features/matrix/grid/matrix-view.ts';

const cell = fc.record({
  status: fc.constantFrom(...complianceStatuses),
  type: fc.constantFrom(...cellTypes),
  ...{ exempt: fc.boolean(), other: fc.boolean(), done: fc.boolean(), expires: fc.nat(20_000) },
});
const sheets = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 6 }))
  .chain(([rows, columns]) =>
    fc.tuple(fc.constant(rows), fc.constant(columns), fc.array(cell, { minLength: rows * columns, maxLength: rows * columns })),
  )
  .map(([rows, columns, cells]): MatrixSheet => {
    const sheet = emptySheet(rows, columns);
    cells.forEach((c, at) => {
      sheet.states[at] = stateByte({ ...c, exempt: c.exempt && c.done });
      sheet.expires[at] = c.done ? c.expires : 0;
    });
    return sheet;
  });
const place = { id: 'place', name: 'Rowan House', zone: 'Europe/London', starter_period: 90, expiry_warning: 30 };
const sliceOf = (sheet: MatrixSheet, from: number, to: number): MatrixSheet => ({
  ...{ rows: to - from, columns: sheet.columns },
  states: sheet.states.slice(from * sheet.columns, to * sheet.columns),
  completed: sheet.completed.slice(from * sheet.columns, to * sheet.columns),
  expires: sheet.expires.slice(from * sheet.columns, to * sheet.columns),
});

describe('a file of the matrix', () => {
  it('says of each cell, person and course what the screen shows', async () => {
    await fc.assert(
      fc.asyncProperty(sheets, fc.constantFrom(...reportedTypes), async (sheet, kind) => {
        const people = Array.from({ length: sheet.rows }, (_, i) => ({ id: `p${i}`, name: `Person ${String(i).padStart(2, '0')}`, role_id: null }));
        const courses = Array.from({ length: sheet.columns }, (_, i) => ({ id: `c${i}`, title: `Course ${i}`, short_title: '' }));
        const { pieces, sums } = matrixTable(
          {
            cells: async (from, to) => sliceOf(sheet, from, to),
            head: {
              people: people.map((p) => ({ ...p, place, held: '', started_on: '2020-01-01', tags: [] })),
              ...{ columns: courses.map((c, no) => ({ ...c, no })), roles: [], askedOf: () => [] },
            },
          },
          kind,
        );
        const rows: (readonly TableCell[])[] = [];
        for await (const piece of pieces(defaultWhitelabel)) rows.push(...piece);
        const data = {
          sheet,
          courses,
          people: people.map((p) => ({ ...p, place: place.name, role: '' })),
          loaded: new Uint8Array(sheet.rows).fill(1),
        };
        const screen = arrange(data, indexOf(data.people, courses), { ...plainView, kind });
        expect(rows.map((r) => r[0])).toEqual(people.map((p) => p.name));
        rows.forEach((cells, row) => {
          expect(cells[3]).toBe(percentage(screen.rowInDate[row] as number, screen.rowRequired[row] as number));
          cells.slice(4).forEach((said, column) => {
            const look = lookOf(sheet.states[row * sheet.columns + column] as number, kind);
            const { done, expires } = cellAt(sheet, row, column);
            const shown = said as { stands: { tone: string | null; word: string; brief: string }; day: string | null } | null;
            expect(shown === null).toBe(look.mark === 'none');
            if (!shown) return;
            expect(shown.stands.tone).toBe(look.fill === 'full' ? look.light : null);
            expect(shown.day).toBe(done ? dayOfNumber(expires) : null);
            expect(shown.stands.brief === 'Exempt').toBe(look.mark === 'exempt');
            expect(shown.stands.word).not.toBe('');
          });
        });
        const { foot, sheets: more } = sums();
        expect(foot.slice(3)).toEqual([
          percentage(screen.inDate, screen.required),
          ...courses.map((_, i) => percentage(screen.columnInDate[i] as number, screen.columnRequired[i] as number)),
        ]);
        expect(more.map((s) => s.rows.map((r) => r.slice(s.name === 'People' ? 3 : 1, s.name === 'People' ? 5 : 3)))).toEqual([
          people.map((_, i) => [screen.rowRequired[i], screen.rowInDate[i]]),
          courses.map((_, i) => [screen.columnRequired[i], screen.columnInDate[i]]),
        ]);
      }),
    );
  });
});
