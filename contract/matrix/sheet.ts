import type { reportedTypes } from '#contract/reports/filter.ts';
import { complianceStatuses, statusNumber, type ComplianceStatus } from '#contract/rules/compliance-status.ts';

/** How strongly a course is required, in a cell; the numbers are the specification's. */
export const cellTypes = ['none', 'primary', 'secondary'] as const;
export type CellType = (typeof cellTypes)[number];

/** A person and a course in the matrix. Days count from 1 January 2000 in the person's time zone; 0: none. */
export type MatrixCell = {
  status: ComplianceStatus;
  type: CellType;
  /** Whether the counting result is an exemption. */
  exempt: boolean;
  /** Whether the counting result is of an alternative course. */
  other: boolean;
  /** Whether any result counts. */
  done: boolean;
  completed: number;
  expires: number;
};

/**
 * The cells of a matrix: rows are people, columns are courses, in row-major order. `states` has one byte per cell: the status in the three lowest
 * bits, then two for the type, then exempt, alternative course, and whether there is a result.
 */
export type MatrixSheet = { rows: number; columns: number; states: Uint8Array; completed: Uint16Array; expires: Uint16Array };

const typeNumber = { none: 0, primary: 1, secondary: 2 } as const satisfies Record<CellType, number>;
const exemptBit = 32;
const otherBit = 64;
export const doneBit = 128;
/** The byte of a cell without requirement or result. */
const emptyCell = statusNumber.not_required;

/** The byte of a cell from the number of its status and the index of its type in `cellTypes`. */
export const byteOf = (status: number, type: number, exempt: boolean, other: boolean, done: boolean): number =>
  status | (type << 3) | (exempt ? exemptBit : 0) | (other ? otherBit : 0) | (done ? doneBit : 0);
export const stateByte = ({ status, type, exempt, other, done }: Omit<MatrixCell, 'completed' | 'expires'>): number =>
  byteOf(statusNumber[status], typeNumber[type], exempt, other, done);
export const statusIn = (byte: number): ComplianceStatus => complianceStatuses[byte & 7] ?? 'not_required';
export const typeIn = (byte: number): CellType => cellTypes[(byte >> 3) & 3] ?? 'none';

/** Whether a cell with this byte is shown for a kind of requirement: cells that are not required only for `all`. */
export const isOfKind = (byte: number, kind: (typeof reportedTypes)[number]): boolean => kind === 'all' || typeIn(byte) === kind;

export const exemptIn = (byte: number): boolean => (byte & exemptBit) !== 0;

export const emptySheet = (rows: number, columns: number): MatrixSheet => ({
  ...{ rows, columns, states: new Uint8Array(rows * columns).fill(emptyCell) },
  ...{ completed: new Uint16Array(rows * columns), expires: new Uint16Array(rows * columns) },
});

export const cellAt = (sheet: MatrixSheet, row: number, column: number): MatrixCell => {
  const at = row * sheet.columns + column;
  const byte = sheet.states[at] ?? emptyCell;
  const fromByte = { status: statusIn(byte), type: typeIn(byte), exempt: exemptIn(byte), other: (byte & otherBit) !== 0 };
  return { ...fromByte, done: (byte & doneBit) !== 0, completed: sheet.completed[at] ?? 0, expires: sheet.expires[at] ?? 0 };
};

const dayMs = 86_400_000;
const firstDay = Date.UTC(2000, 0, 1) - dayMs;
/** A day (YYYY-MM-DD) as a number, clamped to 2000–2179. */
export const dayNumber = (day: string): number => dayNumberOf(Date.parse(`${day}T00:00:00Z`) / dayMs);
/** The same for a day counted from 1970. */
export const dayNumberOf = (days: number): number => Math.max(1, Math.min(65_535, Math.round(days - firstDay / dayMs)));
/** The inverse; null for 0. */
export const dayOfNumber = (day: number): string | null => (day === 0 ? null : new Date(firstDay + day * dayMs).toISOString().slice(0, 10));

const headBytes = 16;
const magic = 0x584d; // "MX"

/**
 * Some rows as bytes, little-endian: a header (mark, columns, number of rows, first row, number of cells with a result), the row numbers
 * unless they are consecutive, one byte per cell, then completion and expiry of the cells with a result, two bytes each. `before`: rows of the
 * matrix before this sheet.
 */
