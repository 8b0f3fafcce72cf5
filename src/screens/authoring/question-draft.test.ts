import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuthoredQuestion, questionKinds } from '#contract/entities/authored-question.ts';
import { Block, Question } from '#contract/entities/content.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { authoredQuestion, partsOfQuestion, practiceInput, practiceProblem } from '#contract/rules/question-parts.ts';
import { practiceBlock, practiceDraft } from '#src/screens/authoring/practice-draft.ts';
import { schemaErrors } from '#src/screens/schema-errors.ts';
import { gapSegments, gapText } from '#src/screens/authoring/gap-text.ts';
import {
  copyOf,
  draftOf,
  emptyQuestion,
  errorsWithin,
  inputOf,
  learnersView,
  newId,
  type QuestionDraft,
  withText,
} from '#src/screens/authoring/question-draft.ts';

const id = '00000000-0000-4000-8000-000000000001';
const common = { id, prompt: 'What first?', feedback: 'Because.' };
const option = (n: number, correct: boolean) => ({ id: `o${n}`, text: `Answer ${n}`, correct, feedback: correct ? 'Yes' : '' });
const picture = { media: { hash: 'a'.repeat(64), url: '/api/media/a.webp', type: 'image/webp', bytes: 9 }, alt: 'A green bin' };
const written: readonly AuthoredQuestion[] = [
  { ...common, picture, kind: 'single', options: [option(1, true), { ...option(2, false), picture }] },
  { ...common, kind: 'multiple', options: [option(1, true), option(2, true), option(3, false)] },
  { ...common, kind: 'true_false', correct: false },
  {
    ...{ ...common, kind: 'match' },
    pairs: [
      { id: 'a', left: 'Red', right: 'Bathrooms' },
      { id: 'b', left: 'Green', right: 'Kitchens' },
    ],
  },
  {
    ...{ ...common, kind: 'order' },
    items: [
      { id: 'a', text: 'Wet' },
      { id: 'b', text: 'Soap' },
    ],
  },
  { ...common, kind: 'fill_gap', segments: ['Use ', { gap: 'first', accepted: ['soap', 'liquid soap'] }, '.'] },
  { ...common, kind: 'free_text', min_words: 30 },
];

describe('a question that is being written', () => {
  it('is sent as it was saved, for every kind', () => {
    expect(written.map((q) => q.kind)).toEqual([...questionKinds]);
    for (const q of written) expect.soft(AuthoredQuestion.parse(inputOf(draftOf(q)))).toEqual(q);
  });
  it('is sent as a new one where it is a copy', () => {
    for (const q of written) expect.soft(AuthoredQuestion.parse(inputOf(copyOf(draftOf(q))))).not.toHaveProperty('id');
  });
  it('is a question for the learner, without its answer', () => {
    for (const q of written) {
      const view = Question.parse(learnersView({ ...draftOf(q), key: id }));
      expect.soft(JSON.stringify(view)).not.toMatch(/correct|accepted|Because|Yes/);
      expect.soft(picturesOf(view)).toEqual(picturesOf(q));
    }
  });
  it('says where it is not finished', () => {
    const errors = (kind: AuthoredQuestion['kind']) => {
      const read = AuthoredQuestion.safeParse(inputOf(emptyQuestion(kind)));
      return read.success ? {} : schemaErrors(read.error);
    };
    expect(errors('single')).toMatchObject({
      prompt: 'Enter a question.',
      options: 'Mark the one right answer.',
      'options.0.text': 'Enter an answer.',
    });
    expect(errors('true_false')).toMatchObject({ correct: 'Choose whether it is true or false.' });
    expect(errors('match')).toMatchObject({ 'pairs.0.left': 'Enter an answer.' });
    expect(errors('fill_gap')).toMatchObject({ segments: 'Enter the text with its gaps.' });
    expect(errors('free_text')).toEqual({ prompt: 'Enter a question.' });
  });
  it('keeps what was written when another kind is tried', () => {
    const single = draftOf(written[0] as AuthoredQuestion);
    expect(inputOf({ ...single, kind: 'multiple' })).toMatchObject({ kind: 'multiple', options: single.options });
    expect(inputOf({ ...single, kind: 'true_false' })).not.toHaveProperty('options');
  });
  it('names what is new unlike anything before', () => {
    const ids = Array.from({ length: 100 }, newId);
    expect(new Set(ids).size).toBe(100);
    for (const name of ids) expect(name).toMatch(/^[\w-]{1,40}$/);
  });
  it('knows its own errors by their paths', () => {
    expect(errorsWithin({ 'questions.1.prompt': 'x', 'questions.10.prompt': 'y', title: 'z' }, 1)).toEqual({ prompt: 'x' });
  });
});

