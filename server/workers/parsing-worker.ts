import { serveTasks } from '#server/workers/serve-tasks.ts';

/** What is read of other people's files, in a thread that may be ended at any moment. Each reader is loaded when it is first needed. */
serveTasks({
  package: async (input) => (await import('#server/features/packages/read-package.ts')).readPackage(input),
});
