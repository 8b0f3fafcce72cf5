import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Media } from '#contract/entities/content.ts';
import { type QuestionFile, questionFileLimits, type TakenQuestions } from '#contract/entities/question-file.ts';
import { withPictures } from '#contract/rules/question-pictures.ts';
import { imagesOf } from '#server/features/content-creator/images.service.ts';
import { atMost } from '#server/files/at-most.ts';
import { uploadsFolder } from '#server/files/leftovers.ts';
import type { Actor } from '#server/actor.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { parseQuestionPictures, parseQuestions } from '#server/workers/parsing.ts';

/** Keeps an uploaded file, and anything written beside it, only as long as `use` takes. */
const whileKept = async <T>({ config }: Pick<Services, 'config'>, body: Readable, use: (path: string) => Promise<T>): Promise<T> => {
  const folder = uploadsFolder(config.DATA_DIR);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.questions`);
  try {
    await pipeline(body, atMost(questionFileLimits.bytes), createWriteStream(path));
    return await use(path);
  } finally {
    for (const name of await readdir(folder)) if (name.startsWith(basename(path))) await rm(join(folder, name), { force: true });
  }
};

/** Reads the questions of an uploaded file. Nothing of it is stored. */
export const readQuestions = (services: Pick<Services, 'config'>, body: Readable): Promise<QuestionFile> =>
  whileKept(services, body, (path) => parseQuestions(path));

const tooLate = 'no time was left. Take fewer questions at once';
/** Stores a picture for the actor's organisation, or returns why it cannot be used. */
const keptPicture = async (services: Pick<Services, 'db' | 'files'>, actor: Actor, file: string): Promise<Media | string> => {
  try {
    return await imagesOf(services).add(actor, await readFile(file));
  } catch (error) {
    if (error instanceof ProductError && error.fields?.file) return 'damaged, or of more than 100 megapixels';
    throw error;
  }
};

/** Stores the pictures of chosen questions of an uploaded file, and returns the questions with them. */
export const takeQuestions = (
  services: Pick<Services, 'config' | 'db' | 'files'>,
  actor: Actor,
  body: Readable,
  chosen: readonly number[],
): Promise<TakenQuestions> =>
  whileKept(services, body, async (path) => {
    const read = await parseQuestionPictures(path, path, chosen);
    const until = performance.now() + questionFileLimits.drawMs;
    const outcomeByHash = new Map<string, Media | string>();
    for (const { hash, file } of read.pictures)
      outcomeByHash.set(hash, performance.now() > until ? tooLate : await keptPicture(services, actor, file));
    const names = new Map(read.pictures.map(({ hash, name }) => [hash, name]));
    const left: string[] = [];
    const questions = read.questions.map(({ index, place, question }) => ({
      index,
      question: withPictures(question, (picture) => {
        const media = outcomeByHash.get(picture.media.hash) ?? tooLate;
        if (typeof media !== 'string') return { ...picture, media };
        const name = picture.alt || (names.get(picture.media.hash) ?? '');
        left.push(`${place[0]?.toUpperCase() ?? ''}${place.slice(1)}: a picture${name && ` (“${name}”)`} is left behind: ${media}.`);
        return null;
      }),
    }));
    return { questions, left };
  });