export const packRows = (sheet: MatrixSheet, rows: readonly number[], before = 0): Uint8Array => {
  const { columns } = sheet;
  const first = rows[0] ?? 0;
  const follow = rows.every((row, i) => row === first + i);
  let done = 0;
  for (const row of rows) for (let at = row * columns; at < (row + 1) * columns; at++) if (((sheet.states[at] as number) & doneBit) !== 0) done++;
  const listed = follow ? 0 : rows.length * 4;
  const cells = rows.length * columns;
  const days = headBytes + listed + cells + (cells & 1);
  const bytes = new Uint8Array(days + done * 4);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, magic, true);
  view.setUint16(2, columns, true);
  view.setUint32(4, rows.length, true);
  view.setUint32(8, follow ? first + before : 0xffff_ffff, true);
  view.setUint32(12, done, true);
  if (!follow)
    rows.forEach((row, i) => {
      view.setUint32(headBytes + i * 4, row + before, true);
    });
  const completed = new Uint16Array(done);
  const expires = new Uint16Array(done);
  let bytesTotal = headBytes + listed;
  let next = 0;
  for (const row of rows) {
    const from = row * columns;
    bytes.set(sheet.states.subarray(from, from + columns), bytesTotal);
    bytesTotal += columns;
    for (let at = from; at < from + columns; at++) {
      if (((sheet.states[at] as number) & doneBit) === 0) continue;
      completed[next] = sheet.completed[at] as number;
      expires[next++] = sheet.expires[at] as number;
    }
  }
  writeDays(view, days, completed);
  writeDays(view, days + done * 2, expires);
  return bytes;
};

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
const writeDays = (view: DataView, at: number, days: Uint16Array): void => {
  if (littleEndian)
    new Uint8Array(view.buffer, view.byteOffset + at, days.byteLength).set(new Uint8Array(days.buffer, days.byteOffset, days.byteLength));
  else for (let i = 0; i < days.length; i++) view.setUint16(at + i * 2, days[i] as number, true);
};

const readDays = (view: DataView, at: number, count: number): Uint16Array => {
  // Copied, because they may not be aligned to two bytes.
  if (littleEndian) return new Uint16Array(view.buffer.slice(view.byteOffset + at, view.byteOffset + at + count * 2));
  return Uint16Array.from({ length: count }, (_, i) => view.getUint16(at + i * 2, true));
};

/** Writes packed rows into a sheet and returns their numbers. Throws a RangeError if the bytes do not fit the sheet. */
export const unpackRows = (bytes: Uint8Array, sheet: MatrixSheet): number[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bad = () => new RangeError('These are not rows of this matrix.');
  if (bytes.length < headBytes || view.getUint16(0, true) !== magic || view.getUint16(2, true) !== sheet.columns) throw bad();
  const count = view.getUint32(4, true);
  const first = view.getUint32(8, true);
  const done = view.getUint32(12, true);
  const listed = first === 0xffff_ffff ? count * 4 : 0;
  const cells = count * sheet.columns;
  const days = headBytes + listed + cells + (cells & 1);
  if (count > sheet.rows || bytes.length !== days + done * 4) throw bad();
  const rows = Array.from({ length: count }, (_, i) => (listed ? view.getUint32(headBytes + i * 4, true) : first + i));
  if (rows.some((row) => row >= sheet.rows)) throw bad();
  const { states, completed, expires, columns } = sheet;
  const [completions, expiries] = [readDays(view, days, done), readDays(view, days + done * 2, done)];
  let from = headBytes + listed;
  let next = 0;
  for (const row of rows) {
    const to = row * columns;
    states.set(bytes.subarray(from, from + columns), to);
    from += columns;
    for (let at = to; at < to + columns; at++) {
      if (((states[at] as number) & doneBit) === 0) {
        completed[at] = 0;
        expires[at] = 0;
        continue;
      }
      if (next === done) throw bad();
      completed[at] = completions[next] as number;
      expires[at] = expiries[next++] as number;
    }
  }
  return rows;
};

/** A hash of a row; two different rows collide once in four thousand million. */
export const rowMark = ({ columns, states, completed, expires }: MatrixSheet, row: number): number => {
  let mark = 0x811c9dc5;
  for (let at = row * columns; at < (row + 1) * columns; at++) {
    mark = Math.imul(mark ^ (states[at] as number), 0x01000193);
    if (((states[at] as number) & doneBit) !== 0) mark = Math.imul(mark ^ ((completed[at] as number) | ((expires[at] as number) << 16)), 0x01000193);
    mark ^= mark >>> 15;
  }
  return mark >>> 0;
};

/** Rows from one to another (exclusive) as bytes that do not depend on where the cells are stored: equal rows have equal digests. */
export const rowBytes = ({ columns, states, completed, expires }: MatrixSheet, from: number, to: number): Uint8Array<ArrayBuffer> => {
  const cells = (to - from) * columns;
  const bytes = new Uint8Array(cells * 5);
  bytes.set(states.subarray(from * columns, to * columns));
  const view = new DataView(bytes.buffer);
  [completed, expires].forEach((days, i) => {
    writeDays(view, cells * (1 + 2 * i), days.subarray(from * columns, to * columns));
  });
  return bytes;
};
