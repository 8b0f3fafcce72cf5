import type { reportedTypes } from '#contract/reports/filter.ts';
import { scoreOf, weightsOf } from '#contract/matrix/scores.ts';
import { isOfKind, type MatrixSheet, statusIn } from '#contract/matrix/sheet.ts';
import { type ComplianceStatus, complianceStatuses } from '#contract/rules/compliance-status.ts';

/** The person of a row. `tags` are names. */
export type MatrixPerson = { id: string; name: string; place: string; role: string; tags?: readonly string[] };
export type MatrixCourse = { id: string; title: string; short_title: string | null };
/** The cells with their people and courses. `loaded` has a 1 for each row that has arrived. Sheet and `loaded` are filled in place. */
export type MatrixData = { sheet: MatrixSheet; loaded: Uint8Array; people: readonly MatrixPerson[]; courses: readonly MatrixCourse[] };

export const groupings = ['person', 'place', 'role', 'tag'] as const;
export type Grouping = (typeof groupings)[number];
export type CellKind = (typeof reportedTypes)[number];
export const cellKinds: readonly CellKind[] = ['all', 'primary', 'secondary'];

/** How a matrix is shown. All of it is in the page's address. */
export type MatrixView = {
  group: Grouping;
  /** Which requirements count. */
  kind: CellKind;
  /** Shows only people and courses with a cell of one of these statuses; empty: all. */
  statuses: readonly ComplianceStatus[];
  /** The search texts. */
  people: string;
  courses: string;
  /** `name`, `percentage`, or the id of a course. */
  sort: { by: string; down: boolean };
  /** The names of the closed groups. */
  closed: readonly string[];
  /** An index of `zooms`. */
  zoom: number;
  /** Whether the choices of people and courses and the search are unfolded above the grid. */
  open: boolean;
  /** Whether it takes the whole window, without the app around it. */
  full: boolean;
};
export const plainView: MatrixView = {
  ...{ group: 'person', kind: 'all', statuses: [], people: '', courses: '' },
  ...{ sort: { by: 'name', down: false }, closed: [], zoom: 1, open: false, full: false },
};
export const zoomSteps = 4;

const params = ['group', 'kind', 'status', 'find_people', 'find_courses', 'sort', 'closed', 'zoom', 'open', 'full'] as const;
const oneOf = <T extends string>(choices: readonly T[], value: string | null): T => choices.find((c) => c === value) ?? (choices[0] as T);

/** The view in an address. Missing and invalid parts are those of the plain view. */
export const viewIn = (query: URLSearchParams): MatrixView => {
  const sort = query.get('sort') ?? plainView.sort.by;
  const zoom = query.get('zoom') ?? '';
  const statuses = new Set((query.get('status') ?? '').split(','));
  return {
    group: oneOf(groupings, query.get('group')),
    kind: oneOf(cellKinds, query.get('kind')),
    statuses: complianceStatuses.filter((s) => statuses.has(s)),
    people: query.get('find_people') ?? '',
    courses: query.get('find_courses') ?? '',
    sort: { by: sort.replace(/^-/, '') || plainView.sort.by, down: sort.startsWith('-') },
    closed: query.getAll('closed'),
    zoom: /^\d$/.test(zoom) && Number(zoom) < zoomSteps ? Number(zoom) : plainView.zoom,
    open: query.get('open') === '1',
    full: query.get('full') === '1',
  };
};

/** The query of an address that shows a view. Other parameters of `address` are kept. */
export const queryOf = (view: MatrixView, address = new URLSearchParams()): URLSearchParams => {
  const query = new URLSearchParams(address);
  for (const name of params) query.delete(name);
  const setUnlessPlain = (name: (typeof params)[number], value: string, plain: string) => value !== plain && query.set(name, value);
  setUnlessPlain('group', view.group, plainView.group);
  setUnlessPlain('kind', view.kind, plainView.kind);
  setUnlessPlain('status', complianceStatuses.filter((s) => view.statuses.includes(s)).join(','), '');
  setUnlessPlain('find_people', view.people, '');
  setUnlessPlain('find_courses', view.courses, '');
  setUnlessPlain('sort', `${view.sort.down ? '-' : ''}${view.sort.by}`, plainView.sort.by);
  for (const name of view.closed) query.append('closed', name);
  setUnlessPlain('zoom', String(view.zoom), String(plainView.zoom));
  setUnlessPlain('open', view.open ? '1' : '', '');
  setUnlessPlain('full', view.full ? '1' : '', '');
  return query;
};

