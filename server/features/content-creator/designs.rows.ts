import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Design, DesignBlock, PlayedBlock, PlayedDesign } from '#contract/entities/design.ts';
import type { Media } from '#contract/entities/media.ts';
import { mediaOfDesign } from '#contract/rules/design-media.ts';
import { withPictures } from '#contract/rules/question-pictures.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { usableFiles } from '#server/features/content-creator/files.rows.ts';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/product-error.ts';

/** The working copy of the pages of a designed content, if it belongs to the actor's organisation. */
export const designOf = async (on: Db, id: string): Promise<Design | undefined> =>
  (await on.one<{ design: Design }>(sql`select d.design from designs d where d.content_id = ${id}`))?.design;

export const keepDesign = (tx: Db, id: string, design: Design): Promise<number> =>
  tx.run(
    sql`insert into designs (content_id, design) values (${id}, ${JSON.stringify(design)}) on conflict (content_id) do update set design = excluded.design`,
  );

/** The design with each of its files replaced by the result of `known`, which receives the required type of file and its field. */
export const withDesignFiles = (design: Design, known: (media: Media, types: RegExp, field: string) => Media): Design => {
  const inBlock = (block: DesignBlock, field: string): DesignBlock => {
    const checked = (media: Media, types: RegExp) => known(media, types, field);
    const cleaned = (question: AuthoredQuestion | null) =>
      question && withPictures(question, (picture) => ({ ...picture, media: checked(picture.media, /^image\//) }));
    if (block.kind === 'picture') return { ...block, media: block.media && checked(block.media, /^image\//) };
    if (block.kind === 'question') return { ...block, question: cleaned(block.question) };
    if (block.kind !== 'film') return block;
    return {
      ...block,
      media: block.media && checked(block.media, /^video\//),
      poster: block.poster && checked(block.poster, /^image\//),
      captions: block.captions.map((c) => ({ ...c, media: checked(c.media, /^text\/vtt/) })),
      stops: block.stops.map((s) => ({ ...s, question: cleaned(s.question) })),
    };
  };
  return {
    ...design,
    pages: design.pages.map((page, p) => ({
      ...page,
      rows: page.rows.map((row, r) => ({
        ...row,
        blocks: row.blocks.map((block, b) => inBlock(block, `design.pages.${p}.rows.${r}.blocks.${b}`)),
      })),
    })),
  };
};

/** The design with the stored details of its files, not those sent. Refuses files that are not the organisation's. */
export const withKnownDesignFiles = async (on: Db, actor: Actor, design: Design, before: Design | null): Promise<Design> => {
  const hashesOf = (someDesign: Design | null) => (someDesign ? mediaOfDesign(someDesign).map((m) => m.hash) : []);
  const known = await usableFiles(on, actor, hashesOf(design), hashesOf(before));
  return withDesignFiles(design, ({ hash }, types, field) => {
    const media = known.get(hash);
    if (!media) throw invalid(field, 'The file of this block is not one of your organisation. Upload it again.');
    if (!types.test(media.type)) throw invalid(field, 'The file of this block is of another kind than the block.');
    return media;
  });
};

/** A design rebuilt from what learners get: without its questions, whose answers only the author has. */
export const designOfPlayed = (played: PlayedDesign): Design => {
  const storedBlocks = (block: PlayedBlock): DesignBlock[] => {
    if (block.kind === 'question') return [];
    return [block.kind === 'film' ? { ...block, stops: [] } : block];
  };
  const pages = played.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => ({ ...row, blocks: row.blocks.flatMap(storedBlocks) })).filter((row) => row.blocks.length > 0),
  }));
  return { ...played, pages };
};
