import { pagesOf } from '#server/db/rows.ts';
import { can } from '#contract/can.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { Report, ReportFormat } from '#contract/reports/report.ts';
import { type reportEndpoints, reports } from '#contract/reports/reports.ts';
import { ProductError } from '#server/product-error.ts';
import type { FileAnswer, HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import { JobEnds } from '#server/jobs/job.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { cellsOf } from '#server/reports/cells.ts';
import { csvOf } from '#server/reports/csv.ts';
import { pdfOf } from '#server/reports/pdf.ts';
import { createReportFiles } from '#server/reports/report-files.ts';
import type { AnySource, ReportSources } from '#server/reports/report-source.ts';
import type { ReportWriter } from '#server/reports/report-table.ts';
import { countRows, pageOfRows, piecesOfRows } from '#server/reports/rows.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';
import type { Services } from '#server/services.ts';

/** `atOnce`: up to so many rows are answered at once, more are made beside the request. `most`: more are too many for this kind of file. */
const formats: Record<ReportFormat, { write: ReportWriter; type: string; atOnce: number; most: number }> = {
  csv: { write: csvOf, type: 'text/csv; charset=utf-8', atOnce: 2_000, most: 1_000_000 },
  xlsx: { write: xlsxOf, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', atOnce: 2_000, most: 1_000_000 },
  pdf: { write: pdfOf, type: 'application/pdf', atOnce: 200, most: 5_000 },
};

type Question = { format: ReportFormat; filter: unknown; search: string };
type Look = (placeId: string) => Promise<{ brand: Whitelabel; logo: Buffer | null }>;
type Asked = { query: { format: ReportFormat; search?: string }; body: unknown; actor: Actor };
type Paged = { query: { page: number; per_page: number; search?: string }; body: unknown; actor: Actor };

const whole = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of pieces) parts.push(part);
  return Buffer.concat(parts);
};

/** The calls of every report of the contract, and the job that makes its long files. */
export const createReports = (services: Services, lookOf: Look, sources: ReportSources) => {
  const { db, now } = services;
  const partsOf = (id: string) => {
    const report: Report | undefined = reports.find((r) => r.id === id);
    if (!report) throw new Error(`there is no report ${id}`);
    return { report, source: sources[report.id as keyof ReportSources] as AnySource };
  };

  /** The table of a report as somebody sees it now. */
  const tableOf = async (id: string, { filter, search }: Omit<Question, 'format'>, actor: Actor, onRows: (rows: number) => Promise<void>) => {
    const { report, source } = partsOf(id);
    const { time_zone: zone, name: madeBy } = actor.user;
    const { brand, logo } = await lookOf(actor.place.id);
    return {
      ...{ columns: report.columns, title: report.title(brand), organisation: actor.place.name, madeBy, at: now(), zone, brand, logo },
      chosen: [report.describe(filter), search && `“${search}”`].filter(Boolean).join('; '),
      pieces: (async function* () {
        let done = 0;
        for await (const rows of piecesOfRows(db, source, actor, source.select(actor, filter, search))) {
          yield rows.map((row) => cellsOf(report.columns, row, zone));
          done += rows.length;
          await onRows(done);
        }
      })(),
    };
  };
  const files = createReportFiles<Question>(services, 'report', 'rows', async function* (actor, id, question, onRows) {
    if (!can(actor.user, partsOf(id).report.access)) throw new JobEnds('stopped', 'The person who asked for it can no longer see it.');
    yield* formats[question.format].write(await tableOf(id, question, actor, onRows));
  });

  const page =
    (report: Report, source: AnySource) =>
    async ({ query, body, actor }: Paged) => {
      const select = source.select(actor, body, query.search);
      const total = await countRows(db, select);
      return { data: await pageOfRows(db, source, actor, select, query), ...pagesOf(`/api${report.path}`, query, total) };
    };

  const file =
    (report: Report, source: AnySource) =>
    async ({ query: { format, search = '' }, body: filter, actor }: Asked): Promise<FileAnswer> => {
      const total = await countRows(db, source.select(actor, filter, search));
      if (total === 0) return { file: Buffer.alloc(0), type: 'text/plain', status: 204 };
      const { write, type, atOnce, most } = formats[format];
      const thousands = (n: number) => n.toLocaleString('en-GB');
      if (total > most)
        throw new ProductError('report_too_large', {
          message: `This report has ${thousands(total)} rows, and a file of this kind holds ${thousands(most)} at most. Choose fewer${format === 'pdf' ? ', or take it as a spreadsheet' : ''}.`,
          extra: { rows: total, most },
        });
      const question = { format, filter, search };
      const name = `${report.fileName} ${actor.user.name} ${downloadDay(now(), actor.user.time_zone)}.${format}`;
      if (total <= atOnce) return { file: await whole(write(await tableOf(report.id, question, actor, async () => undefined))), type, name };
      const title = report.title((await lookOf(actor.place.id)).brand);
      const made = await files.ask({ actor, report: report.id, question, title, name, type, total });
      if (made.kind === 'ready') return { file: made.bytes, type: made.type, name: made.name };
      return { file: Buffer.from(JSON.stringify({ data: made.progress })), type: 'application/json; charset=utf-8', status: 202 };
    };

  const handlers = Object.fromEntries(
    reports.flatMap((report) => {
      const { source } = partsOf(report.id);
      return [
        [`${report.id}-report`, page(report, source)],
        [`${report.id}-report-file`, file(report, source)],
      ];
    }),
  ) as unknown as HandlersOf<typeof reportEndpoints>;
  return { handlers, job: files.job };
};
