import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Picture, Question } from '#contract/entities/content.ts';

/** The pictures of a question, each with its path within it: its own first, then those of its answers. */
export const picturesOf = (question: Question | AuthoredQuestion): { path: string; picture: Picture }[] => [
  ...(question.picture ? [{ path: 'picture', picture: question.picture }] : []),
  ...('options' in question ? question.options.flatMap(({ picture }, i) => (picture ? [{ path: `options.${i}.picture`, picture }] : [])) : []),
];
