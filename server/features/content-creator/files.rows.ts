import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Block, Media, Question } from '#contract/entities/content.ts';
import { mediaOfBlocks } from '#contract/rules/block-media.ts';
import { picturesOf, withPictures } from '#contract/rules/question-pictures.ts';
import { insertRow } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/product-error.ts';

/** A row of `media m` as the contract has it; null if there is none. */
export const mediaColumn: Statement = sql`case when m.hash is not null then json_build_object('hash', m.hash, 'url', '/api/media/' || m.name, 'type', m.type, 'bytes', m.bytes) end`;

/** Of these hashes, the files that the actor's organisation has uploaded or that `before` already uses, by their hash. */
export const usableFiles = async (on: Db, actor: Actor, hashes: readonly string[], before: readonly string[]): Promise<Map<string, Media>> => {
  if (hashes.length === 0) return new Map();
  const isOwn = actor.seesAll ? sql`true` : sql`exists (select 1 from content_files f where f.hash = m.hash and f.entity_id = ${actor.place.id})`;
  const rows = await on.all<{ media: Media }>(
    sql`select ${mediaColumn} as media from media m where m.hash = any(${[...hashes]}) and (${isOwn} or m.hash = any(${[...before]}))`,
  );
  return new Map(rows.map(({ media }) => [media.hash, media]));
};

/** The blocks with the stored details of their files, not those sent. Refuses files that are not the organisation's. */
export const withKnownFiles = async (on: Db, actor: Actor, blocks: readonly Block[], before: readonly Block[]): Promise<Block[]> => {
  const hashesOf = (someBlocks: readonly Block[]) => mediaOfBlocks(someBlocks).map((m) => m.hash);
  const known = await usableFiles(on, actor, hashesOf(blocks), hashesOf(before));
  const checked = ({ hash }: Media, index: number, types: RegExp): Media => {
    const media = known.get(hash);
    if (!media) throw invalid(`blocks.${index}`, 'The file of this block is not one of your organisation. Upload it again.');
    if (!types.test(media.type)) throw invalid(`blocks.${index}`, 'The file of this block is of another kind than the block.');
    return media;
  };
  return blocks.map((block, i) => {
    switch (block.kind) {
      case 'image':
        return { ...block, media: checked(block.media, i, /^image\//) };
      case 'audio':
        return { ...block, media: checked(block.media, i, /^audio\//) };
      case 'download':
        return { ...block, media: checked(block.media, i, /./) };
      case 'video':
        return {
          ...block,
          media: checked(block.media, i, /^video\//),
          poster: block.poster && checked(block.poster, i, /^image\//),
          captions: block.captions.map((c) => ({ ...c, media: checked(c.media, i, /^text\/vtt/) })),
        };
      case 'question':
        return { ...block, question: withPictures(block.question, (picture) => ({ ...picture, media: checked(picture.media, i, /^image\//) })) };
      default:
        return block;
    }
  });
};

/** The questions with the stored details of their pictures. Refuses those that are not the organisation’s. */
export const withKnownPictures = async (
  on: Db,
  actor: Actor,
  questions: readonly AuthoredQuestion[],
  before: readonly Question[],
): Promise<AuthoredQuestion[]> => {
  const hashesOf = (someQuestions: readonly (Question | AuthoredQuestion)[]) =>
    someQuestions.flatMap(picturesOf).map(({ picture }) => picture.media.hash);
  const known = await usableFiles(on, actor, hashesOf(questions), hashesOf(before));
  return questions.map((question, i) =>
    withPictures(question, (picture, path) => {
      const media = known.get(picture.media.hash);
      if (!media?.type.startsWith('image/'))
        throw invalid(`questions.${i}.${path}`, 'This picture is not one of your organisation. Upload it again.');
      return { ...picture, media };
    }),
  );
};

/** Registers a stored file for the actor's organisation, and returns it as the contract has it. */
export const keepFile = async (
  tx: Db,
  actor: Actor,
  file: { hash: string; bytes: number; type: string; ending: string; name: string },
): Promise<Media> => {
  const { hash, bytes, type, ending, name } = file;
  await tx.run(sql`${insertRow('media', { hash, name: `${hash}.${ending}`, type, bytes })} on conflict do nothing`);
  await tx.run(sql`${insertRow('content_files', { entity_id: actor.place.id, hash, name, uploaded_by: actor.user.uuid })} on conflict do nothing`);
  const stored = await tx.one<{ media: Media }>(sql`select ${mediaColumn} as media from media m where m.hash = ${hash}`);
  if (!stored) throw new Error('A file that was just stored is not there');
  return stored.media;
};
