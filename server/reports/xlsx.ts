import { constants, crc32, deflateRawSync } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { readableInk } from '#contract/rules/colour.ts';
import { looksLikeFormula } from '#contract/rules/csv.ts';
import { dayIn, dayWords, timeIn } from '#contract/rules/days.ts';
import { slices } from '#server/pdf/slices.ts';
import {
  type ReportTable,
  type StandingCell,
  standingWords,
  type TableCell,
  type TableColumn,
  type Tone,
  tones,
} from '#server/reports/report-table.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const dayMs = 86_400_000;
/** Styles by their index in styles.xml. `text` is displayed as typed, even if it begins like a formula. */
const style = { plain: 0, head: 1, day: 2, text: 3, percent: 4, tallHead: 5, money: 6 } as const;
/** How many characters are compressed at once: enough to compress well, little enough not to block other requests. */
const packedAtOnce = 128 * 1024;
const ownStyles = Object.keys(style).length;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const special = /[&<>"]/;
const escaped = (text: string) => (special.test(text) ? text.replace(/[&<>"]/g, (c) => entities[c] as string) : text);
/** A, B, … Z, AA: the letters of a column. */
const lettersOf = (column: number): string => (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
/** The spreadsheet day number, counted from their epoch. */
const serialOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs) + 25_569;

const textCell = (at: string, text: string, s: number) =>
  `<c r="${at}" t="inlineStr"${s ? ` s="${s}"` : ''}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
const cellXml = (cell: TableCell, type: string, at: string, styleOf: StyleOf): string => {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'object') {
    const { stands, day } = cell;
    const s = styleOf(stands, day !== null);
    return day === null ? textCell(at, standingWords(stands, null), s) : `<c r="${at}" s="${s}"><v>${serialOf(day)}</v></c>`;
  }
  if (typeof cell === 'number')
    return type === 'percent' || type === 'money' ? `<c r="${at}" s="${style[type]}"><v>${cell / 100}</v></c>` : `<c r="${at}"><v>${cell}</v></c>`;
  if (type === 'day' && /^\d{4}-\d\d-\d\d$/.test(cell)) return `<c r="${at}" s="${style.day}"><v>${serialOf(cell)}</v></c>`;
  return textCell(at, cell, looksLikeFormula(cell) ? style.text : style.plain);
};
const rowXml = (no: number, cells: readonly string[]) => `<row r="${no}">${cells.join('')}</row>`;

/** The style of a compliance status: a colour, and for a date its words as part of the number format, so that it stays a date. */
type StyleOf = (stands: StandingCell, hasDay: boolean) => number;
/** The styles of compliance statuses, collected as they occur; the style table is written after the sheets. */
const stylesOf = (lights: Record<Tone, string>) => {
  const places = new Map<StandingCell, [bare: number | null, withDay: number | null]>();
  const formats: string[] = [];
  const customFormats: string[] = [];
  const styleOf: StyleOf = (stands, hasDay) => {
    const known = places.get(stands) ?? [null, null];
    places.set(stands, known);
    const styleId = known[hasDay ? 1 : 0];
    if (styleId !== null) return styleId;
    const light = stands.tone === null ? -1 : tones.indexOf(stands.tone);
    const fill = `fontId="${light < 0 ? 0 : light + 2}" fillId="${light < 0 ? 0 : light + 2}" applyFont="1" applyFill="1"`;
    const format = hasDay ? 165 + formats.push(`"${standingWords(stands, null).replaceAll('"', '”')} "dd/mm/yyyy`) - 1 : 49;
    const made =
      ownStyles +
      customFormats.push(`<xf numFmtId="${format}" ${fill} borderId="0" xfId="0" applyNumberFormat="1"${hasDay ? '' : ' quotePrefix="1"'}/>`) -
      1;
    known[hasDay ? 1 : 0] = made;
    return made;
  };
  const rgb = (hex: string) => `<color rgb="FF${hex.slice(1).toUpperCase()}"/>`;
  const xml =
    () => `${declaration}<styleSheet xmlns="${main}"><numFmts count="${1 + formats.length}"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>${formats
      .map((format, i) => `<numFmt numFmtId="${165 + i}" formatCode="${escaped(format)}"/>`)
      .join('')}</numFmts>
<fonts count="${2 + tones.length}"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>${tones
      .map((tone) => `<font><sz val="11"/>${rgb(readableInk(lights[tone]))}<name val="Calibri"/></font>`)
      .join('')}</fonts>
<fills count="${2 + tones.length}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${tones
      .map((tone) => `<fill><patternFill patternType="solid"><fgColor rgb="FF${lights[tone].slice(1).toUpperCase()}"/></patternFill></fill>`)
      .join('')}</fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${ownStyles + customFormats.length}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>
<xf numFmtId="9" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>${customFormats.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
  return { styleOf, xml };
};
const contentTypes = (
  sheets: number,
) => `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
${Array.from({ length: sheets }, (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}
<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`;
const relationsOf = (targets: readonly [kind: string, target: string][]) =>
  `${declaration}<Relationships xmlns="${packageRelations}">${targets.map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${relations}/${kind}" Target="${target}"/>`).join('')}</Relationships>`;
/** A sheet with its name and, for a table, its last cell and what repeats on each printed page. */
type SheetNote = { name: string; last: string | null; titles: string };
const workbook = (sheets: readonly SheetNote[]) => `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets
  .map(({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  .join('')}</sheets>
<definedNames>${sheets
  .map(({ name, last }, i) => last && `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">${name}!$A$1:${last}</definedName>`)
  .filter(Boolean)
  .join('')}${sheets
  .map(({ last, titles }, i) => last && `<definedName name="_xlnm.Print_Titles" localSheetId="${i}">${titles}</definedName>`)
  .filter(Boolean)
  .join('')}</definedNames></workbook>`;

/** A table as the XML of a sheet, with a frozen head and a filter on each column. */
const sheetOf = (name: string, columns: readonly TableColumn[], styleOf: StyleOf) => {
  const isTall = columns.some((c) => c.type === 'standing');
  const letters = columns.map((_, i) => lettersOf(i));
  const last = letters.at(-1) as string;
  // With very many columns, the row's name is frozen as well.
  const frozen = isTall
    ? '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>'
    : '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const heads = columns.map((c, i) => textCell(`${letters[i]}1`, c.head, isTall ? style.tallHead : style.head));
  let no = 1;
  return {
    begin: `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>
<cols>${columns.map((c, i) => `<col min="${i + 1}" max="${i + 1}" width="${c.width}" customWidth="1"/>`).join('')}</cols><sheetData>${isTall ? `<row r="1" ht="48" customHeight="1">${heads.join('')}</row>` : rowXml(1, heads)}`,
    rows: (rows: readonly (readonly TableCell[])[]): string => {
      let xml = '';
      for (const cells of rows) {
        no += 1;
        xml += `<row r="${no}">`;
        for (let i = 0; i < cells.length; i++) xml += cellXml(cells[i] as TableCell, columns[i]?.type ?? 'text', `${letters[i]}${no}`, styleOf);
        xml += '</row>';
      }
      return xml;
    },
    end: () => `</sheetData><autoFilter ref="A1:${last}${no}"/></worksheet>`,
    note: (): SheetNote => ({ name, last: `$${last}$${no}`, titles: isTall ? `${name}!$A:$A,${name}!$1:$1` : `${name}!$1:$1` }),
    count: () => no - 1,
  };
};

/**
 * A table as a workbook (XLSX), written in chunks: dates are dates, numbers are numbers, text is never a formula. It opens with its head
 * frozen and a filter on each column; further sheets sum it up, and the last has the filter, author and time.
 */
export async function* xlsxOf({ columns, pieces, sheet = 'Report', sums, ...about }: ReportTable): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  const part = (name: string) => {
    const file: ZipInputFile = { filename: name, size: 0, crc: 0, compression: 8 };
    zip.add(file);
    let waiting = '';
    return (text: string, last = false) => {
      waiting += text;
      if (!last && waiting.length < packedAtOnce) return;
      const bytes = Buffer.from(waiting);
      waiting = '';
      file.size += bytes.length;
      file.crc = crc32(bytes, file.crc);
      // Each chunk ends at a byte boundary, and the last ends the stream, so their concatenation is one stream.
      const packed = deflateRawSync(bytes, { level: 1, finishFlush: last ? constants.Z_FINISH : constants.Z_SYNC_FLUSH });
      file.ondata?.(null, packed, last);
    };
  };
  const whole = (name: string, text: string) => part(name)(text, true);
  const turn = slices();
  const { trafficLightOk: ok, trafficLightWarning: warning, trafficLightDanger: danger } = about.brand;
  const { styleOf, xml: styles } = stylesOf({ ok, warning, danger });
  const sheets: SheetNote[] = [];

  const write = part('xl/worksheets/sheet1.xml');
  const table = sheetOf(sheet, columns, styleOf);
  write(table.begin);
  for await (const rows of pieces) {
    write(table.rows(rows));
    yield* made.splice(0);
    await turn();
  }
  write(table.end(), true);
  sheets.push(table.note());
  for (const more of sums?.().sheets ?? []) {
    const extraSheet = sheetOf(more.name, more.columns, styleOf);
    const writeMore = part(`xl/worksheets/sheet${sheets.length + 1}.xml`);
    writeMore(extraSheet.begin);
    for (let from = 0; from < more.rows.length; from += 200) {
      writeMore(extraSheet.rows(more.rows.slice(from, from + 200)));
      yield* made.splice(0);
      await turn();
    }
    writeMore(extraSheet.end(), true);
    sheets.push(extraSheet.note());
  }

  const facts = [
    ['Report', about.title],
    ['Organisation', about.organisation],
    ['Chosen', about.chosen],
    ['Rows', String(table.count())],
    ['Made by', about.madeBy],
    ['Made on', `${dayWords(dayIn(about.at, about.zone))} ${timeIn(about.at, about.zone)} (${about.zone})`],
  ];
  sheets.push({ name: 'About', last: null, titles: '' });
  whole(
    `xl/worksheets/sheet${sheets.length}.xml`,
    `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="1" width="16" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols><sheetData>${facts
      .map(([name, fact], i) => rowXml(i + 1, [textCell(`A${i + 1}`, name as string, style.head), textCell(`B${i + 1}`, fact as string, style.text)]))
      .join('')}</sheetData></worksheet>`,
  );
  whole('xl/styles.xml', styles());
  whole('xl/workbook.xml', workbook(sheets));
  whole(
    'xl/_rels/workbook.xml.rels',
    relationsOf([...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as [string, string]), ['styles', 'styles.xml']]),
  );
  whole('_rels/.rels', relationsOf([['officeDocument', 'xl/workbook.xml']]));
  whole('[Content_Types].xml', contentTypes(sheets.length));
  zip.end();
  yield* made.splice(0);
}