/** An author's hand: what is typed, pasted, added, removed and moved in the editor of a question. */
const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'soap',
    'soap',
    'water',
    'Wash [soap] and [soap].',
    '[a|b] and [c',
    '\\[x\\]',
    ' [ ] ',
    '<b>pasted</b>\n\tfrom elsewhere',
    '__proto__',
    'constructor',
  ),
);
type Hand = (draft: QuestionDraft) => QuestionDraft;
const chosen = <T>(list: readonly T[], n: number): number => (list.length > 0 ? n % list.length : 0);
const onList = (n: number, m: number, text: string): fc.Arbitrary<Hand> =>
  fc.constantFrom<Hand>(
    (d) => ({
      ...d,
      options: [...d.options, { id: newId(), text, correct: false, feedback: '' }],
      pairs: [...d.pairs, { id: newId(), left: text, right: `${text}${n}` }],
      items: [...d.items, { id: newId(), text }],
    }),
    (d) => ({
      ...d,
      options: d.options.length > 2 ? d.options.toSpliced(chosen(d.options, n), 1) : d.options,
      pairs: d.pairs.length > 2 ? d.pairs.toSpliced(chosen(d.pairs, n), 1) : d.pairs,
      items: d.items.length > 2 ? d.items.toSpliced(chosen(d.items, n), 1) : d.items,
    }),
    (d) => ({
      ...d,
      options: d.options.map((o, i) => (i === chosen(d.options, n) ? { ...o, text, feedback: text } : o)),
      pairs: d.pairs.map((p, i) => (i === chosen(d.pairs, n) ? { ...p, left: text, right: `${text}${m}` } : p)),
      items: d.items.map((o, i) => (i === chosen(d.items, n) ? { ...o, text } : o)),
    }),
    (d) => ({ ...d, items: d.items.toReversed(), options: d.options.toReversed(), pairs: d.pairs.toReversed() }),
    (d) => ({ ...d, options: d.options.map((o, i) => ({ ...o, correct: i === chosen(d.options, n) })), correct: n % 2 === 0 }),
    (d) => withText(d, text),
    (d) => withText(d, `${d.text.slice(0, n % (d.text.length + 1))}${text}${d.text.slice(m % (d.text.length + 1))}`),
    (d) => withText(d, `${d.text} [${text}] and [${text}|${text}]`),
    (d) => ({ ...d, prompt: text, feedback: text, min_words: n }),
  );
const hand = fc.tuple(fc.nat(1000), fc.nat(1000), words).chain(([n, m, text]) => onList(n, m, text));
const hands = fc.tuple(fc.constantFrom(...questionKinds), fc.array(hand, { maxLength: 25 }));
const asWritten = ([kind, all]: readonly [QuestionDraft['kind'], readonly Hand[]]): QuestionDraft =>
  all.reduce<QuestionDraft>((draft, change) => change(draft), { ...emptyQuestion(kind, id), prompt: 'What first?' });
/** A question as its author sees it, without the names of its parts, which nobody sees. */
const seen = (input: object): unknown =>
  JSON.parse(JSON.stringify(input, (key, value: unknown) => (key === 'gap' || (key === 'id' && value !== id) ? undefined : value)));
const hiddenName = (question: string, choice: string) =>
  `h-${[...`${question}${choice}`].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) >>> 0, 7)}`;

