import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { sortsOf } from '#contract/api/sorts.ts';
import { Count, Percent } from '#contract/entities/fields.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { FilterNames, ReportField, ReportStatus } from '#contract/reports/filter.ts';
import type { Cell } from '#contract/rules/csv.ts';

type Schema = z.ZodMiniType;
/** How good or bad something is: the colours of the traffic light. */
export type ReportTone = 'ok' | 'warning' | 'danger';
export type ReportColumn<Row> = {
  head: string;
  /** `percent`: a whole number of them. `money`: pence. */
  type: 'text' | 'number' | 'day' | 'percent' | 'money';
  /** Width in characters, in spreadsheets and documents. */
  width: number;
  /** On the page it is shown when it has been chosen. */
  optional?: true;
  /** Under which name the rows are sorted by it, of the columns by which they can be. */
  sort?: string;
  /** Of some words that stand in it, their colour in spreadsheets and on the page. */
  tones?: Readonly<Record<string, ReportTone>>;
  /** A day is YYYY-MM-DD, or an instant, which is shown as a day in the organisation's time zone. */
  value(row: Row): Cell;
};

export const reportFormats = ['csv', 'xlsx', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * A report as data: who may read it, its filter and its columns, on the page and in each file. `reportCalls` makes its endpoints;
 * the server adds the source of its rows (`server/reports/report-source.ts`).
 */
export type Report<Id extends string = string, Path extends string = string, Filter extends Schema = Schema, Row extends Schema = Schema> = {
  id: Id;
  /** Its endpoint, as in the specification; `/file` appended answers the whole report as a file. */
  path: Path;
  /** Its page, where that is not under the same path. */
  page?: string;
  /** True if the endpoint is our addition to the specification. */
  ours?: true;
  access: readonly PermissionSlug[];
  title(brand: Whitelabel): string;
  /** What a kind of file needs beside `access`, where it needs something. */
  files?: Readonly<Partial<Record<ReportFormat, readonly PermissionSlug[]>>>;
  /** What is said when it was requested by e-mail, and where that failed, if the specification has words of its own for it. */
  mailTexts?: { requested: string; failed: string };
  /** File name, before the author's name and the day. */
  fileName: string;
  /** Summary in the API document. */
  summary: string;
  filter: Filter;
  /** What of the filter of all reports it uses, and what its rows can be: what its panel offers. */
  fields?: readonly ReportField[];
  statuses?: readonly ReportStatus[];
  /** The chosen filter as text, shown on every document; with the names of what it chose, where the source knows them. */
  describe(filter: z.output<Filter>, names?: FilterNames | null): string;
  /** A row of the page; it has an `id`. */
  row: Row;
  /** The order of its rows where no other is asked for: the name of a column's, a minus for the other way round. */
  sort?: string;
  /** Its columns on the page and in files. A source may add more that depend on what was chosen. */
  columns: readonly ReportColumn<z.output<Row>>[];
};

/** The specification: a report is answered as a file where one is asked for, or sent by e-mail, and otherwise answered as JSON. */
const Direct = z.object({ directFormat: z.optional(z.enum(reportFormats)), emailFormat: z.optional(z.enum(reportFormats)) });

export const report = <const Id extends string, const Path extends string, Filter extends Schema, Row extends Schema>(
  definition: Report<Id, Path, Filter, Row>,
): Report<Id, Path, Filter, Row> => definition;

/** The names of the fields of a report's filter. */
export const filterFields = (r: Pick<Report, 'filter'>): string[] => Object.keys((r.filter as unknown as { shape: object }).shape);
/** What of these values is the filter of a report; null where the report no longer reads it. */
export const filterAmong = (r: Pick<Report, 'filter'>, values: Readonly<Record<string, unknown>>): Record<string, unknown> | null => {
  const fields = filterFields(r);
  const read = r.filter.safeParse(Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field))));
  return read.success ? (read.data as Record<string, unknown>) : null;
};

export type FilterOf<R> = R extends { filter: infer F extends Schema } ? z.output<F> : never;
export type RowOf<R> = R extends { row: infer S extends Schema } ? z.output<S> : never;

/** Progress of a file that takes longer: request it again with the same filter every `protocol.pollIntervalMs`. */
export type ReportProgress = { progress: number; rows: number; total: number };

/** Whether somebody who may read a report may have it as this kind of file. */
export const mayTakeAs = (report: Pick<Report, 'files'>, format: ReportFormat, holds: (need: readonly PermissionSlug[]) => boolean): boolean => {
  const need = report.files?.[format];
  return !need || holds(need);
};