/** What somebody has to do something about, the most urgent first: *Only what is due*. */
export const dueStatuses: readonly ComplianceStatus[] = ['expired', 'missing', 'expiring'];
export const isOnlyDue = ({ statuses }: Pick<MatrixView, 'statuses'>): boolean =>
  statuses.length === dueStatuses.length && dueStatuses.every((s) => statuses.includes(s));

/** How many searches and groupings of a view are out of sight while its choices are folded. */
export const foldedIn = ({ group, people, courses }: Pick<MatrixView, 'group' | 'people' | 'courses'>): number =>
  Number(group !== plainView.group) + Number(people !== '') + Number(courses !== '');

/** The view after a press on a heading: ascending, then descending, then by name again. */
export const sortedBy = (view: MatrixView, by: string): MatrixView => {
  if (view.sort.by !== by) return { ...view, sort: { by, down: false } };
  if (!view.sort.down) return { ...view, sort: { by, down: true } };
  return { ...view, sort: plainView.sort };
};

const collator = new Intl.Collator('en-GB', { sensitivity: 'base' });
const plainText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Which groups each row belongs to: row r to `members[starts[r]]` to `members[starts[r + 1] - 1]`. Groups are numbered in order of their names. */
type Membership = { names: readonly string[]; starts: Uint32Array; members: Uint32Array };
/** The numbers of the groups of a row. */
export const groupsOfRow = ({ starts, members }: Membership, row: number): Uint32Array =>
  members.subarray(starts[row] as number, starts[row + 1] as number);
/** What depends on people and courses but not on the view. Computed once. */
export type MatrixIndex = {
  /** The rows in order of the names. */
  ordered: Uint32Array;
  /** The position of each row in `ordered`. */
  rank: Uint32Array;
  peopleText: () => readonly string[];
  courseText: () => readonly string[];
  membership: (group: Exclude<Grouping, 'person'>) => Membership;
};
const nameless = { place: 'No organisation', role: 'No job role', tag: 'No tag' } as const;

const lazy = <T>(make: () => T): (() => T) => {
  let result: { value: T } | null = null;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
};

export const indexOf = (people: readonly MatrixPerson[], courses: readonly MatrixCourse[]): MatrixIndex => {
  const ordered = Uint32Array.from(people, (_, row) => row);
  const nameOf = (row: number) => people[row]?.name ?? '';
  const isOrdered = people.every((person, row) => row === 0 || collator.compare(nameOf(row - 1), person.name) <= 0);
  if (!isOrdered) ordered.set(Array.from(ordered).sort((a, b) => collator.compare(nameOf(a), nameOf(b)) || a - b));
  const rank = new Uint32Array(people.length);
  ordered.forEach((row, place) => {
    rank[row] = place;
  });
  const membershipOf = (group: keyof typeof nameless): Membership => {
    const none = nameless[group];
    const groupsOf = (person: MatrixPerson): readonly string[] => {
      if (group !== 'tag') return [person[group] || none];
      return person.tags?.length ? [...new Set(person.tags)] : [none];
    };
    const occurring = new Set<string>();
    for (const person of people) for (const name of groupsOf(person)) occurring.add(name);
    // People without a group come last.
    const names = [...occurring].sort((a, b) => Number(a === none) - Number(b === none) || collator.compare(a, b));
    const numbers = new Map(names.map((name, i) => [name, i]));
    const starts = new Uint32Array(people.length + 1);
    const members: number[] = [];
    people.forEach((person, row) => {
      for (const name of groupsOf(person)) members.push(numbers.get(name) as number);
      starts[row + 1] = members.length;
    });
    return { names, starts, members: Uint32Array.from(members) };
  };
  const memberships = { place: lazy(() => membershipOf('place')), role: lazy(() => membershipOf('role')), tag: lazy(() => membershipOf('tag')) };
  return {
    ordered,
    rank,
    peopleText: lazy(() => people.map((p) => plainText(`${p.name} ${p.place} ${p.role}`))),
    courseText: lazy(() => courses.map((c) => plainText(`${c.title} ${c.short_title ?? ''}`))),
    membership: (group) => memberships[group](),
  };
};

