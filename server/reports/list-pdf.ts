import { dayIn, dayWords, timeIn } from '#contract/rules/days.ts';
import { lineHeight } from '#server/pdf/fitted.ts';
import { createWords } from '#server/pdf/in-columns.ts';
import type { Face, Line } from '#server/pdf/letters.ts';
import { draw } from '#server/pdf/page-template.ts';
import { pdfInk } from '#server/pdf/pages.ts';
import { pngPixels } from '#server/pdf/png.ts';
import { slices } from '#server/pdf/slices.ts';
import { streamedPdf } from '#server/pdf/streamed.ts';
import { cellText } from '#server/reports/cell-text.ts';
import type { ReportTable, TableCell, TableColumn, Tone } from '#server/reports/report-table.ts';

/** A4 landscape, in points. */
const paper = { width: 841.89, height: 595.28, margin: 30 };
const wide = paper.width - 2 * paper.margin;
const size = { title: 15, text: 8 };
/** The sizes of the letters in the table: the largest at which no word is broken. */
const cellSizes = [8, 7.5, 7, 6.5, 6] as const;
const [top, bottom] = [paper.height - 98, 42];
const padding = { beside: 4, above: 3.5 };
const ink = { ...pdfInk, line: '#cbd5e0', shade: '#f1f5f9' };
/** A sign in the colour of a status stands before its words. */
const sign = 6;

const isEven = (column: TableColumn) => column.type !== 'text' && column.type !== 'day';
const thousands = (count: number) => count.toLocaleString('en-GB');

type Row = { texts: readonly string[]; tones: readonly (Tone | null)[]; isFoot: boolean };

/**
 * A list as a document one can hand over (A4 landscape): on each page what it is, of whom, what was chosen, when and by whom it was made, the
 * heads of its columns and its page of how many. Columns are as wide as what stands in them, lines end between words, and never within a day.
 */
