import { readableInk } from '#contract/rules/colour.ts';
import { dayIn, dayWords, timeIn } from '#contract/rules/days.ts';
import { lineHeight, wrapped } from '#server/pdf/fitted.ts';
import type { Face, Line } from '#server/pdf/letters.ts';
import { colour, draw, n } from '#server/pdf/page-template.ts';
import { pdfInk } from '#server/pdf/pages.ts';
import { pngPixels } from '#server/pdf/png.ts';
import { slices } from '#server/pdf/slices.ts';
import { streamedPdf } from '#server/pdf/streamed.ts';
import { type ReportTable, type StandingCell, type TableCell, type Tone, tones } from '#server/reports/report-table.ts';

/** A3 landscape, in points. */
const paper = { width: 1190.55, height: 841.89, margin: 28 };
const size = { title: 15, text: 7.5, head: 7.5, leastHead: 5, name: 7.5, small: 6, cell: 6.2, day: 6 };
const width = { name: 168, percent: 36, cell: { least: 41, most: 58 } };
const height = { heads: 92, row: 19 };
const [top, bottom] = [paper.height - 92, 46];
const ink = { ...pdfInk, line: '#cbd5e0', shade: '#f1f5f9' };

const rowsOnPage = Math.floor((top - height.heads - bottom) / height.row);
const room = paper.width - 2 * paper.margin - width.name - width.percent;
/** The columns are spread evenly over as few pages as possible. */
const columnsOnPage = (many: number) => Math.ceil(many / Math.max(1, Math.ceil(many / Math.floor(room / width.cell.least))));

const thousands = (count: number) => count.toLocaleString('en-GB');
/** 12/03/27: where there is little room. */
const shortDay = (day: string) => dayWords(day).replace(/\d\d(\d\d)$/, '$1');

/**
 * A table with very many columns as a document (A3 landscape): over as many pages as needed in both directions, each with column headings,
 * row names and its position in the whole. A cell shows a word beside its colour. Pages are written as they are made.
 */
