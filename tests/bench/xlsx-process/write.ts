import { createWriteStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import type { ReportTable, TableColumn } from '#server/reports/report-table.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';

/** Writes the same table as a workbook, by us or by exceljs, in a process of its own, so that its memory is its own; says what it took. */
const [by, file = '', count = '0', peers = ''] = process.argv.slice(2);
const rows = Number(count);
const columns: TableColumn[] = [
  ...['Name', 'Organisation', 'Job role', 'Course', 'Type', 'Note'].map((head) => ({ head, type: 'text' as const, width: 24 })),
  ...['Completed', 'Expires', 'Recorded'].map((head) => ({ head, type: 'day' as const, width: 14 })),
  ...['Score', 'Minutes', 'Attempts'].map((head) => ({ head, type: 'number' as const, width: 10 })),
];
const places = ['Rowan House', 'Elm Court', 'Willow Bank', 'Home care, north'];
const courses = ['Fire safety', 'Moving & assisting people', 'Safeguarding adults', 'Basic life support', 'Food hygiene'];
const day = (n: number) => new Date(Date.UTC(2024, 0, 1) + (n % 700) * 86_400_000).toISOString().slice(0, 10);
const row = (n: number): (string | number)[] => [
  ...[`Person Number ${n}`, places[n % 4] as string, 'Care assistant', courses[n % 5] as string, 'e-learning', `Recorded by manager ${n % 37}`],
  ...[day(n), day(n + 365), day(n + 1), n % 101, n % 240, n % 7],
];
async function* pieces() {
  for (let from = 0; from < rows; from += 200) yield Array.from({ length: Math.min(200, rows - from) }, (_, i) => row(from + i));
}

const ours = async () => {
  const out = createWriteStream(file);
  const table: ReportTable = {
    ...{ columns, pieces: pieces(), total: rows, title: 'Results', chosen: 'All', organisation: 'Willowbrook', madeBy: 'Helen Marsh' },
    ...{ at: new Date(), zone: 'Europe/London', brand: defaultWhitelabel, logo: null },
  };
  for await (const part of xlsxOf(table)) if (!out.write(part)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
};

type Streaming = {
  stream: {
    xlsx: {
      WorkbookWriter: new (
        options: object,
      ) => {
        addWorksheet: (
          name: string,
          options: object,
        ) => { columns: object; autoFilter: object; addRow: (cells: unknown[]) => { commit: () => void }; commit: () => void };
        commit: () => Promise<void>;
      };
    };
  };
};
const theirs = async ({ stream }: Streaming) => {
  const book = new stream.xlsx.WorkbookWriter({ filename: file, useStyles: true, useSharedStrings: false });
  const sheet = book.addWorksheet('Report', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ head, type, width }) => ({ header: head, width, ...(type === 'day' ? { style: { numFmt: 'dd/mm/yyyy' } } : {}) }));
  sheet.autoFilter = { from: 'A1', to: 'L1' };
  for await (const piece of pieces())
    for (const cells of piece) sheet.addRow(cells.map((cell, i) => (columns[i]?.type === 'day' ? new Date(`${cell}T00:00:00Z`) : cell))).commit();
  sheet.commit();
  await book.commit();
};

// Loaded before anything is measured, as ours is.
const peer = by === 'ours' ? null : (createRequire(`${peers}/`)('exceljs') as Streaming);
const base = process.memoryUsage.rss();
const began = performance.now();
const worked = process.cpuUsage();
await (peer ? theirs(peer) : ours());
const cpu = process.cpuUsage(worked);
const said = {
  ...{ ms: performance.now() - began, cpu: (cpu.user + cpu.system) / 1000 },
  ...{ memory: process.resourceUsage().maxRSS * 1024, base, bytes: readFileSync(file).length },
};
process.stdout.write(JSON.stringify(said));
