import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Picture, Question } from '#contract/entities/content.ts';

/** The pictures of a question, each with its path: its own first, then those of its answers. */
export const picturesOf = (question: Question | AuthoredQuestion): { path: string; picture: Picture }[] => [
  ...(question.picture ? [{ path: 'picture', picture: question.picture }] : []),
  ...('options' in question ? question.options.flatMap(({ picture }, i) => (picture ? [{ path: `options.${i}.picture`, picture }] : [])) : []),
];

const without = <T extends { picture?: Picture | undefined }>({ picture: _, ...rest }: T) => rest;
/** A question with each of its pictures replaced by the one in `known`; pictures that are not in it are removed. */
export const withPictures = <Q extends Question | AuthoredQuestion>(question: Q, known: (picture: Picture, path: string) => Picture | null): Q => {
  const one = <T extends { picture?: Picture | undefined }>(part: T, path: string): T => {
    const picture = part.picture && known(part.picture, path);
    return (picture ? { ...part, picture } : part.picture ? without(part) : part) as T;
  };
  const result = one(question, 'picture');
  if (result.kind !== 'single' && result.kind !== 'multiple') return result;
  return { ...result, options: result.options.map((o, n) => one(o, `options.${n}.picture`)) };
};