/** The positions, ascending, of the texts that contain every word of `search`; all of them if it is empty. */
export const findTexts = (texts: () => readonly string[], search: string, count: number): Uint32Array => {
  const words = plainText(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return Uint32Array.from({ length: count }, (_, i) => i);
  const all = texts();
  const positions: number[] = [];
  for (let i = 0; i < count; i++) if (words.every((word) => all[i]?.includes(word))) positions.push(i);
  return Uint32Array.from(positions);
};

/** The share in date in whole per cent, rounded down; null if nothing is required. */
export const percentage = (inDate: number, required: number): number | null => scoreOf({ required, in_date: inDate });

export type MatrixGroup = { name: string; people: number; required: number; inDate: number; closed: boolean };
/**
 * The shown people and courses, and their sums. The sums include everyone who matches the search, whether or not the status filter shows
 * them, but no rows that have not loaded.
 */
export type Arrangement = {
  /** The shown columns of the sheet. */
  columns: Uint32Array;
  /** The shown rows of the sheet, once each. */
  rows: Uint32Array;
  /** An entry per displayed line: the row of a person, or `~` the number of a group for its heading. */
  lines: Int32Array;
  groups: readonly MatrixGroup[];
  /** By row of the sheet. */
  rowRequired: Uint32Array;
  rowInDate: Uint32Array;
  /** By column of the sheet. */
  columnRequired: Uint32Array;
  columnInDate: Uint32Array;
  /** By group, then by column of the sheet; empty without groups. */
  groupRequired: Uint32Array;
  groupInDate: Uint32Array;
  required: number;
  inDate: number;
  /** The number of cells by status. */
  statuses: Readonly<Record<ComplianceStatus, number>>;
  /** The number of people who match the search but have not loaded. */
  waiting: number;
};

/** Two counts in one number: required in its lower half, in date in its upper half, each up to 65,535. */
const half = 16;
const halfMask = 0xffff;
/** After so many rows the sums are taken out of the halves, before one overflows. */
const rowsInHalf = 60_000;

/** What a cell with each byte adds to a sum. */
const countsOf = (kind: CellKind): Uint32Array => Uint32Array.from(weightsOf(kind), (weight) => [0, 1, 1 | (1 << half)][weight] as number);
/** 1 for each byte of a cell that matches the status filter. */
const matchesOf = ({ kind, statuses }: Pick<MatrixView, 'kind' | 'statuses'>): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(isOfKind(byte, kind) && statuses.includes(statusIn(byte))));

/** Adds the cells of a row to the sums of their columns, and returns the sum of the row. */
const addRow = (states: Uint8Array, from: number, columns: Uint32Array, counts: Uint32Array, sums: Uint32Array, histogram: Uint32Array): number => {
  let sum = 0;
  for (let i = 0; i < columns.length; i++) {
    const byte = states[from + (columns[i] as number)] as number;
    const counted = counts[byte] as number;
    sum += counted;
    sums[i] = (sums[i] as number) + counted;
    histogram[byte] = (histogram[byte] as number) + 1;
  }
  return sum;
};
/** Marks the columns in which a row matches the status filter, and returns whether there is one. */
const markMatches = (states: Uint8Array, from: number, columns: Uint32Array, matches: Uint8Array, hasMatch: Uint8Array): boolean => {
  let any = 0;
  for (let i = 0; i < columns.length; i++) {
    const match = matches[states[from + (columns[i] as number)] as number] as number;
    any |= match;
    hasMatch[i] = (hasMatch[i] as number) | match;
  }
  return any === 1;
};

/** The most urgent first. */
const urgency: Record<ComplianceStatus, number> = { expired: 0, missing: 1, expiring: 2, starter: 3, in_date: 4, lapsed: 5, not_required: 6 };
const noExpiry = 65_536;
const lastPlace = 7 * (noExpiry + 1);

/** The sort key of a cell with each byte, by urgency; the day of expiry is added to it. */
const placesOf = (kind: CellKind): Uint32Array =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    const status = statusIn(byte);
    return !isOfKind(byte, kind) || status === 'not_required' ? lastPlace : urgency[status] * (noExpiry + 1);
  });

