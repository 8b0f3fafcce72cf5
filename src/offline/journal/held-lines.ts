import type { JournalLine } from '#src/offline/journal/journal-format.ts';
import { type RowWrite, rowPlace } from '#src/offline/store/sealed-rows.ts';

/**
 * What a page has written, or found when it opened the store, and the server has not acknowledged: in memory, in stored form. Browsers
 * empty all of a site's storage at once when a disk is full, also under an open page: database, second journal and keys. Then the
 * page is the only place that still has it.
 */
type Row = { write: RowWrite; ids: Set<string>; bytes: number };
/** `rows`: the newest write of each row, in the order of these writes, with the entries that need it. */
type Held = { ids: Set<string>; rows: Map<string, Row>; bytes: number };
const held = new Map<string, Held>();

/** More than this of one person is not held: only that it existed is known. */
const mostBytes = 64_000_000;
const heldOf = (personId: string): Held => {
  const known = held.get(personId) ?? { ids: new Set(), rows: new Map(), bytes: 0 };
  held.set(personId, known);
  return known;
};
const drop = (all: Held, place: string) => {
  all.bytes -= all.rows.get(place)?.bytes ?? 0;
  all.rows.delete(place);
};

/** Follows what is written to the second journal. */
export const holdLine = (personId: string, line: JournalLine): void => {
  const all = heldOf(personId);
  if (line.kind === 'gone') {
    const gone = line.ids.filter((id) => all.ids.delete(id));
    if (gone.length > 0)
      for (const [place, { ids }] of all.rows) {
        for (const id of gone) ids.delete(id);
        if (ids.size === 0) drop(all, place);
      }
    return;
  }
  for (const id of line.ids) all.ids.add(id);
  for (const write of line.rows) {
    const place = rowPlace(write);
    const ids = new Set([...(all.rows.get(place)?.ids ?? []), ...line.ids]);
    const bytes = write.row.sealed?.byteLength ?? 0;
    drop(all, place);
    if (all.bytes + bytes > mostBytes) continue;
    all.rows.set(place, { write, ids, bytes });
    all.bytes += bytes;
  }
};

/** Everything that is held of a person, as lines of a journal: one for each entry. */
export const heldLines = (personId: string): Extract<JournalLine, { kind: 'rows' }>[] => {
  const { ids, rows } = heldOf(personId);
  const all = [...rows.values()];
  return [...ids].flatMap((id) => {
    const own = all.filter((row) => row.ids.has(id)).map(({ write }) => write);
    return own.length > 0 ? [{ kind: 'rows' as const, ids: [id], rows: own }] : [];
  });
};

/** The ids of what was written and has not been acknowledged, held or not. */
export const heldIds = (personId: string): string[] => [...heldOf(personId).ids];

export const forgetHeld = (personId: string): void => {
  held.delete(personId);
};
