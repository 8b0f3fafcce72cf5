import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuthoredQuestion, questionKinds } from '#contract/entities/authored-question.ts';
import { type Answer, Question } from '#contract/entities/content.ts';
import { answerFeedback, isCorrect } from '#contract/rules/grade-answer.ts';
import { authoredQuestion } from '#contract/rules/question-parts.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { partsOfQuestion } from '#server/features/content-creator/question-parts.ts';

const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const word = fc.stringMatching(/^[a-z]{1,12}$/);
const names = (n: number) => Array.from({ length: n }, (_, i) => `c${i}`);
const media = { hash: 'a'.repeat(64), url: `/api/media/${'a'.repeat(64)}.webp`, type: 'image/webp', bytes: 900 };
const pictured = fc.oneof(
  fc.constant({}),
  fc.constant({ picture: { media, alt: '', decorative: true } }),
  word.map((alt) => ({ picture: { media, alt } })),
);
const together = <A, B>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) => fc.tuple(a, b).map(([x, y]): A & B => ({ ...x, ...y }));
const options = fc.array(together(fc.record({ text: word, feedback: fc.constantFrom('', 'Look again.') }), pictured), { minLength: 2, maxLength: 6 });
const common = together(fc.record({ id: fc.constant(id), prompt: word, feedback: fc.constantFrom('', 'Because.') }), pictured);
type Whole = AuthoredQuestion & { id: string };
const question: fc.Arbitrary<Whole> = fc.oneof(
  fc.tuple(common, options, fc.nat()).map(
    ([c, list, right]): Whole => ({
      ...{ ...c, kind: 'single' },
      options: list.map((o, i) => ({ id: `c${i}`, ...o, correct: i === right % list.length })),
    }),
  ),
  fc.tuple(common, options, fc.nat()).map(
    ([c, list, right]): Whole => ({
      ...{ ...c, kind: 'multiple' },
      options: list.map((o, i) => ({ id: `c${i}`, ...o, correct: i === 0 || ((right >> i) & 1) === 1 })),
    }),
  ),
  fc.tuple(common, fc.boolean()).map(([c, correct]): Whole => ({ ...c, kind: 'true_false', correct })),
  fc.tuple(common, fc.uniqueArray(word, { minLength: 2, maxLength: 6 })).map(
    ([c, list]): Whole => ({
      ...{ ...c, kind: 'match' },
      pairs: list.map((right, i) => ({ id: `c${i}`, left: `left ${i}`, right })),
    }),
  ),
  fc.tuple(common, fc.array(word, { minLength: 2, maxLength: 6 })).map(
    ([c, list]): Whole => ({
      ...{ ...c, kind: 'order' },
      items: list.map((text, i) => ({ id: `c${i}`, text })),
    }),
  ),
  fc.tuple(common, fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })).map(
    ([c, gaps]): Whole => ({
      ...{ ...c, kind: 'fill_gap' },
      segments: gaps.flatMap((accepted, i) => [`before ${i} `, { gap: `c${i}`, accepted }]),
    }),
  ),
  fc.tuple(common, fc.nat(50)).map(([c, min_words]): Whole => ({ ...c, kind: 'free_text', min_words })),
);

const rightAnswer = (q: Whole, shown: Question): Answer => {
  switch (q.kind) {
    case 'single':
      return { kind: 'single', option: q.options.find((o) => o.correct)?.id ?? '' };
    case 'multiple':
      return { kind: 'multiple', options: q.options.filter((o) => o.correct).map((o) => o.id) };
    case 'true_false':
      return { kind: 'true_false', value: q.correct };
    case 'match': {
      const right = shown.kind === 'match' ? shown.right : [];
      return { kind: 'match', pairs: Object.fromEntries(q.pairs.map((p) => [p.id, right.find((r) => r.text === p.right)?.id ?? ''])) };
    }
    case 'order': {
      const left = shown.kind === 'order' ? [...shown.items] : [];
      const take = (text: string) =>
        left.splice(
          left.findIndex((i) => i.text === text),
          1,
        )[0]?.id ?? '';
      return { kind: 'order', items: q.items.map((i) => take(i.text)) };
    }
    case 'fill_gap':
      return { kind: 'fill_gap', gaps: Object.fromEntries(q.segments.flatMap((s) => (typeof s === 'string' ? [] : [[s.gap, s.accepted[0] ?? '']]))) };
    case 'free_text':
      return { kind: 'free_text', text: 'word '.repeat(q.min_words) };
  }
};