describe('whatever an author writes', () => {
  it('is the same question when it was saved and opened again, of every kind', () => {
    let finished = 0;
    fc.assert(
      fc.property(hands, (made) => {
        const draft = asWritten(made);
        const read = AuthoredQuestion.safeParse({ ...inputOf(draft), id });
        if (!read.success) return;
        finished += 1;
        const stored = authoredQuestion(partsOfQuestion({ ...read.data, id }, hiddenName));
        const opened = draftOf(AuthoredQuestion.parse(stored));
        expect(seen(inputOf(opened))).toEqual(seen(read.data));
        // Saved again without a change, it keeps the names of its parts, too.
        expect(AuthoredQuestion.parse(inputOf(opened))).toEqual(stored);
      }),
      { numRuns: 2000 },
    );
    expect(finished).toBeGreaterThan(200);
  });
  it('is the same question for practice, finished or not', () => {
    fc.assert(
      fc.property(hands, (made) => {
        const draft = asWritten(made);
        const opened = practiceDraft(practiceBlock(draft, id));
        expect(seen({ ...inputOf(opened), id })).toEqual(seen({ ...inputOf(draft), id }));
      }),
      { numRuns: 1000 },
    );
  });
  it('has a name of its own for each gap, and a gap that stays keeps it', () => {
    const two = withText(emptyQuestion('fill_gap'), 'Wash with [soap] for [20] seconds');
    const [soap, twenty] = two.gaps;
    expect(new Set(two.gaps).size).toBe(2);
    const three = withText(two, 'First [wet], then wash with [soap] for [20] seconds');
    expect(three.gaps.slice(1)).toEqual([soap, twenty]);
    expect(withText(three, 'Wash for [20] seconds').gaps).toEqual([twenty]);
    expect(withText(two, 'Wash with [soap|gel] for [20] seconds').gaps).toEqual([soap, twenty]);
    // Written before gaps had names, or saved while two had the same.
    for (const gaps of [[], ['c1', 'c1'], ['c2']]) {
      const segments = (inputOf({ ...two, gaps }) as { segments: (string | { gap: string })[] }).segments;
      expect(new Set(segments.flatMap((s) => (typeof s === 'string' ? [] : [s.gap]))).size).toBe(2);
    }
    expect(gapText(gapSegments(two.text))).toBe(two.text);
  });
  it('is refused where two parts have the same name, which would overwrite one another', () => {
    const alike = (q: object) =>
      JSON.parse(JSON.stringify(q, (key, value: unknown) => (['id', 'gap'].includes(key) && value !== id ? 'same' : value)));
    for (const q of [
      ...written,
      {
        ...common,
        kind: 'fill_gap',
        segments: [
          { gap: 'a', accepted: ['x'] },
          { gap: 'b', accepted: ['y'] },
        ],
      },
    ])
      if ('options' in q || 'pairs' in q || 'items' in q || ('segments' in q && q.segments.length === 2))
        expect.soft(AuthoredQuestion.safeParse(alike(q)).error?.issues[0]?.message).toMatch(/have the same id/);
  });
});

describe('a question for practice', () => {
  /** Items to put in order get new names that do not reveal their positions. */
  const bare = (q: object) =>
    JSON.parse(JSON.stringify(q, (key, value: unknown) => (key === 'items' ? (value as { text: string }[]).map((i) => i.text) : value)));
  it('of every kind is what was written, and marks the answer that is right', () => {
    for (const q of written) {
      const block = practiceBlock(draftOf(q), id);
      expect.soft(Block.safeParse(block).error).toBeUndefined();
      expect.soft(practiceProblem(block)).toBeNull();
      expect.soft(bare(AuthoredQuestion.parse(practiceInput(block)))).toEqual(bare(q));
      expect.soft(practiceBlock(practiceDraft(block), id).question.prompt).toBe(q.prompt);
    }
  });
  it('is kept while it is unfinished, and says what it lacks', () => {
    for (const kind of questionKinds) {
      const draft = { ...emptyQuestion(kind), feedback: 'Because.', prompt: 'What first?' };
      const block = practiceBlock(draft, id);
      expect.soft(Block.safeParse(block).error).toBeUndefined();
      expect.soft(practiceProblem(block) === null).toBe(kind === 'free_text');
      expect.soft(practiceDraft(block)).toMatchObject({ kind, prompt: 'What first?', feedback: 'Because.', correct: null });
    }
    expect(practiceProblem(practiceBlock(emptyQuestion('true_false'), id))).toBe('Enter a question.');
  });
  it('is refused with an answer of another kind', () => {
    const [single, , truth] = written.map((q) => practiceBlock(draftOf(q), id));
    expect(Block.safeParse({ ...single, key: truth?.key }).success).toBe(false);
    expect(Block.safeParse({ ...single, key: null }).success).toBe(false);
  });
});
