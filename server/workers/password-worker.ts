import { argon2Sync } from 'node:crypto';
import { serveTasks } from '#server/workers/serve-tasks.ts';

/** Hashes passwords in a thread. */
serveTasks({
  argon2id: async (input: Parameters<typeof argon2Sync>[1]) => argon2Sync('argon2id', input),
});