describe('an authored question', () => {
  it('is tried here in each of its kinds', () => {
    expect(new Set(fc.sample(question, 300).map((q) => q.kind))).toEqual(new Set(questionKinds));
  });

  it('is graded by its key as its author said, and can be read back', () => {
    fc.assert(
      fc.property(question, (q) => {
        expect(AuthoredQuestion.safeParse(q).error).toBeUndefined();
        const { question: shown, key } = partsOfQuestion(q);
        // Pictures are the learner’s, and not of the key.
        expect(picturesOf(shown)).toEqual(picturesOf(q));
        expect(JSON.stringify(key)).not.toContain(media.hash);
        expect(Question.safeParse(shown).error).toBeUndefined();
        // Things of the same text can be put in order either way, but one of them alone is stored as right.
        if (q.kind !== 'order' || new Set(q.items.map((i) => i.text)).size === q.items.length)
          expect(isCorrect(rightAnswer(q, shown), key)).toBe(true);
        const back = authoredQuestion({ question: shown, key });
        // What was hidden has another name, and nothing else differs.
        const named = (of: Whole): unknown => JSON.parse(JSON.stringify(of), (k, v: unknown) => (k === 'id' ? 'x' : v));
        expect(named(back)).toEqual(named(q));
        expect(authoredQuestion(partsOfQuestion(back)).prompt).toBe(q.prompt);
      }),
    );
  });

  it('does not give its answer away to the learner', () => {
    const items = names(6).map((c, i) => ({ id: c, text: `step ${i}` }));
    const { question: order } = partsOfQuestion({ id, kind: 'order', prompt: 'Put in order', feedback: '', items });
    expect(JSON.stringify(order)).not.toContain('"c0"');
    const { question: match } = partsOfQuestion({
      ...{ id, kind: 'match', prompt: 'Match', feedback: 'said after' },
      pairs: [
        { id: 'a', left: 'Hands', right: 'Soap' },
        { id: 'b', left: 'Spill', right: 'Kit' },
      ],
    });
    expect(JSON.stringify(match)).not.toMatch(/said after|"right":\[\{"id":"[ab]"/);
    const { question: single } = partsOfQuestion({
      ...{ id, kind: 'single', prompt: 'Which?', feedback: 'said after' },
      options: [
        { id: 'a', text: 'This', correct: true, feedback: 'well done' },
        { id: 'b', text: 'That', correct: false, feedback: 'look again' },
      ],
    });
    expect(JSON.stringify(single)).not.toMatch(/correct|said after|well done|look again/);
  });

  it('says what belongs to the option that was chosen, then what belongs to the question', () => {
    const key = { kind: 'single', option: 'a', feedback: 'Always wash first.', feedbacks: { b: 'Gloves are no replacement.' } } as const;
    expect(answerFeedback({ kind: 'single', option: 'b' }, key)).toBe('Gloves are no replacement. Always wash first.');
    expect(answerFeedback({ kind: 'single', option: 'a' }, key)).toBe('Always wash first.');
    expect(answerFeedback(undefined, key)).toBe('Always wash first.');
  });

  it.each([
    [{ kind: 'single', options: [{ id: 'a', text: 'x', correct: true, feedback: '' }] }, 'Enter at least two answers.'],
    [
      {
        kind: 'single',
        options: [
          { id: 'a', text: 'x', correct: true, feedback: '' },
          { id: 'b', text: 'y', correct: true, feedback: '' },
        ],
      },
      'Mark the one right answer.',
    ],
    [{ kind: 'fill_gap', segments: ['no gap here'] }, 'Mark at least one gap.'],
    [{ kind: 'true_false' }, 'Choose whether it is true or false.'],
  ])('is refused with a sentence: %j', (part, sentence) => {
    const read = AuthoredQuestion.safeParse({ prompt: 'Which?', feedback: '', ...part });
    expect(read.error?.issues.map((i) => i.message)).toContain(sentence);
  });
});
