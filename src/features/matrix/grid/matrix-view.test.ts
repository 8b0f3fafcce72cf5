import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellAt, cellTypes, doneBit, emptySheet, stateByte } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';
import {
  arrange,
  cellKinds,
  groupings,
  indexOf,
  type MatrixData,
  dueStatuses,
  isOnlyDue,
  type MatrixView,
  percentage,
  plainView,
  queryOf,
  sortedBy,
  viewIn,
  zoomSteps,
} from '#src/features/matrix/grid/matrix-view.ts';

const cell = fc.record({
  status: fc.constantFrom(...complianceStatuses),
  type: fc.constantFrom(...cellTypes),
  exempt: fc.boolean(),
  other: fc.boolean(),
  done: fc.boolean(),
  expires: fc.nat(20_000),
});
const person = fc.record({
  name: fc.constantFrom('Amara Okafor', 'Zoë Evans', 'zoe evans', 'Liam Murphy', 'Ewa Nowak', 'Åsa Lind'),
  place: fc.constantFrom('Rowan House', 'Elm Court', ''),
  role: fc.constantFrom('Cook', 'Nurse', ''),
  tags: fc.array(fc.constantFrom('Night', 'Bank'), { maxLength: 3 }),
});
const titles = ['Fire safety', 'First aid', 'Café hygiene', 'Moving and assisting'];
const data: fc.Arbitrary<MatrixData> = fc
  .tuple(fc.array(person, { maxLength: 12 }), fc.integer({ min: 0, max: 4 }))
  .chain(([people, columns]) =>
    fc.tuple(
      fc.constant(people.map((p, i) => ({ id: `p${i}`, ...p }))),
      fc.array(cell, { minLength: people.length * columns, maxLength: people.length * columns }),
      fc.uint8Array({ minLength: people.length, maxLength: people.length, min: 0, max: 1 }),
      fc.constant(columns),
    ),
  )
  .map(([people, cells, loaded, columns]) => {
    const sheet = emptySheet(people.length, columns);
    cells.forEach((c, at) => {
      sheet.states[at] = stateByte(c);
      sheet.expires[at] = c.done ? c.expires : 0;
    });
    return { sheet, loaded, people, courses: titles.slice(0, columns).map((title, i) => ({ id: `c${i}`, title, short_title: null })) };
  });
const view: fc.Arbitrary<MatrixView> = fc.record({
  group: fc.constantFrom(...groupings),
  kind: fc.constantFrom(...cellKinds),
  statuses: fc.subarray([...complianceStatuses]),
  people: fc.constantFrom('', 'zoe', 'cook evans', 'nobody'),
  courses: fc.constantFrom('', 'fi', 'cafe'),
  sort: fc.record({ by: fc.constantFrom('name', 'percentage', 'c0', 'c1', 'gone'), down: fc.boolean() }),
  closed: fc.subarray(['Rowan House', 'Cook', 'No tag']),
  zoom: fc.nat(zoomSteps - 1),
  ...{ open: fc.boolean(), full: fc.boolean() },
});

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const hasWords = (text: string, search: string) =>
  search
    .split(' ')
    .filter(Boolean)
    .every((word) => plain(text).includes(word));
/** The cells that match the search of a view, found one by one. */
const soughtCells = ({ sheet, loaded, people, courses }: MatrixData, v: MatrixView) =>
  people.flatMap((p, row) =>
    !loaded[row] || !hasWords(`${p.name} ${p.place} ${p.role}`, v.people)
      ? []
      : courses.flatMap((c, column) => {
          const { status, type } = cellAt(sheet, row, column);
          const ofKind = v.kind === 'all' || type === v.kind;
          const required = type !== 'none' && ofKind && !['starter', 'lapsed', 'not_required'].includes(status);
          const inDate = required && (status === 'in_date' || status === 'expiring');
          return hasWords(c.title, v.courses) ? [{ row, column, status, ofKind, required, inDate }] : [];
        }),
  );
const arranged = (d: MatrixData, v: MatrixView) => arrange(d, indexOf(d.people, d.courses), v);

