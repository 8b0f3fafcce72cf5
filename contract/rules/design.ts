import type { Answer, AnswerKey, ContentDocument, Question } from '#contract/entities/content.ts';
import type { Design, DesignBlock, PlayedBlock, PlayedDesign, PlayedPage } from '#contract/entities/design.ts';
import { isAnswered, partsToAnswer } from '#contract/rules/grade-answer.ts';

/**
 * Designed contents as learners take them: what there is to do, and what of it somebody has done.
 *
 * Each page to read and each required block counts as a topic of the content, under its own id, and all scored
 * questions together are its quiz, under the content's id: attempts, results and offline work are the same as for every other content.
 */

type Steps = Extract<DesignBlock, { kind: 'scenario' }>['steps'];
type AnyBlock = DesignBlock | PlayedBlock;
const blank = (text: string) => text.trim() === '';

export const blocksOfPage = <B>(page: { rows: readonly { blocks: readonly B[] }[] }): B[] => page.rows.flatMap((row) => row.blocks);

export const isScored = (block: AnyBlock): boolean =>
  block.kind === 'question' ? block.scored : block.kind === 'film' ? block.stops.some((s) => s.scored) : false;
/** Whether a block is required to complete the content, apart from the scored questions. */
export const isToDo = (block: AnyBlock): boolean => {
  if (!('required' in block) || !block.required) return false;
  if (block.kind === 'picture') return block.spots.length > 0;
  return block.kind !== 'question' || !block.scored;
};
/** What the learner has to do in it, in words. */
export const toDoWords = (block: AnyBlock): string => {
  const titled = (title: string) => (blank(title) ? '' : `: ${title.trim()}`);
  switch (block.kind) {
    case 'picture':
      return 'Open every spot of the picture';
    case 'cards':
      return `Turn every card${titled(block.title)}`;
    case 'scenario':
      return `Reach a good end of the scenario${titled(block.title)}`;
    case 'question':
      return 'Answer the question';
    case 'film':
      return `Watch the video to its end${titled(block.title)}`;
    case 'acknowledgement':
      return 'Sign that you have read and understood';
    case 'checklist':
      return `Tick the whole list${titled(block.title)}`;
    case 'text':
    case 'timeline':
      return 'Read it';
  }
};

/** In the answer of a film: it was watched to its end. The other options are its answered questions. */
export const filmEnd = 'end';
/** The steps to which the choices have led, from the first on; the way back from a loop is left out. */
export const scenarioWay = (steps: Steps, choices: readonly string[]): Steps[number][] => {
  const way = steps.slice(0, 1);
  for (const id of choices) {
    const nextId = way.at(-1)?.choices.find((c) => c.id === id)?.to;
    const next = steps.find((s) => s.id === nextId);
    if (!next) break;
    way.push(next);
  }
  return way;
};
/**
 * Whether a block is done, given the work in it as an answer: the spots opened, cards turned, items ticked (ids of
 * `multiple`), the choices in order (`order`), the signed name (`free_text`), or the answer to its question.
 */
export const isBlockDone = (block: PlayedBlock, answer: Answer | undefined): boolean => {
  const all = (ids: readonly { id: string }[]) => answer?.kind === 'multiple' && ids.every(({ id }) => answer.options.includes(id));
  switch (block.kind) {
    case 'text':
    case 'timeline':
      return true;
    case 'picture':
      return block.spots.length === 0 || all(block.spots);
    case 'cards':
      return all(block.cards);
    case 'checklist':
      return all(block.items);
    case 'film':
      return all([...block.stops, { id: filmEnd }]);
    case 'acknowledgement':
      return answer?.kind === 'free_text' && !blank(answer.text);
    case 'scenario':
      return answer?.kind === 'order' && scenarioWay(block.steps, answer.items).at(-1)?.end === 'good';
    case 'question':
      return answer?.kind === block.question.kind && isAnswered(answer, partsToAnswer(block.question));
  }
};
/** All questions of a design, with whether they are scored, under the ids of their answers: that of their block, or of their pause in a film. */
const questionsOf = (blocks: readonly PlayedBlock[]) =>
  blocks.flatMap((block) =>
    block.kind === 'question'
      ? [{ id: block.id, scored: block.scored, question: block.question }]
      : block.kind === 'film'
        ? block.stops.map(({ id, scored, question }) => ({ id, scored, question }))
        : [],
  );

type Parted = { question: Question; key: AnswerKey };
/**
 * A design as learners get it, and the answers to its scored questions, which they do not get. `part` splits a question into both. Only for
 * a design without problems: unwritten parts are left out.
 */
export const playedDesign = (
  design: Design,
  part: (question: NonNullable<Extract<DesignBlock, { kind: 'question' }>['question']> & { id: string }) => Parted,
): { design: PlayedDesign; keys: Record<string, AnswerKey> } => {
  const keys: Record<string, AnswerKey> = {};
  const taken = <Q extends Pick<Extract<DesignBlock, { kind: 'question' }>, 'id' | 'question' | 'scored'>>({ question, ...rest }: Q) => {
    if (question === null) return [];
    const parted = part({ ...question, id: rest.id });
    if (rest.scored) keys[rest.id] = parted.key;
    return [{ ...rest, question: parted.question, key: rest.scored ? null : parted.key }];
  };
  const played = (block: DesignBlock): PlayedBlock[] => {
    if (block.kind === 'question') return taken(block);
    if (block.kind === 'film') return [{ ...block, stops: block.stops.flatMap(taken).sort((a, b) => a.at - b.at) }];
    return [block];
  };
  const pages = design.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => ({ ...row, blocks: row.blocks.flatMap(played) })).filter((row) => row.blocks.length > 0),
  }));
  return { design: { ...design, pages }, keys };
};

/** What is required in a design, as the lessons and quizzes from which completion is computed. `id` is the content's. */
export const coursePartsOf = (id: string, design: PlayedDesign): Pick<ContentDocument, 'lessons' | 'quizzes'> => {
  const topic = { hidden: false, is_child: false, parent_id: null, blocks: [] };
  const lessons = design.pages.map((page) => ({
    ...{ id: page.id, title: page.title, question_qty: 0 },
    topics: [
      { ...topic, id: page.id, title: page.title, skippable: !page.required },
      ...blocksOfPage(page)
        .filter(isToDo)
        .map((block) => ({ ...topic, id: block.id, title: toDoWords(block), skippable: false })),
    ],
  }));
  const questions = questionsOf(design.pages.flatMap((p) => blocksOfPage(p)))
    .filter((q) => q.scored)
    .map((q) => q.question);
  const { pass_percent, max_tries } = design;
  const quiz = { id, title: 'Your answers', is_randomized: false, question_qty: 0, pass_percent, max_tries, questions };
  return { lessons, quizzes: questions.length > 0 ? [quiz] : [] };
};

/** What is still to do on a page, in words: reading it, and its blocks. `done` says whether a page or block is done. */
export const leftOnPage = (page: PlayedPage, done: (id: string) => boolean): { id: string; words: string }[] => [
  ...(page.required && !done(page.id) ? [{ id: page.id, words: 'Read this page' }] : []),
  ...blocksOfPage(page)
    .filter((block) => isToDo(block) && !done(block.id))
    .map((block) => ({ id: block.id, words: toDoWords(block) })),
];
