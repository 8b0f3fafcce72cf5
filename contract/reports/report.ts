import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { Cell } from '#contract/rules/csv.ts';

type Schema = z.ZodMiniType;
export type ReportColumn<Row> = {
  head: string;
  /** `percent`: a whole number of them. */
  type: 'text' | 'number' | 'day' | 'percent';
  /** Width in characters, in spreadsheets and documents. */
  width: number;
  /** On the page it is shown when it has been chosen. */
  optional?: true;
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
  /** True if the endpoint is our addition to the specification. */
  ours?: true;
  access: readonly PermissionSlug[];
  title(brand: Whitelabel): string;
  /** What a kind of file needs beside `access`, where it needs something. */
  files?: Readonly<Partial<Record<ReportFormat, readonly PermissionSlug[]>>>;
  /** File name, before the author's name and the day. */
  fileName: string;
  /** Summary in the API document. */
  summary: string;
  filter: Filter;
  /** The chosen filter as text, shown on every document. */
  describe(filter: z.output<Filter>): string;
  /** A row of the page; it has an `id`. */
  row: Row;
  /** Its columns on the page and in files. A source may add more that depend on what was chosen. */
  columns: readonly ReportColumn<z.output<Row>>[];
};

/** The specification: a report is answered as a file where one is asked for, and otherwise as JSON. */
const Direct = z.object({ directFormat: z.optional(z.enum(reportFormats)) });

export const report = <const Id extends string, const Path extends string, Filter extends Schema, Row extends Schema>(
  definition: Report<Id, Path, Filter, Row>,
): Report<Id, Path, Filter, Row> => definition;

export type FilterOf<R> = R extends { filter: infer F extends Schema } ? z.output<F> : never;
export type RowOf<R> = R extends { row: infer S extends Schema } ? z.output<S> : never;

/** Progress of a file that takes longer: request it again with the same filter every `protocol.pollIntervalMs`. */
export type ReportProgress = { progress: number; rows: number; total: number };

/** Whether somebody who may read a report may have it as this kind of file. */
export const mayTakeAs = (report: Pick<Report, 'files'>, format: ReportFormat, holds: (need: readonly PermissionSlug[]) => boolean): boolean => {
  const need = report.files?.[format];
  return !need || holds(need);
};

const errors = ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'] as const;

/** The two endpoints of a report: a page, and the whole as a file. */
export const reportCalls = <Id extends string, Path extends string, Filter extends Schema, Row extends Schema>(r: Report<Id, Path, Filter, Row>) => {
  const both = { method: 'POST', access: r.access, offline: 'online-only', errors: [...errors, 'report_too_large', 'report_failed'] } as const;
  const file = 'application/octet-stream';
  const needs = reportFormats.flatMap((format) => (r.files?.[format] ? [`${format.toUpperCase()} needs ${r.files[format].join(' or ')}.`] : []));
  return [
    endpoint({
      ...{ ...both, ...(r.ours ? { ours: r.ours } : {}), id: `${r.id}-report` as `${Id}-report`, path: r.path, query: z.object(pageQuery) },
      ...{ body: z.intersection(r.filter, Direct), response: z.array(r.row), orFile: file },
      summary: `${r.summary} A page at a time: the next by sending the same to the link. With \`directFormat\` the whole of it as a file, as below \`/file\`.`,
    }),
    endpoint({
      ...{ ...both, ours: true, id: `${r.id}-report-file` as `${Id}-report-file`, path: `${r.path}/file` as `${Path}/file`, body: r.filter, file },
      query: z.object({ format: z._default(z.enum(reportFormats), 'csv'), search: pageQuery.search }),
      summary: [
        'The same report whole: as CSV, XLSX or PDF.',
        ...needs,
        '202 with its progress while a long one is made: ask again with the same, 5 s later. 204 where there is nothing to export; 300 where it is too large.',
      ].join(' '),
    }),
  ] as const;
};
