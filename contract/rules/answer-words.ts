import type { Answer, Question } from '#contract/entities/content.ts';

type Written = Extract<Question, { kind: 'free_text' }>;
const enough = ({ min_words: words }: Pick<Written, 'min_words'>) => `${words} ${words === 1 ? 'word' : 'words'}`;
/** When a written answer counts, said before it is handed in. Nobody marks what it says. */
export const writtenCounts = (question: Pick<Written, 'min_words'>): string =>
  `It counts ${question.min_words > 0 ? `when it has at least ${enough(question)}` : 'when something is written'}. Nobody marks what it says.`;

/** What is said of an answer that was handed in. A written one is not called right: only its length was looked at. */
export const outcomeWords = (question: Question, correct: boolean): string => {
  if (question.kind !== 'free_text') return correct ? 'Right' : 'Not right';
  if (correct) return 'Handed in. Nobody marks what it says.';
  return question.min_words > 0 ? `Does not count: fewer than ${enough(question)}` : 'Not answered';
};

/** An answer to a question in words, equal for equivalent answers; null if there is none, or if it is free text. */
export const answerWords = (question: Question, answer: Answer | null | undefined): string | null => {
  if (!answer || answer.kind !== question.kind) return null;
  const textIn = (list: readonly { id: string; text: string }[], id: string) => list.find((o) => o.id === id)?.text ?? '…';
  switch (question.kind) {
    case 'single':
      return answer.kind === 'single' ? textIn(question.options, answer.option) : null;
    case 'multiple': {
      const chosen = answer.kind === 'multiple' ? question.options.filter((o) => answer.options.includes(o.id)) : [];
      return chosen.length > 0 ? chosen.map((o) => o.text).join(' + ') : null;
    }
    case 'true_false':
      return answer.kind === 'true_false' ? (answer.value ? 'True' : 'False') : null;
    case 'match': {
      const pairs = answer.kind === 'match' ? answer.pairs : {};
      const pairWords = question.left.flatMap((l) => (pairs[l.id] ? [`${l.text}: ${textIn(question.right, pairs[l.id] as string)}`] : []));
      return pairWords.length > 0 ? pairWords.join('; ') : null;
    }
    case 'order':
      return answer.kind === 'order' ? answer.items.map((id, i) => `${i + 1}. ${textIn(question.items, id)}`).join('  ') : null;
    case 'fill_gap': {
      const gaps = answer.kind === 'fill_gap' ? answer.gaps : {};
      const gapWords = question.segments.flatMap((s) => (typeof s === 'string' ? [] : [(gaps[s.gap] ?? '').trim().toLowerCase() || '…']));
      return gapWords.some((s) => s !== '…') ? gapWords.join(' / ') : null;
    }
    case 'free_text':
      return null;
  }
};
