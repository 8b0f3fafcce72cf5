import type { TableEncoding } from '#contract/rules/table-encoding.ts';
import { serveTasks } from '#server/workers/serve-tasks.ts';

/** What is read of other people's files, in a thread that may be ended at any moment. Each reader is loaded when it is first needed. */
serveTasks({
  package: async (input) => (await import('#server/features/packages/read-package.ts')).readPackage(input),
  table: async ({ bytes, encoding }: { bytes: Uint8Array; encoding?: TableEncoding }) =>
    (await import('#server/features/importer/read-table.ts')).readTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding),
});