describe('the sums of a matrix', () => {
  it('are those of its cells, counted one by one, for people, courses, groups and everyone', () => {
    fc.assert(
      fc.property(data, view, (d, v) => {
        const result = arranged(d, v);
        const cells = soughtCells(d, v);
        const sum = (of: typeof cells) => [of.filter((c) => c.required).length, of.filter((c) => c.inDate).length];
        expect([result.required, result.inDate]).toEqual(sum(cells));
        d.people.forEach((_, row) => {
          expect([result.rowRequired[row], result.rowInDate[row]]).toEqual(sum(cells.filter((c) => c.row === row)));
        });
        d.courses.forEach((_, column) => {
          expect([result.columnRequired[column], result.columnInDate[column]]).toEqual(sum(cells.filter((c) => c.column === column)));
        });
        const groupsOf = (row: number): readonly string[] => {
          const p = d.people[row];
          if (!p || v.group === 'person') return [];
          if (v.group === 'tag') return p.tags?.length ? p.tags : ['No tag'];
          return [p[v.group] || { place: 'No organisation', role: 'No job role' }[v.group]];
        };
        result.groups.forEach((group, i) => {
          const own = cells.filter((c) => groupsOf(c.row).includes(group.name));
          expect([group.required, group.inDate]).toEqual(sum(own));
          d.courses.forEach((_, column) => {
            const at = i * d.courses.length + column;
            expect([result.groupRequired[at], result.groupInDate[at]]).toEqual(sum(own.filter((c) => c.column === column)));
          });
        });
        for (const status of complianceStatuses) expect(result.statuses[status]).toBe(cells.filter((c) => c.ofKind && c.status === status).length);
      }),
    );
  });

  it('are rounded down, so that less than everything is never 100 %', () => {
    expect(percentage(199, 200)).toBe(99);
    expect(percentage(0, 0)).toBeNull();
  });
});

