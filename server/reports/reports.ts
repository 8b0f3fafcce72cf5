import { pagesOf } from '#server/db/rows.ts';
import { can } from '#contract/can.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { mayTakeAs, type Report, type ReportFormat } from '#contract/reports/report.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { type reportEndpoints, reports } from '#contract/reports/reports.ts';
import { ProductError } from '#server/product-error.ts';
import type { FileAnswer, HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import { JobEnds } from '#server/jobs/job.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { cellsOf, readable } from '#server/reports/cells.ts';
import { csvOf } from '#server/reports/csv.ts';
import { pdfOf } from '#server/reports/pdf.ts';
import { createReportFiles } from '#server/reports/report-files.ts';
import type { AnyOpened, AnySource, OpenReport, ReportSources } from '#server/reports/report-source.ts';
import type { ReportTable, ReportWriter } from '#server/reports/report-table.ts';
import { countRows, pageOfRows, piecesOfRows } from '#server/reports/rows.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';
import type { Services } from '#server/services.ts';

/** Up to so many are answered at once, more are made beside the request (`atOnce`); more than `most` are too many for this kind of file. */
type Limits = { atOnce: number; most: number };
/** The limits of tables in rows, and of those with a column for each of very many things in cells. */
const formats: Record<ReportFormat, { write: ReportWriter; type: string; rows: Limits; cells: Limits }> = {
  csv: {
    ...{ write: csvOf, type: 'text/csv; charset=utf-8' },
    ...{ rows: { atOnce: 2_000, most: 1_000_000 }, cells: { atOnce: 20_000, most: 10_000_000 } },
  },
  xlsx: {
    ...{ write: xlsxOf, type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    ...{ rows: { atOnce: 2_000, most: 1_000_000 }, cells: { atOnce: 20_000, most: 10_000_000 } },
  },
  pdf: {
    ...{ write: pdfOf, type: 'application/pdf' },
    ...{ rows: { atOnce: 200, most: 5_000 }, cells: { atOnce: 10_000, most: 1_000_000 } },
  },
};

type Question = { format: ReportFormat; filter: unknown; search: string };
type Look = (placeId: string) => Promise<{ brand: Whitelabel; logo: Buffer | null }>;
type Asked = { query: { format: ReportFormat; search?: string }; body: unknown; actor: Actor };
type Paged = { query: { page: number; per_page: number; search?: string }; body: { directFormat?: ReportFormat }; actor: Actor };

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
    return { report, source: sources[report.id as keyof ReportSources] as AnySource | AnyOpened };
  };
  /** A report as somebody sees it now. */
  const openReport = async (id: string, { filter, search }: Omit<Question, 'format'>, actor: Actor): Promise<OpenReport<{ id: string }>> => {
    const { report, source } = partsOf(id);
    if ('open' in source) return source.open(services, actor, filter, search || undefined);
    const select = source.select(actor, filter, search || undefined);
    const total = await countRows(db, select);
    return {
      ...{ total, cells: total * report.columns.length, columns: [], meta: {}, chosen: report.describe(filter) },
      page: (asked) => pageOfRows(db, source, actor, select, asked),
      pieces: async function* () {
        for await (const rows of piecesOfRows(db, source, actor, select)) yield rows.map((row) => cellsOf(report.columns, row, actor.user.time_zone));
      },
    };
  };
  const limitsOf = (id: string, format: ReportFormat): Limits => formats[format]['open' in partsOf(id).source ? 'cells' : 'rows'];

  /** The table of a report as somebody sees it now. */
  const tableOf = async (
    { report, opened, search, actor }: { report: Report; opened: OpenReport<{ id: string }>; search: string; actor: Actor },
    onRows: (rows: number) => Promise<void>,
  ): Promise<ReportTable> => {
    const { time_zone: zone, name: madeBy } = actor.user;
    const { brand, logo } = await lookOf(actor.place.id);
    const columns = [...report.columns, ...opened.columns].map(({ head, type, width }) => ({ head: readable(head), type, width }));
    return {
      ...{ columns, total: opened.total, title: report.title(brand), organisation: actor.place.name, madeBy, at: now(), zone, brand, logo },
      ...(opened.sheet ? { sheet: opened.sheet } : {}),
      ...(opened.sums ? { sums: opened.sums } : {}),
      chosen: [opened.chosen, search && `“${search}”`].filter(Boolean).join('; '),
      pieces: (async function* () {
        let done = 0;
        for await (const rows of opened.pieces(brand)) {
          yield rows;
          done += rows.length;
          await onRows(done);
        }
      })(),
    };
  };
  const holderOf = (actor: Actor) => (need: readonly PermissionSlug[]) => can(actor.user, need);
  const files = createReportFiles<Question>(services, 'report', 'rows', async function* (actor, id, question, onRows) {
    const { report } = partsOf(id);
    if (!can(actor.user, report.access) || !mayTakeAs(report, question.format, holderOf(actor)))
      throw new JobEnds('stopped', 'The person who asked for it can no longer see it.');
    const opened = await openReport(id, question, actor);
    yield* formats[question.format].write(await tableOf({ report, opened, search: question.search, actor }, onRows));
  });

  const file =
    (report: Report) =>
    async ({ query: { format, search = '' }, body: filter, actor }: Asked): Promise<FileAnswer> => {
      if (!mayTakeAs(report, format, holderOf(actor))) throw new ProductError('forbidden');
      const question = { format, filter, search };
      const opened = await openReport(report.id, question, actor);
      const { total } = opened;
      if (opened.cells === 0) return { file: Buffer.alloc(0), type: 'text/plain', status: 204 };
      const { write, type } = formats[format];
      const { atOnce, most } = limitsOf(report.id, format);
      const [size, unit] = limitsOf(report.id, format) === formats[format].rows ? [total, 'rows'] : [opened.cells, 'cells'];
      const thousands = (n: number) => n.toLocaleString('en-GB');
      if (size > most)
        throw new ProductError('report_too_large', {
          message: `This report has ${thousands(size)} ${unit}, and a file of this kind holds ${thousands(most)} at most. Choose fewer${format === 'pdf' ? ', or take it as a spreadsheet' : ''}.`,
          extra: { [unit]: size, most },
        });
      const name = `${report.fileName} ${actor.user.name} ${downloadDay(now(), actor.user.time_zone)}.${format}`;
      if (size <= atOnce) return { file: await whole(write(await tableOf({ report, opened, search, actor }, async () => undefined))), type, name };
      const title = report.title((await lookOf(actor.place.id)).brand);
      const made = await files.ask({ actor, report: report.id, question, title, name, type, total });
      if (made.kind === 'ready') return { file: made.bytes, type: made.type, name: made.name };
      return { file: Buffer.from(JSON.stringify({ data: made.progress })), type: 'application/json; charset=utf-8', status: 202 };
    };
  const page =
    (report: Report) =>
    async ({ query, body: { directFormat, ...filter }, actor }: Paged) => {
      const { search = '' } = query;
      if (directFormat) return file(report)({ query: { format: directFormat, search }, body: filter, actor });
      const opened = await openReport(report.id, { filter, search }, actor);
      const { meta, links } = pagesOf(`/api${report.path}`, query, opened.total);
      return { data: await opened.page(query), meta: { ...meta, ...opened.meta }, links };
    };

  const handlers = Object.fromEntries(
    reports.flatMap((report) => [
      [`${report.id}-report`, page(report)],
      [`${report.id}-report-file`, file(report)],
    ]),
  ) as unknown as HandlersOf<typeof reportEndpoints>;
  return { handlers, job: files.job };
};
