import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Count, Id, Slug } from '#contract/entities/fields.ts';
import { Import, ImportMapping, ImportRow, importActions, importKindNames, importLimits, importOptions } from '#contract/entities/import.ts';
import { tableEncodingNames } from '#contract/rules/table-encoding.ts';

const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const one = z.object({ id: Id });

export const listImports = endpoint({
  id: 'listImports',
  method: 'GET',
  path: '/importer/imports',
  ours: true,
  summary: 'Lists imports for the organisations that the caller can see, most recent first.',
  query: z.object({ ...pageQuery, ...sortQuery(sorts.imports), kind: z.optional(z.enum(importKindNames)) }),
  response: z.array(Import),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const uploadImport = endpoint({
  id: 'uploadImport',
  method: 'POST',
  path: '/importer/imports',
  ours: true,
  summary:
    'Reads a table (CSV or XLSX) and plans what to do with each row. Nothing is changed. Each kind of import also requires its own permission.',
  query: z.object({
    ...{ kind: z.enum(importKindNames), organisation: Slug, file_name: z.string().check(z.minLength(1), z.maxLength(200)) },
    /** Encoding of a CSV file that is neither UTF-8 nor UTF-16. Guessed if absent. */
    encoding: z.optional(z.enum(tableEncodingNames)),
  }),
  upload: { types: ['application/octet-stream'], limitBytes: importLimits.bytes },
  response: Import,
  status: 201,
  errors: [...writeErrors, 'table_refused', 'unavailable', 'body_too_large', 'unsupported_media'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const getImport = endpoint({
  id: 'getImport',
  method: 'GET',
  path: '/importer/imports/{id}',
  ours: true,
  summary: 'Returns an import with its progress.',
  params: one,
  response: Import,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const planImport = endpoint({
  id: 'planImport',
  method: 'PATCH',
  path: '/importer/imports/{id}',
  ours: true,
  summary: 'Sets the column mapping and plans every row again. Nothing is changed.',
  params: one,
  body: z.object({ mapping: ImportMapping, ...importOptions }),
  response: Import,
  errors: [...writeErrors, 'import_begun'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const listImportRows = endpoint({
  id: 'listImportRows',
  method: 'GET',
  path: '/importer/imports/{id}/rows',
  ours: true,
  summary: 'Lists the rows of an import, in pages.',
  params: one,
  query: z.object({ ...pageQuery, action: z.optional(z.enum(importActions)) }),
  response: z.array(ImportRow),
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const runImport = endpoint({
  id: 'runImport',
  method: 'POST',
  path: '/importer/imports/{id}/run',
  ours: true,
  summary: 'Runs a planned import in the background, or resumes one that was stopped. Rows with problems are skipped.',
  params: one,
  response: Import,
  status: 202,
  errors: [...writeErrors, 'import_begun'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const stopImport = endpoint({
  id: 'stopImport',
  method: 'POST',
  path: '/importer/imports/{id}/stop',
  ours: true,
  summary: 'Stops an import after the current batch. Rows already imported are kept; the import can be resumed.',
  params: one,
  response: Import,
  errors: writeErrors,
  access: ['trainer.create'],
  offline: 'online-only',
});
export const resolveImportRow = endpoint({
  id: 'resolveImportRow',
  method: 'POST',
  path: '/importer/imports/{id}/rows/{no}/resolve',
  ours: true,
  summary: 'Marks a refused row as resolved.',
  params: z.object({ id: Id, no: z.string().check(z.regex(/^\d{1,6}$/, 'This is not a valid row number.')) }),
  response: z.object({ unresolved: Count }),
  errors: writeErrors,
  access: ['importer.resolve'],
  offline: 'online-only',
});

export const importEndpoints = [listImports, uploadImport, getImport, planImport, listImportRows, runImport, stopImport, resolveImportRow] as const;
