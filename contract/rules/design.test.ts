import fc from 'fast-check';
import { expect, it } from 'vitest';
import { designFrom, designTemplates } from '#contract/design-templates.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import type { Answer, AnswerKey, Question } from '#contract/entities/content.ts';
import type { Design, DesignBlock, PlayedBlock } from '#contract/entities/design.ts';
import { completionOf } from '#contract/rules/completion.ts';
import {
  blocksOfPage,
  coursePartsOf,
  filmEnd,
  isBlockDone,
  isScored,
  isToDo,
  leftOnPage,
  playedDesign,
  scenarioWay,
} from '#contract/rules/design.ts';

const content = crypto.randomUUID();
const part = (q: AuthoredQuestion & { id: string }): { question: Question; key: AnswerKey } => ({
  question: { id: q.id, kind: 'true_false', prompt: q.prompt },
  key: { kind: 'true_false', value: true, feedback: q.feedback },
});
const secret = 'the secret answer';
const question: AuthoredQuestion = { kind: 'true_false', prompt: 'Is it?', correct: true, feedback: secret };

const flags = { required: fc.boolean(), scored: fc.boolean() };
const anyBlock: fc.Arbitrary<DesignBlock> = fc
  .record({ id: fc.uuid(), stop: fc.uuid(), kind: fc.nat(6), n: fc.integer({ min: 0, max: 3 }), ...flags })
  .map(({ id, stop, kind, n, required, scored }): DesignBlock => {
    const some = Array.from({ length: n }, (_, i) => ({ id: `p${i}` }));
    const all: DesignBlock[] = [
      { id, kind: 'timeline', title: '', entries: [] },
      {
        id,
        required,
        kind: 'picture',
        media: null,
        alt: '',
        decorative: false,
        caption: '',
        spots: some.map((s) => ({ ...s, x: 1, y: 1, title: '', text: '' })),
      },
      { id, required, kind: 'cards', title: '', cards: some.map((s) => ({ ...s, front: 'f', back: 'b' })) },
      { id, required, kind: 'question', scored, question: n === 0 ? null : question },
      {
        id,
        required,
        kind: 'film',
        media: null,
        title: '',
        poster: null,
        transcript: '',
        captions: [],
        stops: [{ id: stop, at: n, scored, question }],
      },
      { id, required, kind: 'acknowledgement', text: 'x' },
      { id, required, kind: 'checklist', title: '', items: some.map((s) => ({ ...s, text: 'x' })) },
    ];
    return all[kind] as DesignBlock;
  });
const anyDesign: fc.Arbitrary<Design> = fc
  .array(fc.record({ id: fc.uuid(), required: fc.boolean(), blocks: fc.array(anyBlock, { minLength: 1, maxLength: 4 }) }), { maxLength: 4 })
  .map((pages) => ({
    ...{ theme: 'plain', pass_percent: 50, max_tries: 0 },
    pages: pages.map(({ id, required, blocks }) => ({ id, title: 'T', required, rows: blocks.map((b, i) => ({ id: `r${i}`, blocks: [b] })) })),
  }));

it('counts a content as complete exactly when what is to be read and done is, and its scored questions are passed', () => {
  fc.assert(
    fc.property(anyDesign, fc.infiniteStream(fc.boolean()), fc.boolean(), (written, chance, passed) => {
      const { design } = playedDesign(written, part);
      const parts = coursePartsOf(content, design);
      const topics = parts.lessons.flatMap((l) => l.topics);
      const done = new Set(topics.filter(() => chance.next().value).map((t) => t.id));
      const progress = [...done].map((topic_id) => ({ topic_id, state: 'completed' as const }));
      const submissions = parts.quizzes.map((q) => ({ quiz_id: q.id, passed, score: passed ? 100 : 0 }));
      const left = design.pages.flatMap((page) => leftOnPage(page, (id) => done.has(id)));
      const { complete, topicsComplete } = completionOf(parts, { progress, submissions });
      expect(topicsComplete).toBe(left.length === 0);
      expect(complete).toBe(left.length === 0 && (passed || parts.quizzes.length === 0));
    }),
  );
});

