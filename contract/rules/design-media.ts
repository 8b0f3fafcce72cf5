import type { DesignBlock, PlayedBlock } from '#contract/entities/design.ts';
import type { Media } from '#contract/entities/media.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';

type Block = DesignBlock | PlayedBlock;

const mediaOfBlock = (block: Block): Media[] => {
  const mediaOf = ({ question }: Pick<Extract<Block, { kind: 'question' }>, 'question'>) =>
    question ? picturesOf(question).map(({ picture }) => picture.media) : [];
  switch (block.kind) {
    case 'picture':
      return block.media ? [block.media] : [];
    case 'question':
      return mediaOf(block);
    case 'film': {
      const parts = [block.media, block.poster, ...block.captions.map((c) => c.media)];
      return [...parts.filter((m) => m !== null), ...block.stops.flatMap(mediaOf)];
    }
    default:
      return [];
  }
};
/** The files of a design: pictures, films with their captions, and pictures of questions. */
export const mediaOfDesign = ({ pages }: { pages: readonly { rows: readonly { blocks: readonly Block[] }[] }[] }): Media[] =>
  pages.flatMap((page) => page.rows.flatMap((row) => row.blocks.flatMap(mediaOfBlock)));