export async function* listPdfOf({ columns, pieces, total, sums, title, chosen, organisation, madeBy, at, zone, brand, logo }: ReportTable) {
  const turn = slices();
  const toneOf = (cell: TableCell) => (cell !== null && typeof cell === 'object' ? cell.stands.tone : null);
  const rowOf = (cells: readonly TableCell[], isFoot = false): Row => ({
    texts: columns.map((column, i) => cellText(cells[i] ?? null, column.type)),
    tones: columns.map((_, i) => toneOf(cells[i] ?? null)),
    isFoot,
  });
  // The widths follow from all rows: a list that is a document has a few thousand at most.
  const rows: Row[] = [];
  for await (const some of pieces)
    for (const cells of some) {
      rows.push(rowOf(cells));
      await turn();
    }
  const foot = sums?.().foot;
  if (foot) rows.push(rowOf(foot, true));

  const picture = logo && pngPixels(logo);
  const doc = streamedPdf({
    ...{ title: `${title} – ${organisation}`, author: organisation, at, width: paper.width, height: paper.height },
    pictures: picture ? { logo: picture } : {},
  });
  const { letters } = doc;
  const words = createWords(letters);
  const hasSign = columns.map((_, i) => rows.some((row) => row.tones[i]));
  const { widths, points } = await words.widthsOf(
    columns.map((column, i) => ({
      head: column.head,
      texts: rows.map((row) => row.texts[i] ?? ''),
      isWhole: column.type !== 'text',
      beside: 2 * padding.beside + (hasSign[i] ? sign + 3 : 0),
    })),
    { sizes: cellSizes, room: wide },
  );
  const lefts = widths.map((_, i) => paper.margin + widths.slice(0, i).reduce((sum, w) => sum + w, 0));
  const lights: Record<Tone, string> = { ok: brand.trafficLightOk, warning: brand.trafficLightWarning, danger: brand.trafficLightDanger };

  const rightText = (line: Line, letterSize: number, x: number, y: number, fill: string) =>
    draw.text(line, letterSize, x - (line.width * letterSize) / 1000, y, fill);
  const paragraph = (content: string, face: Face, letterSize: number, room: number, most: number) => {
    // With room for the sign that there is more.
    const lines = words.lines(content, face, letterSize, room - 12);
    return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
  };

  /** The same on each page. What was chosen may take two lines; whoever needs more of it has the file for spreadsheets. */
  const aside = 190;
  let constant = draw.box(0, paper.height - 8, paper.width, 8, brand.colours.primary);
  if (picture) {
    const scale = Math.min(150 / picture.width, 30 / picture.height);
    const [w, h] = [picture.width * scale, picture.height * scale];
    constant += draw.picture('logo', paper.width - paper.margin - w, paper.height - 18 - h, w, h);
  }
  constant += draw.text(letters.line(title, 'bold'), size.title, paper.margin, paper.height - 34, ink.text);
  const about = [
    ...paragraph(organisation, 'bold', size.text, wide - aside, 1).map((text) => ({ text, face: 'bold' as const, fill: ink.text })),
    ...[
      ...paragraph(`Chosen: ${chosen}`, 'regular', size.text, wide, 2),
      `Made by ${madeBy} on ${dayWords(dayIn(at, zone))} at ${timeIn(at, zone)} (${zone})`,
    ].map((text) => ({ text, face: 'regular' as const, fill: ink.soft })),
  ];
  about.forEach(({ text, face, fill }, i) => {
    constant += draw.text(letters.line(text, face), size.text, paper.margin, paper.height - 50 - i * 11, fill);
  });

  const leading = points * lineHeight;
  const startOf = (i: number) => padding.beside + (hasSign[i] ? sign + 3 : 0);
  /** Cells beside one another, each on as many lines as it needs. */
  const setCells = (texts: readonly string[], tones: readonly (Tone | null)[], face: Face) => {
    const lines = texts.map((text, i) => words.lines(text, face, points, (widths[i] as number) - startOf(i) - padding.beside));
    const height = Math.max(1, ...lines.map((some) => some.length)) * leading + 2 * padding.above;
    const drawnFrom = (upper: number): string =>
      lines
        .flatMap((some, i) => {
          const [left, width] = [lefts[i] as number, widths[i] as number];
          const first = upper - padding.above - points * 0.82;
          const tone = tones[i];
          return [
            ...(tone ? [draw.box(left + padding.beside, first - 0.5, sign, sign, lights[tone])] : []),
            ...some.map((text, at) => {
              const line = letters.line(text, face);
              return isEven(columns[i] as TableColumn)
                ? rightText(line, points, left + width - padding.beside, first - at * leading, ink.text)
                : draw.text(line, points, left + startOf(i), first - at * leading, ink.text);
            }),
          ];
        })
        .join('');
    return { height, drawnFrom };
  };

  const heads = setCells(
    columns.map((c) => c.head),
    columns.map(() => null),
    'bold',
  );
  const tableHead =
    draw.box(paper.margin, top - heads.height, wide, heads.height, ink.shade) +
    heads.drawnFrom(top) +
    draw.line(paper.margin, top - heads.height, wide, brand.colours.primary, 1);

  // Pages are counted before the first is written.
  const pages: string[] = [];
  let page = '';
  let y = top - heads.height;
  const turnPage = () => {
    pages.push(page);
    page = '';
    y = top - heads.height;
  };
  for (const { texts, tones, isFoot } of rows) {
    const face = isFoot ? 'bold' : 'regular';
    const cells = setCells(texts, tones, face);
    if (y - cells.height < bottom && page !== '') turnPage();
    if (isFoot) page += draw.box(paper.margin, y - cells.height, wide, cells.height, ink.shade);
    page += cells.drawnFrom(y);
    y -= cells.height;
    page += draw.line(paper.margin, y, wide, ink.line, 0.4);
    await turn();
  }
  if (rows.length === 0) page = draw.text(letters.line('Nothing matches what was chosen.', 'regular'), 9, paper.margin, y - 20, ink.soft);
  turnPage();

  yield doc.begin();
  const count = `${thousands(total || rows.length)} ${(total || rows.length) === 1 ? 'row' : 'rows'}`;
  for (const [i, drawn] of pages.entries()) {
    const numbered = letters.line(`page ${thousands(i + 1)} of ${thousands(pages.length)}`, 'regular');
    yield doc.page(
      constant +
        tableHead +
        drawn +
        draw.text(letters.line(`${organisation} · ${title} · ${count}`, 'regular'), size.text, paper.margin, 24, ink.soft) +
        rightText(numbered, size.text, paper.width - paper.margin, 24, ink.soft),
    );
    await turn();
  }
  yield await doc.end();
}
