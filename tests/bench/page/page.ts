import { request } from '#src/api/transport.ts';
import { recordProgress, saveAnswer, startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { replayFor } from '#src/offline/engine.ts';
import { keepDraftFile } from '#src/features/care-certificates/draft-files.ts';
import { keepFileJournals } from '#src/offline/journal/file-journal.ts';
import { openStore } from '#src/offline/store/open-store.ts';
import { hasSecondCopy } from '#src/offline/outbox/commit.ts';
import { personDb } from '#src/offline/store/person-db.ts';

keepFileJournals();
export const app = { request, recordProgress, saveAnswer, startAttempt, replayFor, personDb, openStore, hasSecondCopy, keepDraftFile };
export type App = typeof app;
(window as unknown as { app: App }).app = app;
