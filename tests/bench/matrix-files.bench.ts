import PDFDocument from 'pdfkit';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { emptySheet, stateByte } from '#contract/matrix/sheet.ts';
import { complianceStatuses } from '#contract/rules/compliance-status.ts';
import { dayWords } from '#contract/rules/days.ts';
import { matrixTable } from '#server/features/matrix/matrix.report.ts';
import { typeface } from '#server/pdf/typeface.ts';
import { pdfOf } from '#server/reports/pdf.ts';
import type { ReportTable, TableCell } from '#server/reports/report-table.ts';
import { xlsxOf } from '#server/reports/xlsx.ts';
import { median, report } from '#tests/bench/report.ts';

const [people, courses] = [1_000, 50];
const rounds = Number(process.env.ROUNDS ?? 5);

const place = { id: 'place', name: 'Rowan House', zone: 'Europe/London', starter_period: 90, expiry_warning: 30 };
const matrix = (rows: number) => {
  const cells = async (from: number, to: number) => {
    const sheet = emptySheet(to - from, courses);
    for (let at = 0; at < sheet.states.length; at++) {
      const no = at + from * courses;
      const done = no % 3 > 0;
      const status = complianceStatuses[done ? (no * 7) % 3 : 4] ?? 'missing';
      sheet.states[at] = stateByte({ status, type: 'primary', exempt: false, other: false, done });
      if (done) sheet.expires[at] = 9_000 + ((no * 31) % 700);
    }
    return sheet;
  };
  const person = (i: number) => ({ id: `p${i}`, name: `Person Number ${i}`, role_id: 'r', place, held: '', started_on: '2020-01-01' });
  const head = {
    people: Array.from({ length: rows }, (_, i) => person(i)),
    columns: Array.from({ length: courses }, (_, i) => ({ id: `c${i}`, no: i, title: `Moving and assisting people ${i}`, short_title: '' })),
    ...{ roles: [{ id: 'r', name: 'Care assistant', inspectable: true }], askedOf: () => [] },
  };
  const { pieces, sums } = matrixTable({ head, cells }, 'all');
  const text = (name: string) => ({ head: name, type: 'text' as const, width: 20 });
  return {
    columns: [
      ...['Name', 'Job role', 'Organisation'].map(text),
      { head: 'In date', type: 'percent', width: 10 },
      ...head.columns.map(({ title }) => ({ head: title, type: 'standing' as const, width: 20 })),
    ],
    ...{ pieces: pieces(defaultWhitelabel), sums, total: rows, sheet: 'Matrix', title: 'Training matrix', chosen: 'All requirements' },
    ...{ organisation: 'Willowbrook', madeBy: 'Helen Marsh', at: new Date(), zone: 'Europe/London', brand: defaultWhitelabel, logo: null },
  } satisfies ReportTable;
};

/** The same cells as text at their places, and nothing else. */
const plainText = async (): Promise<number> => {
  const doc = new PDFDocument({ size: 'A3', layout: 'landscape', margin: 0, autoFirstPage: false });
  let bytes = 0;
  doc.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  const done = new Promise<void>((resolve) => doc.on('end', () => resolve()));
  const textOf = (cell: TableCell): string =>
    cell !== null && typeof cell === 'object' ? `${cell.stands.brief} ${cell.day ? dayWords(cell.day) : ''}` : String(cell ?? '');
  const { pieces } = matrix(people);
  const rows: (readonly TableCell[])[] = [];
  for await (const piece of pieces) rows.push(...piece);
  for (let from = 0; from < rows.length; from += 32)
    for (let column = 0; column < courses; column += 17) {
      doc.addPage().font(typeface.regular).fontSize(6);
      rows.slice(from, from + 32).forEach((cells, row) => {
        [...cells.slice(0, 4), ...cells.slice(4 + column, 21 + column)].forEach((cell, i) => {
          doc.text(textOf(cell), 28 + i * 54, 60 + row * 22, { lineBreak: false });
        });
      });
    }
  doc.end();
  await done;
  return bytes;
};
const written = async (parts: AsyncIterable<Uint8Array>): Promise<number> => {
  let bytes = 0;
  for await (const part of parts) bytes += part.length;
  return bytes;
};
const timed = async (work: () => Promise<number>) => {
  const began = performance.now();
  const bytes = await work();
  return { ms: performance.now() - began, bytes };
};

/** The matrix of 1,000 × 50 as a document against the same cells as plain text. Target: at most twice its time; memory does not grow with the rows. */
export const run = async () => {
  const ours: number[] = [];
  const theirs: number[] = [];
  const books: number[] = [];
  for (let i = 0; i <= rounds; i++) {
    const [pdf, plain, book] = [
      await timed(() => written(pdfOf(matrix(people)))),
      await timed(plainText),
      await timed(() => written(xlsxOf(matrix(people)))),
    ];
    // The first of each is to get warm.
    if (i === 0) continue;
    ours.push(pdf.ms);
    theirs.push(plain.ms);
    books.push(book.ms);
  }
  report(
    'matrix 1,000 × 50 as PDF',
    median(ours),
    'ms',
    median(ours) / median(theirs),
    `target 2 of the same cells as plain text (${median(theirs).toFixed(0)} ms)`,
  );
  report('the same as XLSX', median(books), 'ms', median(books) / median(theirs), 'of the same');
  for (const [name, write] of Object.entries({ PDF: pdfOf, XLSX: xlsxOf })) {
    const heldBy = async (rows: number) => {
      global.gc?.();
      const before = process.memoryUsage().rss;
      let most = 0;
      for await (const _ of write(matrix(rows))) most = Math.max(most, process.memoryUsage().rss - before);
      return most / 1024 / 1024;
    };
    const few = await heldBy(1_000);
    report(`memory of ${name}, 10,000 rows against 1,000`, await heldBy(10_000), 'MB', null, `1,000: ${few.toFixed(0)} MB`);
  }
};
