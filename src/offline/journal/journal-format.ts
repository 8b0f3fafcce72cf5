import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import type { RowWrite, SealedRow } from '#src/offline/store/sealed-rows.ts';

/**
 * The second journal's file: one line per commit, `checksum json`. Truncated and invalid lines are skipped. `again` marks
 * acknowledged entries that are waiting once more because the server has forgotten them; an earlier `gone` does not apply to
 * them.
 */
export type JournalLine =
  /** `place` is not written: it is the position in the outbox that the file had reached at this line. */
  { kind: 'rows'; ids: string[]; rows: RowWrite[]; again?: true; place?: number } | { kind: 'gone'; ids: string[] };

const table = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
/** CRC-32, as in gzip. */
const checksum = (text: string): string => {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) crc = ((table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)) >>> 0;
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
};

export const writeLine = (line: JournalLine): string => {
  const json = JSON.stringify(line, (_, value) => (value instanceof Uint8Array ? { base64: toBase64(value) } : value));
  return `${checksum(json)} ${json}\n`;
};

const revive = (_: string, value: unknown) =>
  value && typeof value === 'object' && Object.keys(value).length === 1 && typeof (value as { base64?: unknown }).base64 === 'string'
    ? fromBase64((value as { base64: string }).base64)
    : value;

/** The highest outbox position in a line. */
const placeIn = (rows: readonly RowWrite[]) => Math.max(0, ...rows.map((r) => (r.table === 'outbox' ? Number((r.row as SealedRow).n ?? 0) : 0)));

/** The lines of a file, each with its place; places never decrease within a file. */
export const readLines = (text: string): JournalLine[] => {
  let place = 0;
  return parseLines(text).map((line) => {
    if (line.kind !== 'rows') return line;
    place = Math.max(place, placeIn(line.rows));
    return { ...line, place };
  });
};
const parseLines = (text: string): JournalLine[] =>
  text.split('\n').flatMap((line) => {
    const json = line.slice(9);
    if (line[8] !== ' ' || checksum(json) !== line.slice(0, 8)) return [];
    try {
      return [JSON.parse(json, revive) as JournalLine];
    } catch {
      return [];
    }
  });

/** The rows of entries that are not all gone, the newest row of each entry last. */
export const stillOpen = (lines: readonly JournalLine[]): { ids: Set<string>; rows: RowWrite[] } => {
  const gone = new Set(lines.flatMap((l) => (l.kind === 'gone' ? l.ids : [])));
  const open = lines.filter((l) => l.kind === 'rows' && (l.again || l.ids.some((id) => !gone.has(id)))) as Extract<JournalLine, { kind: 'rows' }>[];
  const ids = new Set(open.flatMap((l) => (l.again ? l.ids : l.ids.filter((id) => !gone.has(id)))));
  const place = (l: { rows: RowWrite[]; place?: number }) => l.place ?? placeIn(l.rows);
  const rows = [...open]
    .map((line, order) => ({ line, order }))
    .sort((a, b) => place(a.line) - place(b.line) || a.order - b.order)
    .flatMap(({ line }) => line.rows);
  // The last row of an entry determines its content and place.
  const last = new Map(rows.filter((r) => r.table === 'outbox').map((r) => [String(r.row.id), r]));
  return { ids, rows: rows.filter((r) => r.table !== 'outbox' || (ids.has(String(r.row.id)) && last.get(String(r.row.id)) === r)) };
};