/** What a view shows of the matrix, sorted and counted in one pass over the cells. */
export const arrange = (data: MatrixData, index: MatrixIndex, view: MatrixView): Arrangement => {
  const { sheet, loaded, courses, people } = data;
  const { states, columns: width } = sheet;
  const foundColumns = findTexts(index.courseText, view.courses, courses.length);
  const isFound = new Uint8Array(people.length);
  for (const row of findTexts(index.peopleText, view.people, people.length)) isFound[row] = 1;
  const counts = countsOf(view.kind);
  const filters = view.statuses.length > 0;
  const matches = matchesOf(view);
  const hasMatch = new Uint8Array(foundColumns.length);
  const grouped = view.group === 'person' ? null : index.membership(view.group);
  const groupCount = grouped?.names.length ?? 0;
  const n = foundColumns.length;

  const rowRequired = new Uint32Array(people.length);
  const rowInDate = new Uint32Array(people.length);
  const columnRequired = new Uint32Array(width);
  const columnInDate = new Uint32Array(width);
  const groupRequired = new Uint32Array(groupCount * width);
  const groupInDate = new Uint32Array(groupCount * width);
  const groupSums = { people: new Uint32Array(groupCount), required: new Uint32Array(groupCount), inDate: new Uint32Array(groupCount) };
  const histogram = new Uint32Array(256);
  /**
   * The sums of the found columns, in halves: of each group, then of everyone. Where each person has one group, only the groups are summed
   * here, and everyone follows from them.
   */
  const sums = Array.from({ length: groupCount + 1 }, () => new Uint32Array(n));
  const all = sums[groupCount] as Uint32Array;
  const unused = new Uint32Array(256);
  const flushSums = () => {
    sums.forEach((halves, group) => {
      for (let i = 0; i < n; i++) {
        const column = foundColumns[i] as number;
        const [required, inDate] = [(halves[i] as number) & halfMask, (halves[i] as number) >>> half];
        if (group < groupCount) {
          const at = group * width + column;
          groupRequired[at] = (groupRequired[at] as number) + required;
          groupInDate[at] = (groupInDate[at] as number) + inDate;
        }
        if (group < groupCount && view.group === 'tag') continue;
        columnRequired[column] = (columnRequired[column] as number) + required;
        columnInDate[column] = (columnInDate[column] as number) + inDate;
      }
      halves.fill(0);
    });
  };
  const rows = new Uint32Array(people.length);
  let count = 0;
  let notLoaded = 0;
  let added = 0;
  for (const row of index.ordered) {
    if (isFound[row] === 0) continue;
    if (loaded[row] === 0) {
      notLoaded++;
      if (!filters) rows[count++] = row;
      continue;
    }
    const from = row * width;
    const [first, last] = grouped ? [grouped.starts[row] as number, grouped.starts[row + 1] as number] : [0, 0];
    const hasOneGroup = grouped !== null && view.group !== 'tag';
    const columnSums = hasOneGroup ? (sums[grouped.members[first] as number] as Uint32Array) : all;
    const sum = addRow(states, from, foundColumns, counts, columnSums, histogram);
    const [required, inDate] = [sum & halfMask, sum >>> half];
    rowRequired[row] = required;
    rowInDate[row] = inDate;
    for (let m = first; m < last; m++) {
      const group = grouped?.members[m] as number;
      groupSums.required[group] = (groupSums.required[group] as number) + required;
      groupSums.inDate[group] = (groupSums.inDate[group] as number) + inDate;
      if (!hasOneGroup) addRow(states, from, foundColumns, counts, sums[group] as Uint32Array, unused);
    }
    if (!filters || markMatches(states, from, foundColumns, matches, hasMatch)) rows[count++] = row;
    if (++added % rowsInHalf === 0) flushSums();
  }
  flushSums();
  const total = (values: Uint32Array) => values.reduce((sum, part) => sum + part, 0);
  const shown = inOrder(rows.subarray(0, count), data, index, view, rowRequired, rowInDate);
  const statuses = Object.fromEntries(complianceStatuses.map((s) => [s, 0])) as Record<ComplianceStatus, number>;
  histogram.forEach((n, byte) => {
    if (n > 0 && isOfKind(byte, view.kind)) statuses[statusIn(byte)] += n;
  });
  const counted = {
    ...{ rowRequired, rowInDate, columnRequired, columnInDate, groupRequired, groupInDate },
    ...{ required: total(rowRequired), inDate: total(rowInDate), statuses, waiting: notLoaded },
  };
  const columns = filters ? foundColumns.filter((_, i) => hasMatch[i] === 1) : foundColumns;
  if (!grouped) return { columns, rows: shown, lines: Int32Array.from(shown), groups: [], ...counted };

  // Within a group people keep the overall order: each group's lines are reserved first, then filled.
  const sizes = groupSums.people;
  for (const row of shown)
    for (let m = grouped.starts[row] as number; m < (grouped.starts[row + 1] as number); m++) {
      const group = grouped.members[m] as number;
      sizes[group] = (sizes[group] as number) + 1;
    }
  const closed = new Set(view.closed);
  const groups = grouped.names.map((name, i) => ({
    ...{ name, people: sizes[i] as number, closed: closed.has(name) },
    ...{ required: groupSums.required[i] as number, inDate: groupSums.inDate[i] as number },
  }));
  let order = groups.map((_, i) => i).filter((i) => (sizes[i] as number) > 0);
  if (view.sort.by === 'percentage') {
    const place = (i: number) => shareOf(groupSums.inDate[i] as number, groupSums.required[i] as number, view.sort.down);
    order = order.sort((a, b) => place(a) - place(b) || a - b);
  }
  const starts = new Int32Array(groupCount).fill(-1);
  let length = 0;
  for (const group of order) {
    length++;
    if (groups[group]?.closed) continue;
    starts[group] = length;
    length += sizes[group] as number;
  }
  const lines = new Int32Array(length);
  let at = 0;
  for (const group of order) {
    lines[at] = ~group;
    at += groups[group]?.closed ? 1 : 1 + (sizes[group] as number);
  }
  for (const row of shown)
    for (let m = grouped.starts[row] as number; m < (grouped.starts[row + 1] as number); m++) {
      const group = grouped.members[m] as number;
      const position = starts[group] as number;
      if (position === -1) continue;
      lines[position] = row;
      starts[group] = position + 1;
    }
  return { columns, rows: shown, lines, groups, ...counted };
};

