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
  /** `percent`: a whole number. `money`: pence. */
  type: 'text' | 'number' | 'day' | 'percent' | 'money';
  /** Width in characters, in spreadsheets and documents. */
  width: number;
  /** On the page it is hidden until it is chosen. */
  optional?: true;
  /** The sort name, if the rows can be sorted by this column. */
  sort?: string;
  /** The tone of some of its words, in spreadsheets and on the page. */
  tones?: Readonly<Record<string, ReportTone>>;
  /** A day is YYYY-MM-DD, or an instant that is displayed as a day in the organisation's time zone. */
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
  /** Its endpoint, as in the specification; with `/file` appended it returns the whole report as a file. */
  path: Path;
  /** The path of its page, if different. */
  page?: string;
  /** True if the endpoint is our addition to the specification. */
  ours?: true;
  access: readonly PermissionSlug[];
  title(brand: Whitelabel): string;
  /** The permission that a file format needs beside `access`, if any. */
  files?: Readonly<Partial<Record<ReportFormat, readonly PermissionSlug[]>>>;
  /** The messages after requesting it by e-mail, and after a failure, if the specification has its own. */
  mailTexts?: { requested: string; failed: string };
  /** File name, before the name of the person who requested it and the day. */
  fileName: string;
  /** Summary in the API document. */
  summary: string;
  filter: Filter;
  /** The fields of the common filter that it uses, and the states of its rows: the options of its panel. */
  fields?: readonly ReportField[];
  statuses?: readonly ReportStatus[];
  /** The filter as text, shown on every document; with the names of the chosen values, if known. */
  describe(filter: z.output<Filter>, names?: FilterNames | null): string;
  /** The schema of a row of the page; it has an `id`. */
  row: Row;
  /** The default sort order: the name of a column, with a minus for descending. */
  sort?: string;
  /** Its columns on the page and in files. A source may add more that depend on the filter. */
  columns: readonly ReportColumn<z.output<Row>>[];
};

/** The specification: a report is returned as a file if one is requested, or sent by e-mail, and otherwise returned as JSON. */
const Direct = z.object({ directFormat: z.optional(z.enum(reportFormats)), emailFormat: z.optional(z.enum(reportFormats)) });

export const report = <const Id extends string, const Path extends string, Filter extends Schema, Row extends Schema>(
  definition: Report<Id, Path, Filter, Row>,
): Report<Id, Path, Filter, Row> => definition;

/** The names of a report's filter fields. */
export const filterFields = (r: Pick<Report, 'filter'>): string[] => Object.keys((r.filter as unknown as { shape: object }).shape);
/** The filter of a report from stored values; null if the report can no longer read it. */
export const filterAmong = (r: Pick<Report, 'filter'>, values: Readonly<Record<string, unknown>>): Record<string, unknown> | null => {
  const fields = filterFields(r);
  const read = r.filter.safeParse(Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field))));
  return read.success ? (read.data as Record<string, unknown>) : null;
};

export type FilterOf<R> = R extends { filter: infer F extends Schema } ? z.output<F> : never;
export type RowOf<R> = R extends { row: infer S extends Schema } ? z.output<S> : never;

/** Progress of a file that takes longer: request it again with the same filter every `protocol.pollIntervalMs`. */
export type ReportProgress = { progress: number; rows: number; total: number };

/** Whether somebody who may read a report may download it in this format. */
export const mayTakeAs = (report: Pick<Report, 'files'>, format: ReportFormat, holds: (need: readonly PermissionSlug[]) => boolean): boolean => {
  const need = report.files?.[format];
  return !need || holds(need);
};

/** The sort orders of a report. */
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
  const both = {
    method: 'POST',
    access: r.access,
    offline: 'online-only',
    costly: true,
    errors: [...errors, 'report_too_large', 'report_failed'],
  } as const;
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

/** Counts: people for whom it is required; in date (including `expiring`); expired (`overdue`); without a result; and new starters with time left. */
export const Figures = {
  ...{ required: Count, in_date: Count, expiring: Count, overdue: Count, missing: Count, starters: Count },
  /** In date of required, in whole per cent; null if nothing is required. */
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
/** Permissions to download the matrix and the compliance report. */
export const standingFiles: Readonly<Partial<Record<ReportFormat, readonly PermissionSlug[]>>> = {
  ...{ xlsx: ['report.matrix_excel', 'report.compliance_excel'], csv: ['report.matrix_excel', 'report.compliance_excel'] },
  pdf: ['report.matrix_pdf', 'report.compliance_pdf'],
};
