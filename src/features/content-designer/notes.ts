import { blocksOf, type Edited, type EditedBlock } from '#src/features/content-designer/edited.ts';
import { nameOf } from '#src/features/content-designer/edits.ts';

/** What a template leaves for its author to replace. */
const toReplace = /\[[^[\]]{2,}\]/;

/** Texts of a block as people read them. A question has brackets of its own, for gaps. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
const readIn = (block: EditedBlock): string[] => {
  if (block.kind === 'question') return [];
  if (block.kind === 'film') return [block.title];
  return textsIn(block);
};

export type Note = { page: string; block: string | null; message: string };
/** What is still as a template has it: nothing keeps it from being published, and people would read it. */
export const templateNotes = ({ pages }: Edited): Note[] =>
  pages.flatMap((page) => [
    ...(toReplace.test(page.title)
      ? [{ page: page.id, block: null, message: `The title “${page.title}” has brackets that are for you to replace.` }]
      : []),
    ...blocksOf(page).flatMap((block) => {
      const left = readIn(block).flatMap((text) => toReplace.exec(text)?.[0] ?? []);
      return left[0]
        ? [
            {
              page: page.id,
              block: block.id,
              message: `Replace ${left[0]}${left.length > 1 ? ` and ${left.length - 1} more` : ''} in ${nameOf(block)}`,
            },
          ]
        : [];
    }),
  ]);
