import { describe, expect, it } from 'vitest';
import { AuthoredQuestion, questionKinds } from '#contract/entities/authored-question.ts';
import { Block, Question } from '#contract/entities/content.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { practiceInput, practiceProblem } from '#contract/rules/question-parts.ts';
import { practiceBlock, practiceDraft } from '#src/screens/authoring/practice-draft.ts';
import { schemaErrors } from '#src/screens/schema-errors.ts';
import { copyOf, draftOf, emptyQuestion, errorsWithin, inputOf, learnersView, newId } from '#src/screens/authoring/question-draft.ts';

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
  it('names what is new unlike what is there', () => {
    expect(newId([{ id: 'c1' }, { id: 'c3' }])).toBe('c4');
    expect(newId([])).toBe('c1');
  });
  it('knows its own errors by their paths', () => {
    expect(errorsWithin({ 'questions.1.prompt': 'x', 'questions.10.prompt': 'y', title: 'z' }, 1)).toEqual({ prompt: 'x' });
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
      const draft = { ...emptyQuestion(kind), feedback: kind === 'true_false' ? '' : 'Because.', prompt: 'What first?' };
      const block = practiceBlock(draft, id);
      expect.soft(Block.safeParse(block).error).toBeUndefined();
      expect.soft(practiceProblem(block) === null).toBe(kind === 'free_text');
      expect.soft(practiceDraft(block)).toMatchObject({ kind, prompt: 'What first?', feedback: draft.feedback, correct: null });
    }
    expect(practiceProblem(practiceBlock(emptyQuestion('true_false'), id))).toBe('Enter a question.');
  });
  it('is refused with an answer of another kind', () => {
    const [single, , truth] = written.map((q) => practiceBlock(draftOf(q), id));
    expect(Block.safeParse({ ...single, key: truth?.key }).success).toBe(false);
    expect(Block.safeParse({ ...single, key: null }).success).toBe(false);
  });
});