/** Whether a view shows everyone and every course, sorted by name. */
export const isPlain = (view: MatrixView): boolean =>
  view.group === 'person' && view.statuses.length === 0 && view.people === '' && view.courses === '' && view.sort.by === 'name' && !view.sort.down;

let numbers = new Uint32Array(0);
/** 0, 1, 2 … `count` - 1. Shared, so it must not be modified. */
const upTo = (count: number): Uint32Array<ArrayBuffer> => {
  if (numbers.length < count) {
    numbers = new Uint32Array(Math.max(count, leastNumbers));
    for (let i = 0; i < numbers.length; i++) numbers[i] = i;
  }
  return numbers.subarray(0, count);
};
const leastNumbers = 16_384;

/** Everyone and every course in the given order, without groups or sums, as if no rows had loaded. */
export const uncounted = ({ people, courses, sheet }: MatrixData): Arrangement => {
  const rows = upTo(people.length);
  const none = new Uint32Array(0);
  return {
    ...{ columns: upTo(courses.length), rows, lines: new Int32Array(rows.buffer, 0, rows.length), groups: [] },
    ...{ rowRequired: none, rowInDate: none, columnRequired: none, columnInDate: none, groupRequired: none, groupInDate: none },
    ...{ required: 0, inDate: 0, waiting: Math.min(people.length, sheet.rows) },
    statuses: Object.fromEntries(complianceStatuses.map((s) => [s, 0])) as Record<ComplianceStatus, number>,
  };
};

const wholeShare = 1_000_000;
/** The sort key of a share. Without requirements it is last in both directions. */
const shareOf = (inDate: number, required: number, down: boolean): number => {
  if (required === 0) return wholeShare + 1;
  const share = Math.floor((wholeShare * inDate) / required);
  return down ? wholeShare - share : share;
};

/** Rows in the order of a view. They must be given in order of the names, which decides between equals. */
const inOrder = (
  rows: Uint32Array,
  { sheet, loaded, courses }: MatrixData,
  index: MatrixIndex,
  { sort, kind }: MatrixView,
  required: Uint32Array,
  inDate: Uint32Array,
): Uint32Array => {
  if (sort.by === 'name') return sort.down ? rows.toReversed() : rows.slice();
  const column = courses.findIndex((c) => c.id === sort.by);
  if (sort.by !== 'percentage' && column === -1) return rows.slice();
  const places = placesOf(kind);
  const placeOf = (row: number): number => {
    if (column === -1) return shareOf(inDate[row] as number, required[row] as number, sort.down);
    const at = row * sheet.columns + column;
    const place = places[sheet.states[at] as number] as number;
    if (loaded[row] === 0 || place === lastPlace) return lastPlace;
    const day = place + (sheet.expires[at] || noExpiry);
    return sort.down ? lastPlace - 1 - day : day;
  };
  const people = index.ordered.length;
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    keys[i] = placeOf(row) * people + (index.rank[row] as number);
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => index.ordered[key % people] as number);
};
