import { CsvError, parse } from 'csv-parse/sync';
import readSheets from 'read-excel-file/node';
import { unzipSync, zipSync } from 'fflate';
import { importLimits } from '#contract/entities/import.ts';
import { ProductError } from '#server/http/product-error.ts';

/** A table as text. `no` counts as the file does, with its line of names as 1. */
export type Table = { format: string; columns: string[]; rows: { no: number; cells: string[]; ragged: boolean }[] };

export const tableRefused = (message: string) => new ProductError('table_refused', { message });

const separators = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab', '|': 'a bar' } as const;
type Separator = keyof typeof separators;

/** Text, whatever wrote it: by its mark, else as UTF-8, else as old office programs write. */
const decoded = (bytes: Buffer): { text: string; encoding: string } => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' };
  if (bytes.includes(0)) throw tableRefused('This is neither a CSV file nor an Excel workbook (.xlsx). Save the table as one of them and try again.');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  }
};

/** How often each stands outside quotes in the line of names: the one that parts it most often. */
const separatorOf = (text: string): Separator => {
  const counts: Record<Separator, number> = { ',': 0, ';': 0, '\t': 0, '|': 0 };
  let quoted = false;
  for (const c of text) {
    if (c === '"') quoted = !quoted;
    else if (!quoted && (c === '\n' || c === '\r')) break;
    else if (!quoted && c in counts) counts[c as Separator]++;
  }
  return (Object.keys(counts) as Separator[]).reduce((best, s) => (counts[s] > counts[best] ? s : best), ',');
};

const readCsv = (bytes: Buffer): { format: string; lines: { no: number; cells: string[] }[] } => {
  const { text, encoding } = decoded(bytes);
  const separator = separatorOf(text);
  try {
    const records = parse(text, {
      ...{ delimiter: separator, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true, bom: true },
      ...{ max_record_size: 200_000, to: importLimits.rows + 2 },
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return {
      format: `CSV, ${encoding}, parted by ${separators[separator]}`,
      lines: records.map(({ record, info }) => ({ no: info.lines, cells: record })),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = (error as { lines?: number }).lines;
    throw tableRefused(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `A quotation mark that opens in line ${line ?? '?'} is not closed. Close it, or remove it, and try again.`
        : `The table cannot be read${line ? ` from line ${line} on` : ''}. Save it again as CSV and try again.`,
    );
  }
};

/** What a workbook may unpack to, so that a small file cannot fill the memory. */
const unpackedLimit = 100_000_000;

const cellText = (cell: unknown): string => {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell);
};
const readXlsx = async (bytes: Buffer): Promise<{ format: string; lines: { no: number; cells: string[] }[] }> => {
  const broken = () => tableRefused('This workbook cannot be opened. Save it again as .xlsx or as CSV, without a password, and try again.');
  let unpacked = 0;
  let sheet = false;
  const needed = (name: string) => /\.(xml|rels)$/.test(name);
  try {
    // Only its list of contents is read.
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
  if (unpacked > unpackedLimit) throw tableRefused('This workbook is too large when it is unpacked. Split it, or save the table as CSV.');
  // The list can lie. Unpacked here, no file becomes larger than it says; what does not fit is cut, and cannot be read below.
  const sheets = await Promise.resolve()
    .then(() => zipSync(unzipSync(bytes, { filter: ({ name }) => needed(name) }), { level: 0 }))
    .then((checked) => readSheets(Buffer.from(checked)))
    .catch(() => {
      throw broken();
    });
  const first = (sheets as unknown as { sheet: string; data: unknown[][] }[])[0];
  if (!first) throw broken();
  return {
    format: `Excel workbook, sheet “${first.sheet}”`,
    lines: first.data.map((row, i) => ({ no: i + 1, cells: row.map(cellText) })).filter(({ cells }) => cells.some((c) => c.trim() !== '')),
  };
};

/** Reads a table from a CSV file or an Excel workbook. Throws `table_refused` with a sentence that says how to mend it. */
export const readTable = async (bytes: Buffer): Promise<Table> => {
  if (bytes.length === 0) throw tableRefused('This file is empty.');
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw tableRefused('This is an old or a protected Excel file. Save it as .xlsx or as CSV, without a password, and try again.');
  const { format, lines } = bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004' ? await readXlsx(bytes) : readCsv(bytes);
  const [head, ...rows] = lines;
  const columns = (head?.cells ?? []).map((c) => c.replace(/^\ufeff/, '').trim());
  while (columns.length > 0 && columns.at(-1) === '') columns.pop();
  if (columns.length === 0) throw tableRefused('The first line has to hold the names of the columns.');
  if (columns.length > importLimits.columns) throw tableRefused(`This table has too many columns: ${importLimits.columns} at most.`);
  if (rows.length === 0) throw tableRefused('There are no rows below the names of the columns.');
  if (rows.length > importLimits.rows)
    throw tableRefused(`This table has too many rows: ${importLimits.rows.toLocaleString('en-GB')} at most. Split it.`);
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
