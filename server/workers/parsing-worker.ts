import type { ContentFileKind } from '#contract/entities/content-file.ts';
import type { TableEncoding } from '#contract/rules/table-encoding.ts';
import { serveTasks } from '#server/workers/serve-tasks.ts';

/** Parses uploaded files in a thread that may be killed at any moment. Each parser is loaded on first use. */
serveTasks({
  package: async (input) => (await import('#server/features/packages/read-package.ts')).readPackage(input),
  content_file: async (input: { path: string; kind: ContentFileKind; name: string }) =>
    (await import('#server/features/content-creator/look-into-file.ts')).lookInto(input),
  questions: async (input: { path: string }) =>
    (await import('#server/features/content-creator/reading/read-question-file.ts')).readQuestionFile(input),
  question_pictures: async (input: { path: string; into: string; chosen: number[] }) =>
    (await import('#server/features/content-creator/reading/read-question-file.ts')).readQuestionPictures(input),
  course: async (input: { path: string }) => (await import('#server/features/content-creator/reading/read-course-file.ts')).readCourseFile(input),
  table: async ({ bytes, encoding }: { bytes: Uint8Array; encoding?: TableEncoding }) =>
    (await import('#server/features/importer/read-table.ts')).readTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding),
});
