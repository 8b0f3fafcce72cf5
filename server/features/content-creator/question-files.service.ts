import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type QuestionFile, questionFileLimits } from '#contract/entities/question-file.ts';
import { atMost } from '#server/files/at-most.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import type { Services } from '#server/services.ts';
import { parseQuestions } from '#server/workers/parsing.ts';

/** Reads the questions of an uploaded file, which is kept no longer than that. */
export const readQuestions = async ({ config }: Pick<Services, 'config'>, body: Readable): Promise<QuestionFile> => {
  const folder = uploadsFolder(config.DATA_DIR);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.questions`);
  try {
    await pipeline(body, atMost(questionFileLimits.bytes), createWriteStream(path));
    return await parseQuestions(path);
  } finally {
    await rm(path, { force: true });
  }
};
