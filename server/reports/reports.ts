import { pagesOf } from '#server/db/rows.ts';
import { can } from '#contract/can.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { mayTakeAs, type Report, type ReportFormat, sortsIn } from '#contract/reports/report.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { type reportEndpoints, reports, type reportTypes } from '#contract/reports/reports.ts';
import { texts } from '#contract/texts.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { FileAnswer, HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import { JobEnds } from '#server/jobs/job.ts';
import { downloadDay } from '#server/pdf/pages.ts';
import { cellsOf, coloured, readable } from '#server/reports/cells.ts';
import { csvOf } from '#server/reports/csv.ts';
import { createDeliveries, type FileFor, noteDelivery } from '#server/reports/deliveries.ts';
import { pdfOf } from '#server/reports/pdf.ts';
import { createReportFiles } from '#server/reports/report-files.ts';
import type { AnyOpened, AnySource, OpenReport, ReportSources } from '#server/reports/report-source.ts';
import type { ReportTable, ReportWriter } from '#server/reports/report-table.ts';
import { rowsOf } from '#server/reports/rows.ts';
import { schedulesJob } from '#server/reports/schedules.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';
import type { Services } from '#server/services.ts';

/** Up to `atOnce` rows are answered during the request, more by a job; above `most` this kind of file is refused. */
type Limits = { atOnce: number; most: number };
/** The limits of tables in rows, and of very wide tables in cells. */
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

type Question = { format: ReportFormat; filter: unknown; search: string; sort?: string | undefined };
type Look = (placeId: string) => Promise<{ brand: Whitelabel; logo: Buffer | null }>;
type Asked = { query: { format: ReportFormat; search?: string | undefined; sort?: string | undefined }; body: unknown; actor: Actor };
type Paged = {
  query: { page: number; per_page: number; search?: string; sort?: string };
  body: { directFormat?: ReportFormat; emailFormat?: ReportFormat; type?: string };
  actor: Actor;
};

const whole = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of pieces) parts.push(part);
  return Buffer.concat(parts);
};