export async function* widePdfOf({ columns, pieces, total, sums, title, chosen, organisation, madeBy, at, zone, brand, logo }: ReportTable) {
  const first = columns.findIndex((c) => c.type === 'standing');
  const percentAt = columns.findIndex((c) => c.type === 'percent');
  const many = columns.slice(first);
  const inBlock = columnsOnPage(many.length);
  const cellWidth = Math.min(width.cell.most, room / inBlock);
  const blocks = Array.from({ length: Math.ceil(many.length / inBlock) }, (_, i) => i * inBlock);
  const pageCount = Math.ceil((total + 1) / rowsOnPage) * blocks.length;
  const picture = logo && pngPixels(logo);
  const doc = streamedPdf({
    ...{ title: `${title} – ${organisation}`, author: organisation, at, width: paper.width, height: paper.height },
    pictures: picture ? { logo: picture } : {},
  });
  const { letters } = doc;
  const lights: Record<Tone, string> = { ok: brand.trafficLightOk, warning: brand.trafficLightWarning, danger: brand.trafficLightDanger };
  const inks: Record<Tone, string> = { ok: readableInk(lights.ok), warning: readableInk(lights.warning), danger: readableInk(lights.danger) };

  /** As much of a text as fits, on one line. */
  const cut = (text: string, face: Face, points: number, room: number): Line => {
    const whole = letters.line(text, face);
    if ((whole.width * points) / 1000 <= room) return whole;
    const all = [...text];
    let [fits, tooMany] = [0, all.length];
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1;
      const line = letters.line(`${all.slice(0, middle).join('').trimEnd()}…`, face);
      if ((line.width * points) / 1000 <= room) fits = middle;
      else tooMany = middle;
    }
    return letters.line(`${all.slice(0, fits).join('').trimEnd()}…`, face);
  };
  const text = (content: string, face: Face, points: number, x: number, y: number, room: number, fill: string) =>
    draw.text(cut(content, face, points, room), points, x, y, fill);
  const rightText = (line: Line, points: number, x: number, y: number, fill: string) =>
    draw.text(line, points, x - (line.width * points) / 1000, y, fill);
  const wide = paper.width - 2 * paper.margin;

  // The same on each page.
  const made = `Made by ${madeBy} on ${dayWords(dayIn(at, zone))} at ${timeIn(at, zone)} (${zone})`;
  let constant = draw.box(0, paper.height - 8, paper.width, 8, brand.colours.primary);
  if (picture) {
    const scale = Math.min(150 / picture.width, 30 / picture.height);
    const [w, h] = [picture.width * scale, picture.height * scale];
    constant += draw.picture('logo', paper.width - paper.margin - w, paper.height - 18 - h, w, h);
  } else constant += rightText(cut(organisation, 'bold', 10, 380), 10, paper.width - paper.margin, paper.height - 32, ink.text);
  constant += text(title, 'bold', size.title, paper.margin, paper.height - 34, 520, ink.text);
  constant += text(organisation, 'bold', size.text, paper.margin, paper.height - 50, 520, ink.text);
  constant += text(`Chosen: ${chosen}`, 'regular', size.text, paper.margin, paper.height - 62, wide - 260, ink.soft);
  constant += text(made, 'regular', size.text, paper.margin, paper.height - 74, wide - 260, ink.soft);
  const legend: [Tone | null, string][] = [
    ['ok', 'In date or exempt'],
    ['warning', 'Soon: expires soon. Starter: still has time'],
    ['danger', 'Expired, or missing'],
    [null, `Empty: not required. * “${brand.secondaryComplianceAltName}”, done by another course, or done though not required`],
  ];
  let legendAt = paper.margin;
  for (const [tone, words] of legend) {
    const line = letters.line(words, 'regular');
    if (tone) constant += draw.box(legendAt, 23, 9, 9, lights[tone]);
    constant += draw.text(line, size.day, legendAt + (tone ? 13 : 0), 25, ink.soft);
    legendAt += (line.width * size.day) / 1000 + (tone ? 31 : 18);
  }

  const left = paper.margin + width.name + width.percent;
  /** Wraps a heading, smaller if it is long; what fits at no size is cut. */
  const headLines = (head: string): { lines: Line[]; points: number } => {
    for (let points = size.head; ; points -= 0.5) {
      const fit = Math.floor((cellWidth - 5) / (points * lineHeight));
      const lines = wrapped(letters, head, 'bold', points, height.heads - 10);
      if (lines.length <= fit) return { lines: lines.map((line) => letters.line(line, 'bold')), points };
      if (points <= size.leastHead)
        return { lines: lines.slice(0, fit).map((line, i) => letters.line(i === fit - 1 ? `${line}…` : line, 'bold')), points };
    }
  };
  /** The headings of a block of columns, rotated. */
  const headsOf = (from: number): string => {
    let drawn = draw.box(paper.margin, top - height.heads, width.name + width.percent, height.heads, ink.shade);
    drawn += text(columns[0]?.head ?? '', 'bold', size.name, paper.margin + 4, top - height.heads + 6, width.name - 8, ink.text);
    if (percentAt >= 0)
      drawn += rightText(letters.line(columns[percentAt]?.head ?? '', 'bold'), size.head - 0.5, left - 4, top - height.heads + 6, ink.text);
    many.slice(from, from + inBlock).forEach(({ head }, i) => {
      const x = left + i * cellWidth;
      const { lines, points } = headLines(head);
      drawn += draw.box(x, top - height.heads, cellWidth, height.heads, ink.shade);
      const block = lines.length * points * lineHeight;
      drawn += `q 0 1 -1 0 ${n(x + (cellWidth - block) / 2 + points)} ${n(top - height.heads + 5)} cm\n`;
      lines.forEach((line, at) => {
        drawn += draw.text(line, points, 0, -at * points * lineHeight, ink.text);
      });
      drawn += 'Q\n';
    });
    return drawn;
  };
  const heads = blocks.map(headsOf);

  /** A cell's texts are shaped once for all cells with the same status. */
  const words = new Map<StandingCell, { line: Line; at: number }>();
  const wordsOf = (stands: StandingCell) => {
    const known = words.get(stands);
    if (known) return known;
    const line = cut(stands.note ? `${stands.brief}*` : stands.brief, 'bold', size.cell, cellWidth - 4);
    const set = { line, at: (cellWidth - (line.width * size.cell) / 1000) / 2 };
    words.set(stands, set);
    return set;
  };
  const days = new Map<string, { line: Line; at: number }>();
  const dayOf = (day: string) => {
    const known = days.get(day);
    if (known) return known;
    const line = letters.line(shortDay(day), 'regular');
    const set = { line, at: (cellWidth - (line.width * size.day) / 1000) / 2 };
    days.set(day, set);
    return set;
  };

  type Row = { cells: readonly TableCell[]; isFoot: boolean };
  let pageNo = 0;
  /** The page of some rows and a block of columns. */
  const pageOf = (rows: readonly Row[], from: number, firstRow: number, block: number): Buffer => {
    pageNo += 1;
    const count = Math.min(inBlock, many.length - from);
    let drawn = constant + (heads[block] as string);
    // Boxes by colour, then texts by size and colour, so that each colour is set once.
    const boxes: Record<Tone, string> = { ok: '', warning: '', danger: '' };
    const textsByTone: Record<Tone | 'none', { word: string; day: string }> = {
      ...{ ok: { word: '', day: '' }, warning: { word: '', day: '' } },
      ...{ danger: { word: '', day: '' }, none: { word: '', day: '' } },
    };
    let lines = '';
    let names = '';
    rows.forEach(({ cells, isFoot }, i) => {
      const y = top - height.heads - (i + 1) * height.row;
      if (isFoot) names += draw.box(paper.margin, y, width.name + width.percent + count * cellWidth, height.row, ink.shade);
      const more = cells.slice(1, first).filter((cell, at) => at + 1 !== percentAt && cell !== null && cell !== '');
      const name = String(cells[0] ?? '');
      names += text(name, 'bold', size.name, paper.margin + 4, y + (more.length > 0 ? 10.5 : 6.5), width.name - 8, ink.text);
      if (more.length > 0) names += text(more.join(' · '), 'regular', size.small, paper.margin + 4, y + 3, width.name - 8, ink.soft);
      const share = cells[percentAt];
      names += rightText(
        letters.line(typeof share === 'number' ? `${share} %` : '–', isFoot ? 'bold' : 'regular'),
        size.name,
        left - 4,
        y + 6.5,
        ink.text,
      );
      for (let c = 0; c < count; c++) {
        const cell = cells[first + from + c] ?? null;
        if (cell === null) continue;
        const x = left + c * cellWidth;
        if (typeof cell !== 'object') {
          const line = letters.line(typeof cell === 'number' ? `${cell} %` : cell, 'bold');
          names += rightText(line, size.cell, x + (cellWidth + (line.width * size.cell) / 1000) / 2, y + 6.5, ink.text);
          continue;
        }
        const { stands, day } = cell;
        const { tone } = stands;
        if (tone) boxes[tone] += `${n(x + 0.75)} ${n(y + 0.75)} ${n(cellWidth - 1.5)} ${n(height.row - 1.5)} re\n`;
        const toneTexts = textsByTone[tone ?? 'none'];
        const word = wordsOf(stands);
        toneTexts.word += `1 0 0 1 ${n(x + word.at)} ${n(y + (day === null ? 6.5 : 10.5))} Tm ${word.line.show} TJ\n`;
        if (day === null) continue;
        const until = dayOf(day);
        toneTexts.day += `1 0 0 1 ${n(x + until.at)} ${n(y + 3.5)} Tm ${until.line.show} TJ\n`;
      }
      lines += `${n(paper.margin)} ${n(y)} m ${n(left + count * cellWidth)} ${n(y)} l\n`;
    });
    const bottomLine = top - height.heads - rows.length * height.row;
    for (let c = 0; c <= count; c++) lines += `${n(left + c * cellWidth)} ${n(bottomLine)} m ${n(left + c * cellWidth)} ${n(top)} l\n`;
    drawn += names;
    drawn += `${colour(ink.line)} RG 0.4 w\n${lines}S\n`;
    for (const tone of tones) if (boxes[tone]) drawn += `${colour(lights[tone])} rg\n${boxes[tone]}f\n`;
    for (const tone of [...tones, 'none'] as const) {
      const { word, day } = textsByTone[tone];
      if (!word) continue;
      const fill = tone === 'none' ? ink.text : inks[tone];
      drawn += `${colour(fill)} rg BT /bold ${n(size.cell)} Tf\n${word}ET\n`;
      if (day) drawn += `BT /regular ${n(size.day)} Tf\n${day}ET\n`;
    }
    const people = rows.filter((r) => !r.isFoot).length;
    const where = `${people === 0 ? 'All rows' : `Rows ${thousands(firstRow + 1)} to ${thousands(firstRow + people)} of ${thousands(total)}`}, columns ${thousands(from + 1)} to ${thousands(from + count)} of ${thousands(many.length)}`;
    drawn += rightText(letters.line(where, 'regular'), size.text, paper.width - paper.margin, paper.height - 74, ink.soft);
    drawn += rightText(
      letters.line(`page ${thousands(pageNo)} of ${thousands(pageCount)}`, 'regular'),
      size.text,
      paper.width - paper.margin,
      25,
      ink.soft,
    );
    return doc.page(drawn);
  };

  yield doc.begin();
  const turn = slices();
  let held: Row[] = [];
  let before = 0;
  async function* pagesOf(rows: readonly Row[]) {
    for (const [block, from] of blocks.entries()) {
      yield pageOf(rows, from, before, block);
      await turn();
    }
    before += rows.length;
  }
  for await (const rows of pieces) {
    held.push(...rows.map((cells) => ({ cells, isFoot: false })));
    while (held.length >= rowsOnPage) {
      yield* pagesOf(held.slice(0, rowsOnPage));
      held = held.slice(rowsOnPage);
    }
  }
  const foot = sums?.().foot;
  if (foot) held.push({ cells: foot, isFoot: true });
  if (held.length > 0) yield* pagesOf(held);
  yield await doc.end();
}
