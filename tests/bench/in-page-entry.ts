import { request } from '#src/api/transport.ts';
import { recordProgress, saveAnswer, startAttempt } from '#src/offline/attempt-commands.ts';
import { replayFor } from '#src/offline/engine.ts';
import { personDb } from '#src/offline/store/person-db.ts';

export const app = { request, recordProgress, saveAnswer, startAttempt, replayFor, personDb };
export type App = typeof app;
(window as unknown as { app: App }).app = app;
