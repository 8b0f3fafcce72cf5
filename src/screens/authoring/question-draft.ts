import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Picture, Question } from '#contract/entities/content.ts';
import { gapSegments, gapText } from '#src/screens/authoring/gap-text.ts';

export type Kind = AuthoredQuestion['kind'];
export const kindWords: Record<Kind, { label: string; about: string }> = {
  single: { label: 'One right answer', about: 'Choose one of several.' },
  multiple: { label: 'Several right answers', about: 'Choose all that are right.' },
  true_false: { label: 'True or false', about: 'A statement that is right or wrong.' },
  match: { label: 'Match pairs', about: 'Find what belongs together.' },
  order: { label: 'Put in order', about: 'Steps in the right order.' },
  fill_gap: { label: 'Fill in the gaps', about: 'Words that are missing in a text.' },
  free_text: { label: 'Written answer', about: 'In their own words. Only the number of words is checked: nobody marks what it says.' },
};

type OptionDraft = { id: string; text: string; correct: boolean; feedback: string; picture?: Picture | undefined };
/**
 * A question being written. It holds the values of every kind, so that switching the kind loses nothing.
 * `key` identifies it on the page; `id` exists once it was saved.
 */
export type QuestionDraft = {
  key: string;
  id?: string | undefined;
  kind: Kind;
  prompt: string;
  feedback: string;
  picture?: Picture | undefined;
  options: OptionDraft[];
  correct: boolean | null;
  pairs: { id: string; left: string; right: string }[];
  items: { id: string; text: string }[];
  /** The text with its gaps in brackets; `gaps` has their ids, in order. Changed by `withText`. */
  text: string;
  gaps: string[];
  min_words: number | string;
};

/** The id of a new choice: unlike every other one, also of choices that were deleted, whose answers may be stored. */
export const newId = (): string => crypto.randomUUID().slice(0, 13);
const newOption = (id: string): OptionDraft => ({ id, text: '', correct: false, feedback: '' });

/** An empty question. */
export const emptyQuestion = (kind: Kind, key: string = crypto.randomUUID()): QuestionDraft => ({
  ...{ key, kind, prompt: '', feedback: '' },
  options: ['c1', 'c2', 'c3'].map(newOption),
  correct: null,
  pairs: ['c1', 'c2', 'c3'].map((id) => ({ id, left: '', right: '' })),
  items: ['c1', 'c2', 'c3'].map((id) => ({ id, text: '' })),
  ...{ text: '', gaps: [], min_words: 20 },
});

/** The draft of a saved question. */
export const draftOf = (q: AuthoredQuestion, key: string = q.id ?? crypto.randomUUID()): QuestionDraft => {
  const draft = { ...emptyQuestion(q.kind, key), id: q.id, prompt: q.prompt, feedback: q.feedback, picture: q.picture };
  switch (q.kind) {
    case 'single':
    case 'multiple':
      return { ...draft, options: q.options };
    case 'true_false':
      return { ...draft, correct: q.correct };
    case 'match':
      return { ...draft, pairs: q.pairs };
    case 'order':
      return { ...draft, items: q.items };
    case 'fill_gap':
      return { ...draft, text: gapText(q.segments), gaps: q.segments.flatMap((s) => (typeof s === 'string' ? [] : s.gap)) };
    case 'free_text':
      return { ...draft, min_words: q.min_words };
  }
};

/** The same question as a new one. */
export const copyOf = (draft: QuestionDraft): QuestionDraft => ({ ...draft, key: crypto.randomUUID(), id: undefined });

const gapsIn = (text: string): string[] => gapSegments(text).flatMap((s) => (typeof s === 'string' ? [] : [JSON.stringify(s.accepted)]));

/** The draft with another text with gaps: gaps that are still there keep their ids, a new one gets an id of its own. */
export const withText = (draft: QuestionDraft, text: string): QuestionDraft => {
  const [before, after] = [gapsIn(draft.text), gapsIn(text)];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const ids = distinct(draft.gaps, before.length);
  const between = ids.slice(start, before.length - end);
  const changed = Array.from({ length: after.length - end - start }, (_, i) => between[i] ?? newId());
  return { ...draft, text, gaps: [...ids.slice(0, start), ...changed, ...ids.slice(before.length - end)] };
};

/** So many ids, no two alike: these as far as they go. Deterministic, so that a draft that lacks some is sent alike each time. */
const distinct = (ids: readonly string[], count: number): string[] => {
  const taken = new Set<string>();
  const known = new Set(ids);
  return Array.from({ length: count }, (_, i) => {
    let id = ids[i];
    for (let n = i + 1; id === undefined || taken.has(id); n += 1) id = known.has(`c${n}`) ? undefined : `c${n}`;
    taken.add(id);
    return id;
  });
};

const segmentsOf = ({ text, gaps }: QuestionDraft) => {
  const segments = gapSegments(text);
  const ids = distinct(gaps, segments.filter((s) => typeof s !== 'string').length).values();
  return segments.map((s) => (typeof s === 'string' ? s : { gap: ids.next().value as string, accepted: s.accepted }));
};

/** The values to save: those of its kind. */
export const inputOf = (draft: QuestionDraft): object => {
  const { kind, id, prompt, feedback, picture } = draft;
  const common = { kind, ...(id === undefined ? {} : { id }), prompt, feedback, ...(picture ? { picture } : {}) };
  switch (kind) {
    case 'single':
    case 'multiple':
      return { ...common, options: draft.options };
    case 'true_false':
      return { ...common, correct: draft.correct ?? undefined };
    case 'match':
      return { ...common, pairs: draft.pairs };
    case 'order':
      return { ...common, items: draft.items };
    case 'fill_gap':
      return { ...common, segments: segmentsOf(draft) };
    case 'free_text':
      return { ...common, min_words: draft.min_words === '' ? 0 : Number(draft.min_words) };
  }
};

/** The question as a learner gets it, as far as it is written. */
export const learnersView = (draft: QuestionDraft): Question => {
  const { kind, key: id, prompt, picture } = draft;
  const base = { id, prompt, ...(picture ? { picture } : {}) };
  switch (kind) {
    case 'single':
    case 'multiple':
      return { ...base, kind, options: draft.options.map((o) => ({ id: o.id, text: o.text, ...(o.picture ? { picture: o.picture } : {}) })) };
    case 'true_false':
      return { ...base, kind };
    case 'match':
      return {
        ...{ ...base, kind },
        left: draft.pairs.map(({ id: pair, left }) => ({ id: pair, text: left })),
        right: draft.pairs.map(({ id: pair, right }) => ({ id: pair, text: right })),
      };
    case 'order':
      return { ...base, kind, items: draft.items };
    case 'fill_gap':
      return { ...base, kind, segments: segmentsOf(draft).map((s) => (typeof s === 'string' ? s : { gap: s.gap })) };
    case 'free_text':
      return { ...base, kind, min_words: Number(draft.min_words) || 0 };
  }
};

/** The errors of one question, by the path within it. */
export const errorsWithin = (errors: Partial<Record<string, string>>, index: number): Partial<Record<string, string>> => {
  const start = `questions.${index}.`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, words]) => (path.startsWith(start) && words ? [[path.slice(start.length), words]] : [])),
  );
};
