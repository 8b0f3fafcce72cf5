import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { AnswerKey, Picture, Question, QuestionBlock } from '#contract/entities/content.ts';

type Authored = AuthoredQuestion & { id: string };
type Parts = { question: Question; key: AnswerKey };

/** A name for one side of a pair or an item that does not reveal its position; deterministic. */
export type HidingName = (question: string, choice: string) => string;

const byId = <T extends { id: string }>(list: readonly T[]): T[] => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));

const pictured = ({ picture }: { picture?: Picture | undefined }) => (picture ? { picture } : {});

/** Splits an authored question into the question and its answer key. */
export const partsOfQuestion = (q: Authored, hidden: HidingName): Parts => {
  const { feedback } = q;
  const base = { id: q.id, prompt: q.prompt, ...pictured(q) };
  switch (q.kind) {
    case 'single':
    case 'multiple': {
      const options = q.options.map((o) => ({ id: o.id, text: o.text, ...pictured(o) }));
      const optionFeedback = q.options.filter((o) => o.feedback !== '').map((o) => [o.id, o.feedback] as const);
      const feedbacks = optionFeedback.length > 0 ? { feedbacks: Object.fromEntries(optionFeedback) } : {};
      const right = q.options.filter((o) => o.correct).map((o) => o.id);
      return q.kind === 'single'
        ? { question: { ...base, kind: q.kind, options }, key: { kind: q.kind, option: right[0] ?? '', feedback, ...feedbacks } }
        : { question: { ...base, kind: q.kind, options }, key: { kind: q.kind, options: right, feedback, ...feedbacks } };
    }
    case 'true_false':
      return { question: { ...base, kind: q.kind }, key: { kind: q.kind, value: q.correct, feedback } };
    case 'match': {
      const right = q.pairs.map((p) => ({ id: hidden(q.id, p.id), text: p.right }));
      return {
        question: { ...base, kind: q.kind, left: q.pairs.map((p) => ({ id: p.id, text: p.left })), right: byId(right) },
        key: { kind: q.kind, pairs: Object.fromEntries(q.pairs.map((p, i) => [p.id, right[i]?.id ?? ''])), feedback },
      };
    }
    case 'order': {
      const items = q.items.map(({ id: item, text }) => ({ id: hidden(q.id, item), text }));
      return { question: { ...base, kind: q.kind, items: byId(items) }, key: { kind: q.kind, items: items.map((i) => i.id), feedback } };
    }
    case 'fill_gap': {
      const gaps = Object.fromEntries(q.segments.flatMap((s) => (typeof s === 'string' ? [] : [[s.gap, s.accepted]])));
      const segments = q.segments.map((s) => (typeof s === 'string' ? s : { gap: s.gap }));
      return { question: { ...base, kind: q.kind, segments }, key: { kind: q.kind, gaps, feedback } };
    }
    case 'free_text':
      return { question: { ...base, kind: q.kind, min_words: q.min_words }, key: { kind: q.kind, min_words: q.min_words, feedback } };
  }
};

/** The inverse. Hidden names of choices stay hidden: splitting it again only changes them. */
export const authoredQuestion = ({ question: q, key: k }: Parts): Authored => {
  const common = { id: q.id, prompt: q.prompt, feedback: k.feedback, ...pictured(q) };
  const broken = () => new Error(`The answer of question ${q.id} is of another kind`);
  switch (q.kind) {
    case 'single':
    case 'multiple': {
      if (k.kind !== 'single' && k.kind !== 'multiple') throw broken();
      const right = k.kind === 'single' ? [k.option] : k.options;
      const options = q.options.map((o) => ({ ...o, correct: right.includes(o.id), feedback: k.feedbacks?.[o.id] ?? '' }));
      return { ...common, kind: q.kind, options };
    }
    case 'true_false':
      if (k.kind !== q.kind) throw broken();
      return { ...common, kind: q.kind, correct: k.value };
    case 'match': {
      if (k.kind !== q.kind) throw broken();
      const text = new Map(q.right.map((r) => [r.id, r.text]));
      return { ...common, kind: q.kind, pairs: q.left.map((l) => ({ id: l.id, left: l.text, right: text.get(k.pairs[l.id] ?? '') ?? '' })) };
    }
    case 'order': {
      if (k.kind !== q.kind) throw broken();
      const text = new Map(q.items.map((i) => [i.id, i.text]));
      return { ...common, kind: q.kind, items: k.items.map((id) => ({ id, text: text.get(id) ?? '' })) };
    }
    case 'fill_gap':
      if (k.kind !== q.kind) throw broken();
      return { ...common, kind: q.kind, segments: q.segments.map((s) => (typeof s === 'string' ? s : { ...s, accepted: k.gaps[s.gap] ?? [] })) };
    case 'free_text':
      return { ...common, kind: q.kind, min_words: q.min_words };
  }
};

/** A practice question as its author sees it. Unwritten parts are missing, so that it may not be a valid `AuthoredQuestion`. */
export const practiceInput = ({ question, key, feedback = '' }: QuestionBlock): object => {
  if (key) return authoredQuestion({ question, key });
  const { id, kind, prompt } = question;
  return { id, kind, prompt, feedback, ...pictured(question) };
};
/** What a practice question still needs before it can be answered, in a sentence; null if nothing. */
export const practiceProblem = (block: QuestionBlock): string | null => {
  const read = AuthoredQuestion.safeParse(practiceInput(block));
  return read.success ? null : (read.error.issues[0]?.message ?? 'It is not finished.');
};