describe('what a matrix shows', () => {
  it('are the people and courses that were searched for and have a cell of a chosen status', () => {
    fc.assert(
      fc.property(data, view, (d, v) => {
        const result = arranged(d, v);
        const matches = soughtCells(d, v).filter((c) => c.ofKind && v.statuses.includes(c.status));
        const expected = d.people.flatMap((p, row) => {
          const sought = hasWords(`${p.name} ${p.place} ${p.role}`, v.people);
          return sought && (v.statuses.length === 0 || matches.some((c) => c.row === row)) ? [row] : [];
        });
        expect([...result.rows].sort((a, b) => a - b)).toEqual(expected);
        const columns = d.courses.flatMap((c, column) =>
          hasWords(c.title, v.courses) && (v.statuses.length === 0 || matches.some((m) => m.column === column)) ? [column] : [],
        );
        expect([...result.columns]).toEqual(columns);
      }),
    );
  });

  it('has each person once, in each of their groups, or behind the heading of a closed one', () => {
    fc.assert(
      fc.property(data, view, (d, v) => {
        const result = arranged(d, v);
        if (v.group === 'person') {
          expect([...result.lines]).toEqual([...result.rows]);
          return;
        }
        let group = -1;
        const seen = new Map<number, number[]>();
        for (const line of result.lines) {
          if (line < 0) {
            group = ~line;
            seen.set(group, []);
          } else seen.get(group)?.push(line);
        }
        for (const [i, rows] of seen) {
          const { people, closed } = result.groups[i] as (typeof result.groups)[number];
          expect(closed ? 0 : people).toBe(rows.length);
          // In the overall order.
          expect(rows).toEqual([...result.rows].filter((row) => rows.includes(row)));
        }
      }),
    );
  });

  it('keeps equals in order of the names, in both directions', () => {
    fc.assert(
      fc.property(data, view, (d, v) => {
        if (v.sort.by === 'name') return;
        const byName = [...arranged(d, { ...v, group: 'person', sort: plainView.sort }).rows];
        const rows = [...arranged(d, { ...v, group: 'person' }).rows];
        const column = d.courses.findIndex((c) => c.id === v.sort.by);
        const sortedValue = (row: number) => {
          if (v.sort.by === 'percentage') return String((arranged(d, v).rowInDate[row] ?? 0) / (arranged(d, v).rowRequired[row] ?? 0));
          if (column === -1 || !d.loaded[row]) return '';
          const { status, type, expires } = cellAt(d.sheet, row, column);
          return status === 'not_required' || (v.kind !== 'all' && type !== v.kind) ? '' : `${status} ${expires}`;
        };
        for (let i = 1; i < rows.length; i++) {
          const [before, after] = [rows[i - 1] as number, rows[i] as number];
          if (sortedValue(before) === sortedValue(after)) expect(byName.indexOf(before)).toBeLessThan(byName.indexOf(after));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is sorted by a course with the most urgent first, and what is not required last both ways', () => {
    const people = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ id: name, name, place: '', role: '' }));
    const sheet = emptySheet(5, 1);
    const put = (row: number, status: (typeof complianceStatuses)[number], expires: number) => {
      sheet.states[row] = stateByte({ status, type: 'primary', exempt: false, other: false, done: expires > 0 });
      sheet.expires[row] = expires;
    };
    put(0, 'in_date', 900);
    put(1, 'in_date', 800);
    put(3, 'expired', 100);
    put(4, 'missing', 0);
    const d = { sheet, loaded: new Uint8Array(5).fill(1), people, courses: [{ id: 'c', title: 'Fire', short_title: null }] };
    const names = (down: boolean) => [...arranged(d, { ...plainView, sort: { by: 'c', down } }).rows].map((row) => people[row]?.name).join('');
    expect(names(false)).toBe('DEBAC');
    expect(names(true)).toBe('ABEDC');
    expect((sheet.states[0] as number) & doneBit).toBe(doneBit);
  });

  it('finds names regardless of accents and capitals', () => {
    const people = [{ id: '1', name: 'Zoë Ångström', place: 'Elm Court', role: 'Nurse' }];
    const d = { sheet: emptySheet(1, 0), loaded: new Uint8Array([1]), people, courses: [] };
    expect(arranged(d, { ...plainView, people: 'angstrom ZOE elm' }).rows).toHaveLength(1);
    expect(arranged(d, { ...plainView, people: 'zoe oak' }).rows).toHaveLength(0);
  });
});

describe('the address of a matrix', () => {
  const anyView = fc.record({
    group: fc.constantFrom(...groupings),
    kind: fc.constantFrom(...cellKinds),
    statuses: fc.subarray([...complianceStatuses]),
    people: fc.string(),
    courses: fc.string(),
    sort: fc.record({ by: fc.constantFrom('name', 'percentage', 'b2c1'), down: fc.boolean() }),
    closed: fc.array(fc.string()),
    zoom: fc.nat(zoomSteps - 1),
    ...{ open: fc.boolean(), full: fc.boolean() },
  });
  it('gives back the view it was made from, and keeps other parameters', () => {
    fc.assert(
      fc.property(anyView, (v) => {
        const query = queryOf(v, new URLSearchParams('entity=rowan&sort=old&closed=old'));
        expect(viewIn(new URLSearchParams(String(query)))).toEqual(v);
        expect(query.get('entity')).toBe('rowan');
      }),
    );
  });
  it('has no parameters for the plain view', () => expect(String(queryOf(plainView))).toBe(''));
  it('ignores values that cannot be chosen', () => {
    expect(viewIn(new URLSearchParams('group=x&kind=&status=red,,1&sort=-&zoom=99'))).toEqual({ ...plainView, sort: { by: 'name', down: true } });
  });
});

it('knows the choice of what is due in any order, and no other for it', () => {
  expect(isOnlyDue({ statuses: [...dueStatuses].reverse() })).toBe(true);
  expect(isOnlyDue({ statuses: [] })).toBe(false);
  expect(isOnlyDue({ statuses: [...dueStatuses, 'starter'] })).toBe(false);
  expect(isOnlyDue({ statuses: ['expired', 'missing', 'in_date'] })).toBe(false);
});

it('sorts upwards, downwards, then by name again', () => {
  const once = sortedBy(plainView, 'percentage');
  const twice = sortedBy(once, 'percentage');
  expect([once, twice, sortedBy(twice, 'percentage')].map((v) => v.sort)).toEqual([
    { by: 'percentage', down: false },
    { by: 'percentage', down: true },
    plainView.sort,
  ]);
});
