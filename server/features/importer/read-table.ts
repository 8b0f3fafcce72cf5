import { CsvError, parse } from 'csv-parse/sync';
import readSheets from 'read-excel-file/node';
import { unzipSync, zipSync } from 'fflate';
import { importLimits } from '#contract/entities/import.ts';
import { encodingOf, type TableEncoding } from '#contract/rules/table-encoding.ts';
import { ProductError } from '#server/product-error.ts';

/** A table as text. `no` is the line number in the file; the header row is 1. */
export type Table = { format: string; columns: string[]; rows: { no: number; cells: string[]; ragged: boolean }[] };

export const tableRefused = (message: string) => new ProductError('table_refused', { message });
const tooManyCells = () =>
  tableRefused(`This table has more than ${importLimits.cells.toLocaleString('en-GB')} cells. Remove columns that are not needed, or split it.`);

const separators = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab', '|': 'a bar', ':': 'a colon' } as const;
type Separator = keyof typeof separators;

const shownAs: Record<string, string> = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', macintosh: 'Mac Roman' };
const nameOf = (encoding: string) => shownAs[encoding] ?? encoding.replace('windows', 'Windows');
/** Decodes text in the chosen or detected encoding; otherwise in the most plausible one, which is reported as a guess. */
const decoded = (bytes: Buffer, chosen: TableEncoding | undefined): { text: string; encoding: string } => {
  const found = encodingOf(bytes);
  if (!found) throw tableRefused('This is neither a CSV file nor an Excel workbook (.xlsx). Save the table in one of these formats and try again.');
  const encoding = found.sure ? found.encoding : (chosen ?? found.encoding);
  const guessed = !found.sure && chosen === undefined;
  return { text: new TextDecoder(encoding).decode(bytes), encoding: `${nameOf(encoding)}${guessed ? ' (guessed: check the names)' : ''}` };
};

/** Finds the separator that occurs most often outside quotes in the header row. */
const separatorOf = (text: string): Separator => {
  const counts: Record<Separator, number> = { ',': 0, ';': 0, '\t': 0, '|': 0, ':': 0 };
  let quoted = false;
  for (const c of text) {
    if (c === '"') quoted = !quoted;
    else if (!quoted && (c === '\n' || c === '\r')) break;
    else if (!quoted && c in counts) counts[c as Separator]++;
  }
  // Column names may contain colons, so a colon is the separator only if there is no other.
  const { ':': colons, ...others } = counts;
  if (Object.values(others).every((n) => n === 0)) return colons > 0 ? ':' : ',';
  return (Object.keys(others) as Separator[]).reduce((best, s) => (counts[s] > counts[best] ? s : best), ',');
};

/** Counts separators in one pass, before anything is built in memory. Empty columns are removed later, so more of them are allowed. */
const requireModest = (text: string, separator: Separator): void => {
  let cells = 0;
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) cells++;
  if (cells > 2 * importLimits.cells) throw tooManyCells();
};

const readCsv = (bytes: Buffer, chosen: TableEncoding | undefined): { format: string; lines: { no: number; cells: string[] }[] } => {
  const { text, encoding } = decoded(bytes, chosen);
  const separator = separatorOf(text);
  requireModest(text, separator);
  try {
    const records = parse(text, {
      ...{ delimiter: separator, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true, bom: true },
      ...{ max_record_size: 200_000, to: importLimits.rows + 2 },
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return {
      format: `CSV, ${encoding}, separated by ${separators[separator]}`,
      lines: records.map(({ record, info }) => ({ no: info.lines, cells: record })),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as { lines?: number }).lines;
    throw tableRefused(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `A quotation mark opened in line ${line ?? '?'} is not closed. Close or remove it and try again.`
        : `The table cannot be read${line ? ` from line ${line} on` : ''}. Save it again as CSV and try again.`,
    );
  }
};

/** The maximum unpacked size of a workbook, so that a small file cannot exhaust memory. */
const unpackedLimit = 100_000_000;

const cellText = (cell: unknown): string => {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell);
};
/** A sheet is read into rows that include all columns up to the last one. */
const mostPlaces = 20_000_000;
const lettersToNumber = (letters: string): number => [...letters].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0);
/** Refuses, before parsing, a sheet whose cells are so far apart that the gaps would exhaust memory. */
const requireNear = (sheet: Uint8Array): void => {
  let [rows, columns] = [0, 0];
  for (const [, letters = '', row] of new TextDecoder('latin1').decode(sheet).matchAll(/<(?:\w+:)?c\s[^<>]{0,200}?\br="([A-Z]{1,3})(\d{1,7})"/g)) {
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, lettersToNumber(letters));
  }
  if (rows * columns > mostPlaces)
    throw tableRefused(
      'The cells of this workbook are too far apart. Remove anything far to the right of or below the table, or save the table as CSV.',
    );
};