/** The calls of every report of the contract, and the jobs that make its long files and send it by e-mail. */
export const createReports = (services: Services, lookOf: Look, sources: ReportSources) => {
  const { db, now } = services;
  const partsOf = (id: string) => {
    const report: Report | undefined = reports.find((r) => r.id === id);
    if (!report) throw new Error(`there is no report ${id}`);
    return { report, source: sources[report.id as keyof ReportSources] as AnySource | AnyOpened };
  };
  /** A report as its reader sees it now. */
  const openReport = async (
    id: string,
    { filter, search, sort }: Omit<Question, 'format'>,
    actor: Actor,
    patient = false,
  ): Promise<OpenReport<{ id: string }>> => {
    const { report, source } = partsOf(id);
    if ('open' in source) return source.open(services, actor, filter, search || undefined, patient);
    const names = (await source.names?.(db, actor, filter)) ?? null;
    const { brand } = await lookOf(actor.place.id);
    const rows = rowsOf(report, source, { db, actor, filter, search: search || undefined, at: now(), brand }, sort);
    const total = await rows.count();
    return {
      ...{ total, cells: total * report.columns.length, columns: [], meta: {}, chosen: report.describe(filter, names) },
      page: rows.page,
      pieces: async function* () {
        for await (const some of rows.pieces()) yield some.map((row) => coloured(report.columns, cellsOf(report.columns, row, actor.user.time_zone)));
      },
    };
  };
  const limitsOf = (id: string, format: ReportFormat): Limits => formats[format]['open' in partsOf(id).source ? 'cells' : 'rows'];

  /** The table of a report as its reader sees it now. */
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

  /** Throws if the actor may not have a report as this kind of file. */
  const requireFile = (report: Report, format: ReportFormat, actor: Actor): void => {
    if (!can(actor.user, report.access) || !mayTakeAs(report, format, holderOf(actor)))
      throw new ProductError('forbidden', { message: 'You may not take this report as a file of this kind.' });
  };
  /** The size of a report, in the unit of its files' limits. Throws if it is too large for this kind of file. */
  const sizeOf = (report: Report, format: ReportFormat, opened: OpenReport<{ id: string }>): number => {
    const limits = limitsOf(report.id, format);
    const [size, unit] = limits === formats[format].rows ? [opened.total, 'rows'] : [opened.cells, 'cells'];
    const thousands = (n: number) => n.toLocaleString('en-GB');
    if (size > limits.most)
      throw new ProductError('report_too_large', {
        message: `This report has ${thousands(size)} ${unit}, and a file of this kind holds ${thousands(limits.most)} at most. Choose fewer${format === 'pdf' ? ', or take it as a spreadsheet' : ''}.`,
        extra: { [unit]: size, most: limits.most },
      });
    return size;
  };
  const nameOf = (report: Report, format: ReportFormat, actor: Actor): string =>
    `${report.fileName} ${actor.user.name} ${downloadDay(now(), actor.user.time_zone)}.${format}`;

  const fileFor: FileFor = async (actor, id, question, onRows) => {
    const { report } = partsOf(id);
    const { format, search } = question;
    requireFile(report, format, actor);
    const opened = await openReport(id, question, actor, true);
    if (opened.cells === 0) return null;
    sizeOf(report, format, opened);
    const { write, type } = formats[format];
    return { name: nameOf(report, format, actor), type, total: opened.total, bytes: write(await tableOf({ report, opened, search, actor }, onRows)) };
  };
  const deliveries = createDeliveries(services, fileFor);
  /** Has a report sent to the caller, and returns the message about it. */
  const sendByMail = async (report: Report, question: Question, actor: Actor): Promise<string> => {
    requireFile(report, question.format, actor);
    const title = report.title((await lookOf(actor.place.id)).brand);
    const entry = { schedule: null, owner: actor.user.uuid, entity: actor.place.id, title, report: report.id, question, asLink: false, linkDays: 7 };
    await db.tx((tx) => noteDelivery(tx, services.jobs, { ...entry, dueAt: now() }));
    services.jobs.wake();
    return report.mailTexts?.requested ?? texts.reportRequested;
  };

  const file =
    (report: Report) =>
    async ({ query: { format, search = '', sort }, body: filter, actor }: Asked): Promise<FileAnswer> => {
      requireFile(report, format, actor);
      const question = { format, filter, search, sort };
      const opened = await openReport(report.id, question, actor);
      const { total } = opened;
      if (opened.cells === 0) return { file: Buffer.alloc(0), type: 'text/plain', status: 204 };
      const { write, type } = formats[format];
      const size = sizeOf(report, format, opened);
      const name = nameOf(report, format, actor);
      if (size <= limitsOf(report.id, format).atOnce)
        return { file: await whole(write(await tableOf({ report, opened, search, actor }, async () => undefined))), type, name };
      const title = report.title((await lookOf(actor.place.id)).brand);
      const made = await files.ask({ actor, report: report.id, question, title, name, type, total });
      if (made.kind === 'ready') return { file: made.bytes, type: made.type, name: made.name };
      return { file: Buffer.from(JSON.stringify({ data: made.progress })), type: 'application/json; charset=utf-8', status: 202 };
    };
  const page =
    (report: Report) =>
    async ({ query, body: { directFormat, emailFormat, ...filter }, actor }: Paged) => {
      const { search = '', sort } = query;
      if (emailFormat) return { data: [], message: await sendByMail(report, { format: emailFormat, filter, search, sort }, actor) };
      // The specification's call of some reports returns a workbook if its type is accepted.
      const format = directFormat ?? (filter.type === 'xlsx' ? filter.type : undefined);
      if (format) return file(report)({ query: { format, search, sort }, body: filter, actor });
      const opened = await openReport(report.id, { filter, search, sort }, actor);
      const { meta, links } = pagesOf(`/api${report.path}`, query, opened.total);
      const data = await opened.page(query);
      return { data, meta: { ...meta, ...opened.meta, ...(await opened.pageMeta?.(query)) }, links };
    };
  /** The report with this name, as its own call returns it. */
  const anyPage = async ({ body, ...asked }: Paged & { body: { report_type: (typeof reportTypes)[number] } }) => {
    const { report_type, ...filter } = body;
    const { report } = partsOf(report_type === 'matrix' ? 'staff' : report_type);
    if (!can(asked.actor.user, report.access)) throw new ProductError('forbidden');
    if (asked.query.sort && !sortsIn(report).includes(asked.query.sort))
      throw invalid('sort', `Sort by one of these: ${sortsIn(report).join(', ')}.`);
    return page({ ...report, path: '/report' })({ ...asked, body: filter });
  };

  const handlers = {
    'any-report': anyPage,
    ...Object.fromEntries(
      reports.flatMap((report: Report) => [
        [`${report.id}-report`, page(report)],
        [`${report.id}-report-file`, file(report)],
      ]),
    ),
  } as unknown as HandlersOf<typeof reportEndpoints>;
  return { handlers, jobs: { report: files.job, delivery: deliveries.job, schedules: schedulesJob(services) } };
};