/** By what the rows of a report can be sorted. */
export const sortsIn = ({ columns }: Pick<Report, 'columns'>): string[] => sortsOf(columns.flatMap((c) => c.sort ?? []));
const sortOf = (r: Pick<Report, 'columns'>) => {
  const known = sortsIn(r);
  return z.optional(
    z.string().check(
      z.refine((s) => known.includes(s), `Sort by one of these: ${known.join(', ')}.`),
      z.describe(known.join(', ')),
    ),
  );
};

const errors = ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'] as const;

/** The two endpoints of a report: a page, and the whole as a file. */
export const reportCalls = <Id extends string, Path extends string, Filter extends Schema, Row extends Schema>(r: Report<Id, Path, Filter, Row>) => {
  const both = { method: 'POST', access: r.access, offline: 'online-only', errors: [...errors, 'report_too_large', 'report_failed'] } as const;
  const file = 'application/octet-stream';
  const sort = sortOf(r as unknown as Report);
  const needs = reportFormats.flatMap((format) => (r.files?.[format] ? [`${format.toUpperCase()} needs ${r.files[format].join(' or ')}.`] : []));
  return [
    endpoint({
      ...{
        ...both,
        ...(r.ours ? { ours: r.ours } : {}),
        id: `${r.id}-report` as `${Id}-report`,
        path: r.path,
        query: z.object({ ...pageQuery, sort }),
      },
      ...{
        body: z.extend(r.filter as unknown as typeof Direct, Direct.shape) as unknown as z.ZodMiniIntersection<Filter, typeof Direct>,
        response: z.array(r.row),
        orFile: file,
      },
      summary: `${r.summary} A page at a time: the next by sending the same to the link. With \`directFormat\` the whole of it as a file, as below \`/file\`; with \`emailFormat\` sent to the caller by e-mail, answered at once without rows and with a \`message\`.`,
    }),
    endpoint({
      ...{ ...both, ours: true, id: `${r.id}-report-file` as `${Id}-report-file`, path: `${r.path}/file` as `${Path}/file`, body: r.filter, file },
      query: z.object({ format: z._default(z.enum(reportFormats), 'csv'), search: pageQuery.search, sort }),
      summary: [
        'The same report whole: as CSV, XLSX or PDF.',
        ...needs,
        '202 with its progress while a long one is made: ask again with the same, 5 s later. 204 where there is nothing to export; 300 where it is too large.',
      ].join(' '),
    }),
  ] as const;
};

/** How many are to do something, how many of them are in date (`expiring` is a part of them), have one that has run out (`overdue`) or have nothing, and how many are new starters who have time. */
export const Figures = {
  ...{ required: Count, in_date: Count, expiring: Count, overdue: Count, missing: Count, starters: Count },
  /** In date of required, in whole per cent; null where nothing is required. */
  score: z.nullable(Percent),
  band: z.nullable(z.enum(['green', 'amber', 'red'])),
};
const FiguresRow = z.object(Figures);
export type FiguresOf = z.infer<typeof FiguresRow>;
export const figureColumns: readonly ReportColumn<FiguresOf>[] = [
  { head: 'Required', type: 'number', width: 10, sort: 'required', value: (r) => r.required },
  { head: 'In date', type: 'number', width: 10, sort: 'in_date', value: (r) => r.in_date },
  { head: 'Expiring', type: 'number', width: 10, sort: 'expiring', value: (r) => r.expiring },
  { head: 'Expired', type: 'number', width: 10, sort: 'overdue', value: (r) => r.overdue },
  { head: 'Missing', type: 'number', width: 10, sort: 'missing', value: (r) => r.missing },
  { head: 'New starters', type: 'number', width: 13, optional: true, value: (r) => r.starters },
];
const bandWords = { green: 'Green', amber: 'Amber', red: 'Red' } as const;
export const bandColumns: readonly ReportColumn<FiguresOf>[] = [
  { head: 'In date, %', type: 'number', width: 11, sort: 'score', value: (r) => r.score },
  { head: 'Score', type: 'text', width: 10, tones: { Green: 'ok', Amber: 'warning', Red: 'danger' }, value: (r) => r.band && bandWords[r.band] },
];
export const statusTones: Readonly<Record<string, ReportTone>> = {
  'In date': 'ok',
  'Awaiting approval': 'warning',
  Expired: 'danger',
  Rejected: 'danger',
};
/** Who may take what the matrix and the compliance report say as a file. */
export const standingFiles: Readonly<Partial<Record<ReportFormat, readonly PermissionSlug[]>>> = {
  ...{ xlsx: ['report.matrix_excel', 'report.compliance_excel'], csv: ['report.matrix_excel', 'report.compliance_excel'] },
  pdf: ['report.matrix_pdf', 'report.compliance_pdf'],
};
