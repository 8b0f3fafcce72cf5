import type { Block, Media } from '#contract/entities/content.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';

const mediaOfBlock = (block: Block): Media[] => {
  switch (block.kind) {
    case 'image':
    case 'audio':
    case 'download':
      return [block.media];
    case 'video':
      return [block.media, ...(block.poster ? [block.poster] : []), ...block.captions.map((c) => c.media)];
    case 'question':
      return picturesOf(block.question).map(({ picture }) => picture.media);
    default:
      return [];
  }
};
/** The files that are used by the blocks of a topic. */
export const mediaOfBlocks = (blocks: readonly Block[]): Media[] => blocks.flatMap(mediaOfBlock);
