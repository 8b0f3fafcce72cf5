import type { Readable } from 'node:stream';
import type { importEndpoints } from '#contract/api/imports.ts';
import { importLimits } from '#contract/entities/import.ts';
import { importOf, importPage, rowPage } from '#server/features/importer/imports.rows.ts';
import { createImporter } from '#server/features/importer/imports.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { wholeBody } from '#server/http/whole-body.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

export const importHandlers = (services: Services): HandlersOf<typeof importEndpoints> => {
  const { db, jobs } = services;
  const importer = createImporter(services);
  return {
    listImports: ({ query, actor }) => importPage(db, actor, query),
    uploadImport: async ({ query, actor, request }) => {
      importer.requireKind(actor, query.kind);
      const id = await importer.open({ actor, address: request.ip }, await wholeBody(request.body as Readable, importLimits.bytes), query);
      return { data: await importOf(db, actor, id) };
    },
    getImport: async ({ params, actor }) => ({ data: await importOf(db, actor, params.id) }),
    planImport: async ({ params, body: { mapping, ...options }, actor }) => {
      await importer.plan(actor, await importOf(db, actor, params.id), mapping, options);
      return { data: await importOf(db, actor, params.id) };
    },
    listImportRows: async ({ params, query, actor }) => {
      await importOf(db, actor, params.id);
      return rowPage(db, params.id, query);
    },
    runImport: async ({ params, actor, request }) => {
      const plan = await importOf(db, actor, params.id);
      importer.requireKind(actor, plan.kind);
      if (!(await importer.start({ actor, address: request.ip }, plan))) throw new ProductError('import_begun');
      jobs.wake();
      return { data: await importOf(db, actor, params.id) };
    },
    stopImport: async ({ params, actor }) => {
      await importer.stop(await importOf(db, actor, params.id), actor);
      return { data: await importOf(db, actor, params.id) };
    },
    resolveImportRow: async ({ params, actor }) => {
      await importer.resolve((await importOf(db, actor, params.id)).id, Number(params.no), actor);
      return { data: { unresolved: (await importOf(db, actor, params.id)).unresolved } };
    },
  };
};
