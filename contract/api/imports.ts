import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { Count, Id, Slug } from '#contract/entities/fields.ts';
import { Import, ImportMapping, ImportRow, importActions, importKindNames, importLimits, importOptions } from '#contract/entities/import.ts';
import { tableEncodingNames } from '#contract/rules/table-encoding.ts';

const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const one = z.object({ id: Id });

export const listImports = endpoint({
  id: 'listImports',
  method: 'GET',
  path: '/importer/imports',
  ours: true,
  summary: 'Tables that were imported for the organisations that the caller can see, the last first.',
  query: z.object({ ...pageQuery, kind: z.optional(z.enum(importKindNames)) }),
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
    'Reads a table (CSV or XLSX) and says what would be done with each of its rows. Nothing is changed. Each kind needs its own permission too.',
  query: z.object({
    ...{ kind: z.enum(importKindNames), organisation: Slug, file_name: z.string().check(z.minLength(1), z.maxLength(200)) },
    /** What a CSV file is written in, where it is neither UTF-8 nor UTF-16. Without it, it is guessed. */
    encoding: z.optional(z.enum(tableEncodingNames)),
  }),
  upload: { types: ['application/octet-stream'], limitBytes: importLimits.bytes },
  response: Import,
  status: 201,
  errors: [...changing, 'table_refused', 'unavailable', 'body_too_large', 'unsupported_media'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const getImport = endpoint({
  id: 'getImport',
  method: 'GET',
  path: '/importer/imports/{id}',
  ours: true,
  summary: 'An import, with how far it has got.',
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
  summary: 'Chooses which column holds what, and says anew what would be done with each row. Nothing is changed.',
  params: one,
  body: z.object({ mapping: ImportMapping, ...importOptions }),
  response: Import,
  errors: [...changing, 'import_begun'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const listImportRows = endpoint({
  id: 'listImportRows',
  method: 'GET',
  path: '/importer/imports/{id}/rows',
  ours: true,
  summary: 'The rows of an import, a page at a time.',
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
  summary: 'Does what was planned, in the background; also goes on with one that was stopped. Rows with problems are left out.',
  params: one,
  response: Import,
  status: 202,
  errors: [...changing, 'import_begun'],
  access: ['trainer.create'],
  offline: 'online-only',
});
export const stopImport = endpoint({
  id: 'stopImport',
  method: 'POST',
  path: '/importer/imports/{id}/stop',
  ours: true,
  summary: 'Stops an import after the rows that are being done. What was done stays; it can go on later.',
  params: one,
  response: Import,
  errors: changing,
  access: ['trainer.create'],
  offline: 'online-only',
});
export const resolveImportRow = endpoint({
  id: 'resolveImportRow',
  method: 'POST',
  path: '/importer/imports/{id}/rows/{no}/resolve',
  ours: true,
  summary: 'Says that a refused row has been dealt with.',
  params: z.object({ id: Id, no: z.string().check(z.regex(/^\d{1,6}$/, 'This is not a row.')) }),
  response: z.object({ unresolved: Count }),
  errors: changing,
  access: ['importer.resolve'],
  offline: 'online-only',
});

export const importEndpoints = [listImports, uploadImport, getImport, planImport, listImportRows, runImport, stopImport, resolveImportRow] as const;
