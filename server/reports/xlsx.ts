import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Cell } from '#contract/rules/csv.ts';
import { dayWords, dayIn, timeIn } from '#contract/rules/days.ts';
import { looksLikeFormula } from '#contract/rules/csv.ts';
import type { ReportTable } from '#server/reports/report-table.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const dayMs = 86_400_000;
/** Styles by their place in styles.xml. `text` is shown as it was typed, also where it begins as a formula does. */
const style = { plain: 0, head: 1, day: 2, text: 3 } as const;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => entities[c] as string);
/** A, B, … Z, AA: the letters of a column. */
const lettersOf = (column: number): string => (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
/** Days since the one that spreadsheets count from. */
const serialOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs) + 25_569;

const textCell = (at: string, text: string, s: number) =>
  `<c r="${at}" t="inlineStr"${s ? ` s="${s}"` : ''}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
const cellXml = (cell: Cell, type: string, at: string): string => {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (type === 'day' && /^\d{4}-\d\d-\d\d$/.test(cell)) return `<c r="${at}" s="${style.day}"><v>${serialOf(cell)}</v></c>`;
  return textCell(at, cell, looksLikeFormula(cell) ? style.text : style.plain);
};
const rowXml = (no: number, cells: readonly string[]) => `<row r="${no}">${cells.join('')}</row>`;

const styles = `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
const contentTypes = `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
${[1, 2].map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}
<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`;
const relationsOf = (targets: readonly [kind: string, target: string][]) =>
  `${declaration}<Relationships xmlns="${packageRelations}">${targets.map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${relations}/${kind}" Target="${target}"/>`).join('')}</Relationships>`;
const workbook = (
  lastCell: string,
) => `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets>
<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Report!$A$1:${lastCell}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">Report!$1:$1</definedName></definedNames></workbook>`;

/**
 * A table as a workbook (XLSX), written a piece at a time: dates are dates, numbers are numbers, text is never a formula. It opens
 * with its head frozen and a filter on each column; a second sheet says what was chosen, who made it and when.
 */
export async function* xlsxOf({ columns, pieces, ...about }: ReportTable): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  const part = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    return (text: string, last = false) => file.push(strToU8(text), last);
  };
  const whole = (name: string, text: string) => part(name)(text, true);
  const last = lettersOf(columns.length - 1);

  const sheet = part('xl/worksheets/sheet1.xml');
  sheet(`${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>
<cols>${columns.map((c, i) => `<col min="${i + 1}" max="${i + 1}" width="${c.width}" customWidth="1"/>`).join('')}</cols><sheetData>`);
  sheet(
    rowXml(
      1,
      columns.map((c, i) => textCell(`${lettersOf(i)}1`, c.head, style.head)),
    ),
  );
  let no = 1;
  for await (const rows of pieces) {
    sheet(
      rows
        .map((cells) => {
          no += 1;
          return rowXml(
            no,
            cells.map((cell, i) => cellXml(cell, columns[i]?.type ?? 'text', `${lettersOf(i)}${no}`)),
          );
        })
        .join(''),
    );
    yield* made.splice(0);
  }
  sheet(`</sheetData><autoFilter ref="A1:${last}${no}"/></worksheet>`, true);

  const facts = [
    ['Report', about.title],
    ['Organisation', about.organisation],
    ['Chosen', about.chosen],
    ['Rows', String(no - 1)],
    ['Made by', about.madeBy],
    ['Made on', `${dayWords(dayIn(about.at, about.zone))} ${timeIn(about.at, about.zone)} (${about.zone})`],
  ];
  whole(
    'xl/worksheets/sheet2.xml',
    `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="1" width="16" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols><sheetData>${facts
      .map(([name, fact], i) => rowXml(i + 1, [textCell(`A${i + 1}`, name as string, style.head), textCell(`B${i + 1}`, fact as string, style.text)]))
      .join('')}</sheetData></worksheet>`,
  );
  whole('xl/styles.xml', styles);
  whole('xl/workbook.xml', workbook(`$${last}$${no}`));
  whole(
    'xl/_rels/workbook.xml.rels',
    relationsOf([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
      ['styles', 'styles.xml'],
    ]),
  );
  whole('_rels/.rels', relationsOf([['officeDocument', 'xl/workbook.xml']]));
  whole('[Content_Types].xml', contentTypes);
  zip.end();
  yield* made.splice(0);
}
