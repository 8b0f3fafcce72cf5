import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { Cell } from '#contract/rules/csv.ts';

type Schema = z.ZodMiniType;
export type ReportColumn<Row> = {
  head: string;
  type: 'text' | 'number' | 'day';
  /** How wide it is, in characters: for spreadsheets and documents. */
  width: number;
  /** A day is YYYY-MM-DD, or an instant, which is shown as the day that it was in the organisation. */
  value(row: Row): Cell;
};

/** Files that a report can be taken as. */
export const reportFormats = ['csv', 'xlsx', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * A report as data: who may read it, what it is narrowed by, and what stands in its columns on the page and in each file. Its
 * calls are made from it (`reportCalls`); the server adds where its rows come from (`server/reports/report-source.ts`).
 */
export type Report<Id extends string = string, Path extends string = string, Filter extends Schema = Schema, Row extends Schema = Schema> = {
  id: Id;
  /** Its call, as in the specification; `/file` behind it answers the whole as a file. */
  path: Path;
  /** True where the call is our addition to the specification. */
  ours?: true;
  access: readonly PermissionSlug[];
  title(brand: Whitelabel): string;
  /** What its files are called, before the name of who made it and the day. */
  fileName: string;
  /** What the API document says of it. */
  summary: string;
  filter: Filter;
  /** What was chosen by the filter, in words: it stands on every document. */
  describe(filter: z.output<Filter>): string;
  /** A row, as the page is answered. It has an `id`. */
  row: Row;
  columns: readonly ReportColumn<z.output<Row>>[];
};

export const report = <const Id extends string, const Path extends string, Filter extends Schema, Row extends Schema>(
  definition: Report<Id, Path, Filter, Row>,
): Report<Id, Path, Filter, Row> => definition;

export type FilterOf<R> = R extends { filter: infer F extends Schema } ? z.output<F> : never;
export type RowOf<R> = R extends { row: infer S extends Schema } ? z.output<S> : never;

/** How far a file is that takes longer: asked for again with the same filter, every `protocol.pollIntervalMs`. */
export type ReportProgress = { progress: number; rows: number; total: number };

const errors = ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'] as const;

/** The two calls of a report: a page of it, and the whole as a file. */
export const reportCalls = <Id extends string, Path extends string, Filter extends Schema, Row extends Schema>(r: Report<Id, Path, Filter, Row>) => {
  const both = { method: 'POST', ...(r.ours ? { ours: r.ours } : {}), access: r.access, offline: 'online-only', body: r.filter } as const;
  return [
    endpoint({
      ...{ ...both, id: `${r.id}-report` as `${Id}-report`, path: r.path, query: z.object(pageQuery), response: z.array(r.row), errors },
      summary: `${r.summary} A page at a time: the next by sending the same to the link.`,
    }),
    endpoint({
      ...{ ...both, id: `${r.id}-report-file` as `${Id}-report-file`, path: `${r.path}/file` as `${Path}/file`, file: 'application/octet-stream' },
      query: z.object({ format: z._default(z.enum(reportFormats), 'csv'), search: pageQuery.search }),
      errors: [...errors, 'report_too_large', 'report_failed'],
      summary:
        'The same report whole: as CSV, XLSX or PDF. 202 with its progress while a long one is made: ask again with the same, 5 s later. 204 where there is nothing to export; 300 where it is too large.',
    }),
  ] as const;
};
