import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { MatrixFilter } from '#contract/matrix/filter.ts';
import type { reportedTypes } from '#contract/reports/filter.ts';
import type { MatrixChosen } from '#contract/matrix/messages.ts';
import { emptyScore, scoreOf, scoresOf } from '#contract/matrix/scores.ts';
import { cellAt, dayOfNumber, doneBit, isOfKind, type MatrixSheet, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import { requirementWords, starterWords, statusWords } from '#contract/matrix/words.ts';
import type { MatrixLine, MatrixPart, matrixReport } from '#contract/reports/matrix.ts';
import { type ComplianceStatus, complianceColourOf, complianceStatuses } from '#contract/rules/compliance-status.ts';
import { allocationsOf, resultsNamed } from '#server/features/matrix/part.rows.ts';
import { matrixOf, type OpenMatrix, rowsAtOnce } from '#server/features/matrix/matrix.service.ts';
import { readable } from '#server/reports/cells.ts';
import type { OpenedSource } from '#server/reports/report-source.ts';
import type { StandingCell, TableCell, TableColumn, Tone } from '#server/reports/report-table.ts';

/** Rows are written in chunks of about this many cells. */
const cellsInPiece = 5_000;
const named = 5;
const tone = { green: 'ok', amber: 'warning', red: 'danger', none: null } as const satisfies Record<string, Tone | null>;
const brief: Record<ComplianceStatus, string> = {
  ...{ in_date: 'In date', expiring: 'Soon', expired: 'Expired', starter: 'Starter', missing: 'Missing', lapsed: 'Ended', not_required: '' },
};
/** The counts of each person and of each course, beside those required and in date. */
const counted = ['expiring', 'expired', 'missing', 'starter'] as const satisfies readonly ComplianceStatus[];

/** The filter, by the names that the person may see. */
const chosenWords = (filter: MatrixFilter, chosen: MatrixChosen): string => {
  const lists = { entities: 'Organisations', roles: 'Job roles', tags: 'Tags', users: 'People', courses: 'Courses' } as const;
  const namesOf = (list: keyof typeof lists): string | false => {
    if (filter[list].length === 0) return false;
    const names = chosen[list].map((c) => c.name);
    const more = names.length - named;
    return `${lists[list]}: ${names.slice(0, named).join(', ') || 'none'}${more > 0 ? ` and ${more.toLocaleString('en-GB')} more` : ''}`;
  };
  const narrowed = (Object.keys(lists) as (keyof typeof lists)[]).flatMap((list) => namesOf(list) || []);
  const starters = filter.new_starters_filter === 'include_new_starters' && narrowed.length > 0 ? [] : [starterWords[filter.new_starters_filter]];
  return [requirementWords[filter.compliance_type], ...narrowed, ...starters].join('; ');
};

/** The text of a cell with this byte in a file; null where the screen shows nothing either. */
const standingOf = (byte: number, kind: (typeof reportedTypes)[number], secondary: string): StandingCell | null => {
  const { status, type, exempt, other, done } = cellAt({ rows: 1, columns: 1, states: Uint8Array.of(byte), completed: none, expires: none }, 0, 0);
  if (!isOfKind(byte, kind) || status === 'not_required') return null;
  const isExempt = exempt && done;
  const words = statusWords[status];
  const notes = [type === 'secondary' && kind === 'all' && secondary.toLowerCase(), other && 'by another course', type === 'none' && 'not required'];
  return {
    word: isExempt ? (status === 'in_date' ? 'Exempt' : `Exempt, ${words.toLowerCase()}`) : words,
    brief: isExempt && (status === 'in_date' || status === 'expiring') ? 'Exempt' : brief[status],
    note: notes.filter(Boolean).join(', ') || null,
    tone: type === 'none' ? null : tone[complianceColourOf[status]],
  };
};
const none = new Uint16Array(1);
const noScore = { required: 0, in_date: 0 };

/** The rows of a matrix as table cells, in chunks, counting the totals of the further sheets. */
export const matrixTable = ({ head, cells }: Pick<OpenMatrix, 'head' | 'cells'>, kind: (typeof reportedTypes)[number]) => {
  const { people, columns } = head;
  const roleNames = new Map(head.roles.map((r) => [r.id, readable(r.name)]));
  const days = new Map<number, string | null>();
  const dayOf = (n: number): string | null => {
    const known = days.get(n);
    if (known !== undefined) return known;
    const day = dayOfNumber(n);
    days.set(n, day);
    return day;
  };
  type Tally = { required: number; in_date: number } & Record<(typeof counted)[number], number>;
  const tally = (): Tally => ({ required: 0, in_date: 0, expiring: 0, expired: 0, missing: 0, starter: 0 });
  const byColumn = columns.map(tally);
  const lines: TableCell[][] = [];
  const countCells = ({ required, in_date, ...more }: Tally): TableCell[] => [
    ...[required, in_date, scoreOf({ required, in_date })],
    ...counted.map((status) => more[status]),
  ];
  const isCounted = complianceStatuses.map((status) => (counted as readonly ComplianceStatus[]).includes(status));

  async function* pieces(brand: Whitelabel) {
    const standings = Array.from({ length: 256 }, (_, byte) => standingOf(byte, kind, readable(brand.secondaryComplianceAltName)));
    const atOnce = Math.max(1, Math.floor(cellsInPiece / Math.max(1, columns.length)));
    const lineOf = (sheet: MatrixSheet, row: number, person: (typeof people)[number], score: { required: number; in_date: number }): TableCell[] => {
      const personTotals = { ...tally(), ...score };
      const cells = columns.map((_, column): TableCell => {
        const at = row * columns.length + column;
        const byte = sheet.states[at] as number;
        const stands = standings[byte] as StandingCell | null;
        if (!stands) return null;
        const status = statusIn(byte);
        if (isCounted[complianceStatuses.indexOf(status)] && typeIn(byte) !== 'none') {
          personTotals[status as (typeof counted)[number]]++;
          (byColumn[column] as Tally)[status as (typeof counted)[number]]++;
        }
        return { stands, day: (byte & doneBit) === 0 ? null : dayOf(sheet.expires[at] as number) };
      });
      const who = [readable(person.name), roleNames.get(person.role_id ?? '') ?? null, readable(person.place.name)];
      lines.push([...who, ...countCells(personTotals)]);
      return [...who, scoreOf(score), ...cells];
    };
    for (let from = 0; from < people.length; from += rowsAtOnce) {
      const some = people.slice(from, from + rowsAtOnce);
      const sheet = await cells(from, from + some.length);
      const scores = scoresOf(sheet, kind);
      scores.columns.forEach(({ required, in_date }, column) => {
        const columnTotals = byColumn[column] as Tally;
        columnTotals.required += required;
        columnTotals.in_date += in_date;
      });
      for (let row = 0; row < some.length; row += atOnce)
        yield some.slice(row, row + atOnce).map((person, i) => lineOf(sheet, row + i, person, scores.rows[row + i] ?? emptyScore));
    }
  }
  const countColumns: TableColumn[] = [
    ...[{ head: 'Required', type: 'number', width: 10 } as const, { head: 'In date', type: 'number', width: 10 } as const],
    { head: 'In date %', type: 'percent', width: 10 },
    ...counted.map((status): TableColumn => ({ head: statusWords[status], type: 'number', width: 12 })),
  ];
  const text = (head: string, width: number): TableColumn => ({ head, type: 'text', width });
  const sums = () => {
    const all = byColumn.reduce((sum, { required, in_date }) => ({ required: sum.required + required, in_date: sum.in_date + in_date }), {
      ...noScore,
    });
    return {
      foot: ['All', null, null, scoreOf(all), ...byColumn.map(scoreOf)],
      sheets: [
        { name: 'People', columns: [text('Name', 28), text('Job role', 22), text('Organisation', 26), ...countColumns], rows: lines },
        {
          ...{ name: 'Courses', columns: [text('Course', 44), ...countColumns] },
          rows: columns.map(({ title }, i) => [readable(title), ...countCells(byColumn[i] as Tally)]),
        },
      ],
    };
  };
  return { pieces, sums };
};

/** The training matrix as a report: its pages and its files. */
export const matrixSource: OpenedSource<typeof matrixReport> = {
  open: async (services, actor, filter, search) => {
    const matrix = await matrixOf(services).openWith(actor, filter, search);
    const { head, chosen } = matrix;
    const roleNames = new Map(head.roles.map((r) => [r.id, r.name]));
    const kind = filter.compliance_type;
    type Paging = { page: number; per_page: number };
    const readPart = async ({ page, per_page }: Paging) => {
      const from = (page - 1) * per_page;
      const people = head.people.slice(from, from + per_page);
      return { from, people, sheet: await matrix.cells(from, from + people.length), cells: await matrix.jsonCells(from, from + people.length) };
    };
    // The rows of a page and its totals are read once.
    let last: { key: string; part: ReturnType<typeof readPart> } | null = null;
    const partAt = (paging: Paging) => {
      const key = `${paging.page} ${paging.per_page}`;
      if (last?.key !== key) last = { key, part: readPart(paging) };
      return last.part;
    };
    return {
      ...{ total: head.people.length, cells: head.people.length * head.columns.length, sheet: 'Matrix', chosen: chosenWords(filter, chosen) },
      meta: { courses: head.columns.map(({ no: _, ...course }) => course) },
      columns: head.columns.map(({ title }) => ({ head: title, type: 'standing', width: 22 })),
      ...matrixTable(matrix, kind),
      page: async (paging) => {
        const { people, sheet, cells } = await partAt(paging);
        const scores = scoresOf(sheet, kind).rows;
        return people.map((person, row): MatrixLine => {
          const score = scores[row] ?? emptyScore;
          const width = head.columns.length;
          return {
            ...{ id: person.id, name: person.name, role_name: roleNames.get(person.role_id ?? '') ?? null, primary_entity_name: person.place.name },
            ...{ required: score.required, in_date: score.in_date, score: scoreOf(score) },
            cells: cells.slice(row * width, (row + 1) * width).map((cell, column) => {
              const { status, exempt } = cellAt(sheet, row, column);
              return { ...cell, status, exempt };
            }),
          };
        });
      },
      pageMeta: async (paging): Promise<MatrixPart> => {
        const { from, people, sheet, cells } = await partAt(paging);
        const primary = scoresOf(sheet, 'primary').rows;
        const ids = people.map((p) => p.id);
        return {
          users: await matrix.users(from, from + people.length),
          results: await resultsNamed(
            services.db,
            cells.flatMap((c) => c.latest_result_id ?? []),
          ),
          primary_scores: people.map(({ id }, row) => {
            const { required, in_date } = primary[row] ?? emptyScore;
            return { user_id: id, required, in_date, score: scoreOf({ required, in_date }) };
          }),
          breakdown: head.columns.map(({ id }, column) => {
            const counts = Object.fromEntries(complianceStatuses.map((status) => [status, 0])) as Record<ComplianceStatus, number>;
            for (let row = 0; row < people.length; row++) counts[cellAt(sheet, row, column).status]++;
            return { course_id: id, ...counts };
          }),
          pathway_allocations: await allocationsOf(services.db, ids),
        };
      },
    };
  },
};
