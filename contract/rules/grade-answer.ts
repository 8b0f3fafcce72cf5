import type { Answer, AnswerKey, Question } from '#contract/entities/content.ts';

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean).length;
const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.,;!?]+$/, '');

/**
 * Whether an answer is right. A missing answer, or one of another kind, is wrong. Free text is right if it is long enough: the
 * aim is reflection, and the feedback shows a model answer.
 */
export const isCorrect = (answer: Answer | undefined, key: AnswerKey): boolean => {
  if (!answer || answer.kind !== key.kind) return false;
  switch (key.kind) {
    case 'single':
      return (answer as Extract<Answer, { kind: 'single' }>).option === key.option;
    case 'multiple': {
      const chosenOptions = new Set((answer as Extract<Answer, { kind: 'multiple' }>).options);
      return chosenOptions.size === key.options.length && key.options.every((o) => chosenOptions.has(o));
    }
    case 'true_false':
      return (answer as Extract<Answer, { kind: 'true_false' }>).value === key.value;
    case 'match': {
      const { pairs } = answer as Extract<Answer, { kind: 'match' }>;
      return Object.entries(key.pairs).every(([l, r]) => pairs[l] === r);
    }
    case 'order': {
      const { items } = answer as Extract<Answer, { kind: 'order' }>;
      return items.length === key.items.length && key.items.every((id, i) => items[i] === id);
    }
    case 'fill_gap': {
      const { gaps } = answer as Extract<Answer, { kind: 'fill_gap' }>;
      return Object.entries(key.gaps).every(([gap, accepted]) => accepted.some((a) => plain(a) === plain(gaps[gap] ?? '')));
    }
    case 'free_text':
      return words((answer as Extract<Answer, { kind: 'free_text' }>).text) >= key.min_words;
  }
};

/** The feedback after a try: that of the chosen options, then that of the question. */
export const answerFeedback = (answer: Answer | undefined, key: AnswerKey): string => {
  const chosen = answer?.kind === 'single' ? [answer.option] : answer?.kind === 'multiple' ? answer.options : [];
  return [...chosen.flatMap((option) => key.feedbacks?.[option] ?? []), key.feedback].filter((text) => text !== '').join(' ');
};

/** How many parts of a question need an answer. */
export const partsToAnswer = (q: Question): number => {
  switch (q.kind) {
    case 'match':
      return q.left.length;
    case 'order':
      return q.items.length;
    case 'fill_gap':
      return q.segments.filter((s) => typeof s !== 'string').length;
    default:
      return 1;
  }
};

/** Whether the question has been fully answered. */
export const isAnswered = (answer: Answer | undefined, size: number): boolean => {
  if (!answer) return false;
  switch (answer.kind) {
    case 'single':
      return answer.option !== '';
    case 'multiple':
      return answer.options.length > 0;
    case 'true_false':
      return true;
    case 'match':
      return Object.values(answer.pairs).filter(Boolean).length >= size;
    case 'order':
      return answer.items.length === size;
    case 'fill_gap':
      return Object.values(answer.gaps).filter((g) => g.trim() !== '').length >= size;
    case 'free_text':
      return answer.text.trim() !== '';
  }
};