it('gives learners every scored question once, and its answer never; of practice they have it', () => {
  fc.assert(
    fc.property(anyDesign, (written) => {
      const { design, keys } = playedDesign(written, part);
      const blocks = design.pages.flatMap((p) => blocksOfPage(p));
      const scored = coursePartsOf(content, design).quizzes.flatMap((q) => q.questions.map((x) => x.id));
      expect(scored.toSorted()).toEqual(Object.keys(keys).toSorted());
      expect(scored.length > 0).toBe(blocks.some(isScored));
      const practice = blocks
        .flatMap((b) => (b.kind === 'question' ? [b.scored] : b.kind === 'film' ? b.stops.map((q) => q.scored) : []))
        .filter((isScoredOne) => !isScoredOne);
      expect(JSON.stringify(design).split(secret).length - 1).toBe(practice.length);
    }),
  );
});

it.each(designTemplates)('a played %s has all that its design has', (template) => {
  const written = designFrom(template);
  const { design } = playedDesign(written, part);
  expect(design.pages.map((p) => blocksOfPage(p).map((b) => b.id))).toEqual(written.pages.map((p) => blocksOfPage(p).map((b) => b.id)));
});

const played = (block: object) => ({ id: content, required: true, ...block }) as PlayedBlock;
const ids = (...options: string[]): Answer => ({ kind: 'multiple', options });
it.each<[string, PlayedBlock, Answer, Answer | undefined]>([
  ['every spot', played({ kind: 'picture', spots: [{ id: 'a' }, { id: 'b' }] }), ids('b', 'a'), ids('a')],
  ['every card', played({ kind: 'cards', cards: [{ id: 'a' }] }), ids('a', 'gone'), undefined],
  ['every item', played({ kind: 'checklist', items: [{ id: 'a' }, { id: 'b' }] }), ids('a', 'b'), ids('b')],
  ['a signature', played({ kind: 'acknowledgement' }), { kind: 'free_text', text: 'Ana' }, { kind: 'free_text', text: ' ' }],
  ['the film and its questions', played({ kind: 'film', stops: [{ id: 's' }] }), ids('s', filmEnd), ids('s')],
  [
    'an answer of its kind',
    played({ kind: 'question', question: { id: content, kind: 'true_false', prompt: '' } }),
    { kind: 'true_false', value: false },
    ids('a'),
  ],
  [
    'an answer of all gaps',
    played({ kind: 'question', question: { id: content, kind: 'fill_gap', segments: [{ gap: 'a' }, ' and ', { gap: 'b' }] } }),
    { kind: 'fill_gap', gaps: { a: 'x', b: 'y' } },
    { kind: 'fill_gap', gaps: { a: 'x' } },
  ],
])('wants %s', (_, block, enough, tooLittle) => {
  expect([isToDo(block), isBlockDone(block, enough), isBlockDone(block, tooLittle), isBlockDone(block, undefined)]).toEqual([
    block.kind !== 'question' || !block.scored,
    true,
    false,
    false,
  ]);
});

it('is done with a scenario at a good end alone, whatever way led there', () => {
  const choice = (to: string) => ({ id: `to-${to}`, text: to, feedback: '', to });
  const steps = [
    { id: 'a', text: 'A', end: null, choices: [choice('a'), choice('bad'), choice('good')] },
    { id: 'bad', text: 'B', end: 'poor' as const, choices: [] },
    { id: 'good', text: 'C', end: 'good' as const, choices: [] },
  ];
  const block = played({ kind: 'scenario', title: '', steps });
  const went = (...items: string[]): Answer => ({ kind: 'order', items });
  expect(isBlockDone(block, went('to-a', 'to-good'))).toBe(true);
  for (const way of [went(), went('to-a'), went('to-bad'), went('to-bad', 'to-good'), went('unknown')]) expect(isBlockDone(block, way)).toBe(false);
  expect(scenarioWay(steps, ['to-a', 'to-bad']).map((s) => s.id)).toEqual(['a', 'a', 'bad']);
  expect(scenarioWay([], ['to-a'])).toEqual([]);
});