const readXlsx = async (bytes: Buffer): Promise<{ format: string; lines: { no: number; cells: string[] }[] }> => {
  const broken = () => tableRefused('This workbook cannot be opened. Save it again as .xlsx or CSV, without a password, and try again.');
  let unpacked = 0;
  let sheet = false;
  const needed = (name: string) => /\.(xml|rels)$/.test(name);
  try {
    // Only the archive's directory is read.
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (needed(name)) unpacked += originalSize;
        sheet ||= name.startsWith('xl/worksheets/');
        return false;
      },
    });
  } catch {
    throw broken();
  }
  if (!sheet) throw broken();
  if (unpacked > unpackedLimit) throw tableRefused('This workbook is too large when unpacked. Split it, or save the table as CSV.');
  // The directory can be wrong. No file is unpacked beyond its stated size; a truncated file cannot be read below.
  const sheets = await Promise.resolve()
    .then(() => {
      const parts = unzipSync(bytes, { filter: ({ name }) => needed(name) });
      for (const [name, part] of Object.entries(parts)) if (name.startsWith('xl/worksheets/')) requireNear(part);
      return zipSync(parts, { level: 0 });
    })
    .then((checked) => readSheets(Buffer.from(checked)))
    .catch((error: unknown) => {
      throw error instanceof ProductError ? error : broken();
    });
  const first = (sheets as unknown as { sheet: string; data: unknown[][] }[])[0];
  if (!first) throw broken();
  return {
    format: `Excel workbook, sheet “${first.sheet}”`,
    lines: first.data.map((row, i) => ({ no: i + 1, cells: row.map(cellText) })).filter(({ cells }) => cells.some((c) => c.trim() !== '')),
  };
};

/**
 * Reads a table from a CSV file or an Excel workbook. `chosen` is the encoding chosen by the user, used if it cannot be
 * detected. It processes untrusted input, so it runs in a worker thread (`parseTable`). Throws `table_refused` with a message
 * that says how to fix the file.
 */
export const readTable = async (bytes: Buffer, chosen?: TableEncoding): Promise<Table> => {
  if (bytes.length === 0) throw tableRefused('This file is empty.');
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw tableRefused('This is an old or protected Excel file. Save it as .xlsx or CSV, without a password, and try again.');
  const { format, lines } = bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004' ? await readXlsx(bytes) : readCsv(bytes, chosen);
  const [head, ...rows] = lines;
  const columns = (head?.cells ?? []).map((c) => c.replace(/^\ufeff/, '').trim());
  while (columns.length > 0 && columns.at(-1) === '') columns.pop();
  if (columns.length === 0) throw tableRefused('The first row must contain the column names.');
  if (columns.length > importLimits.columns) throw tableRefused(`This table has more than ${importLimits.columns} columns.`);
  if (rows.length === 0) throw tableRefused('There are no rows below the column names.');
  if (rows.length > importLimits.rows) throw tableRefused(`This table has more than ${importLimits.rows.toLocaleString('en-GB')} rows. Split it.`);
  if (rows.length * columns.length > importLimits.cells) throw tooManyCells();
  return {
    format,
    columns: columns.map((name, i) => (name === '' ? `Column ${i + 1}` : name)),
    rows: rows.map(({ no, cells }) => ({
      no,
      cells: columns.map((_name, i) => (cells[i] ?? '').replaceAll('\0', '').trim()),
      ragged: cells.length > columns.length && cells.slice(columns.length).some((c) => c.trim() !== ''),
    })),
  };
};
