import { blocksOf, type Edited, type EditedBlock } from '#src/features/content-designer/edited.ts';
import { nameOf } from '#src/features/content-designer/edits.ts';

/** A template's placeholders, for its author to replace. */
const toReplace = /\[[^[\]]{2,}\]/;

/** The texts of a block that people read. A question uses brackets itself, for gaps. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
const readIn = (block: EditedBlock): string[] => {
  if (block.kind === 'question') return [];
  if (block.kind === 'film') return [block.title];
  return textsIn(block);
};

export type Note = { page: string; block: string | null; message: string };
/** Placeholders that are still in the design: they do not prevent publishing, but people would read them. */
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
