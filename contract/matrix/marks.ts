import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';

/**
 * Marks are hashes: different data has different marks, with a tiny probability of collision, which a digest of everything detects. They
 * are sent as base64, truncated: a person is looked up among all known ones, a row is compared with one.
 */
export const markBytes = { person: 4, row: 3 } as const;
type Kind = keyof typeof markBytes;

/** The mark of a person as sent to the client. */
export const personMark = (person: unknown): number => {
  const text = JSON.stringify(person);
  let mark = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) mark = Math.imul(mark ^ text.charCodeAt(i), 0x01000193);
  mark ^= mark >>> 15;
  return mark >>> 0;
};

/** The part of a mark that is sent. */
const shortMark = (mark: number, kind: Kind): number => (kind === 'row' ? mark & 0xff_ffff : mark);

export const packMarks = (marks: ArrayLike<number>, kind: Kind): string => {
  const size = markBytes[kind];
  const bytes = new Uint8Array(marks.length * size);
  for (let i = 0; i < marks.length; i++) for (let b = 0; b < size; b++) bytes[i * size + b] = (marks[i] as number) >>> (8 * b);
  return toBase64(bytes);
};

/** The inverse. An incomplete mark at the end is ignored. */
export const unpackMarks = (text: string, kind: Kind): Uint32Array => {
  const size = markBytes[kind];
  const bytes = fromBase64(text);
  return Uint32Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => {
    let mark = 0;
    for (let b = size - 1; b >= 0; b--) mark = (mark << 8) | (bytes[i * size + b] as number);
    return mark >>> 0;
  });
};

/** The number of base64 characters for this many marks. */
export const markText = (marks: number, kind: Kind): number => Math.ceil((marks * markBytes[kind]) / 3) * 4;

/** The rows that a client says it knows: truncated marks as text, or whole marks as numbers. */
export type KnownRows = string | readonly number[];
/** Whether a client with these marks has a row with this mark at this position. */
export const knowing = (known: KnownRows | undefined): ((at: number, mark: number) => boolean) => {
  if (typeof known !== 'string') return (at, mark) => known?.[at] === mark;
  const marks = unpackMarks(known, 'row');
  return (at, mark) => marks[at] === shortMark(mark, 'row');
};

/** The positions of people among those that a client knows, by mark. */
export type PlacesKnown = ReadonlyMap<number, number>;
export const placesIn = (known: string): PlacesKnown => new Map([...unpackMarks(known, 'person')].map((mark, place) => [mark, place]));
/** The text by which a list of people is compared as a whole: the JSON of each, one per line. */
export const linesOf = (people: readonly unknown[]): string => people.map((person) => `${JSON.stringify(person)}\n`).join('');
/** People from the first row on without those that the client knows: `same` says which rows those are, and their positions among the known. */
export const withoutKnown = <T>(people: readonly T[], from: number, places: PlacesKnown) => {
  const rows: T[] = [];
  const same: [row: number, place: number, count: number][] = [];
  people.forEach((person, i) => {
    const place = places.get(personMark(person));
    const last = same.at(-1);
    if (place === undefined) rows.push(person);
    else if (last && last[0] + last[2] === from + i && last[1] + last[2] === place) last[2]++;
    else same.push([from + i, place, 1]);
  });
  return { rows, same, text: linesOf(people) };
};
