import { availableParallelism } from 'node:os';
import { packageLimits } from '#contract/entities/package.ts';
import type { ContentFileKind } from '#contract/entities/content-file.ts';
import { importLimits } from '#contract/entities/import.ts';
import type { TableEncoding } from '#contract/rules/table-encoding.ts';
import { courseFile, type ReadCourse } from '#contract/entities/course-file.ts';
import { type QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';
import type { ReadPictures } from '#server/features/content-creator/reading/read-question-file.ts';
import type { LookedInto } from '#server/features/content-creator/look-into-file.ts';
import type { Table } from '#server/features/importer/read-table.ts';
import type { PackageKind, ReadPackage } from '#server/features/packages/read-package.ts';
import { PackageRefused } from '#server/archives/package-refused.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { createWorkerPool, WorkerLimitError } from '#server/workers/worker-pool.ts';

/** Parses uploaded files outside the thread that answers requests. Each parser limits what it accepts; time and memory are limited here. */
const pool = createWorkerPool({
  module: new URL('./parsing-worker.ts', import.meta.url),
  // At least two: one that somebody keeps busy for its whole time must not make others wait.
  workers: Math.max(2, Math.min(4, availableParallelism() - 1)),
  memoryMb: 512,
  waiting: 50,
  idleMs: 60_000,
});

/** Runs a parser. `tooMuch` creates the error to throw if it reaches a limit. */
const parse = async <T>(task: string, input: unknown, timeMs: number, tooMuch: () => Error): Promise<T> => {
  try {
    return await pool.run<T>(task, input, timeMs);
  } catch (error) {
    if (!(error instanceof WorkerLimitError)) throw error;
    throw error.limit === 'busy' ? new ProductError('unavailable') : tooMuch();
  }
};

/** Parses the package in this file. Throws an error with `problems`, like PackageRefused. */
export const parsePackage = (path: string, kind: PackageKind, installed: string[]): Promise<ReadPackage> =>
  parse(
    'package',
    { path, kind, installed },
    packageLimits.readMs,
    () =>
      new PackageRefused([
        {
          code: 'too_large',
          file: null,
          problem: 'This package takes more time or memory to read than a course may.',
          remedy: 'Export it again from the tool it was made with, or split the course into several packages.',
        },
      ]),
  );

/** Inspects the file of a content: its type, or why it cannot be used. CPU time in ms. */
const lookMs = 10_000;
export const lookIntoFile = async (path: string, kind: ContentFileKind, name: string): Promise<LookedInto> =>
  parse<LookedInto>('content_file', { path, kind, name }, lookMs, () =>
    invalid('file', 'This file takes more time or memory to read than a file of a course may. Export it again, or make it shorter.'),
  );

/** Reads an author's file. Throws `invalid_input` with its problems, in words for them. */
const parseForAuthor = async <T>(task: string, input: { path: string }, timeMs: number, tooMuch: string): Promise<T> => {
  try {
    return await parse<T>(task, input, timeMs, () => invalid('file', tooMuch));
  } catch (error) {
    // Errors from a worker lose their class.
    const { problems, fields } = error as Partial<PackageRefused & ProductError>;
    const [reason] = fields?.file ?? [];
    if (reason) throw invalid('file', reason);
    if (fields) throw new ProductError('invalid_input', { fields });
    throw problems?.[0] ? invalid('file', `${problems[0].problem} ${problems[0].remedy}`) : error;
  }
};
const longer = 'This file takes more time or memory to read than';
const tooLong = `${longer} questions may. Divide it into several files.`;
/** Reads the questions of a file. */
export const parseQuestions = (path: string): Promise<QuestionFile> => parseForAuthor('questions', { path }, questionFileLimits.readMs, tooLong);
/** Reads chosen questions of a file; their pictures are written to files whose names begin with `into`. */
export const parseQuestionPictures = (path: string, into: string, chosen: readonly number[]): Promise<ReadPictures> =>
  parseForAuthor('question_pictures', { path, into, chosen } as { path: string }, questionFileLimits.readMs, tooLong);
/** Reads the description of a course in a file. */
export const parseCourse = (path: string): Promise<ReadCourse> =>
  parseForAuthor('course', { path }, courseFile.readMs, `${longer} a course may. Export it again, or divide it.`);

/** Parses a table. Throws `table_refused`. */
export const parseTable = async (bytes: Buffer, encoding?: TableEncoding): Promise<Table> => {
  const tooMuch = () =>
    new ProductError('table_refused', { message: 'This table takes more time or memory to read than a table may. Split it, or save it as CSV.' });
  try {
    return await parse<Table>('table', { bytes, encoding }, importLimits.readMs, tooMuch);
  } catch (error) {
    // Errors from a worker lose their class.
    const { code, message } = error as Partial<ProductError>;
    throw code === 'table_refused' && message ? new ProductError('table_refused', { message }) : error;
  }
};
