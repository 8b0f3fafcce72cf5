import fc from 'fast-check';
import { expect, it } from 'vitest';
import { designFrom, designTemplates, designTemplateWords } from '#contract/design-templates.ts';
import { Design, type DesignBlock, type DesignPage, type DesignTheme, designBlockKinds, designThemes } from '#contract/entities/design.ts';
import { designProblems, scenarioProblems } from '#contract/rules/design-problems.ts';

type Steps = Extract<DesignBlock, { kind: 'scenario' }>['steps'];
const newId = () => crypto.randomUUID();
const messages = (design: Design) => designProblems(design).map((p) => p.message);

it.each(designTemplates)('the template %s can be saved, and all but the empty one published at once', (template) => {
  const design = designFrom(template);
  expect(Design.parse(design)).toEqual(design);
  expect(messages(design)).toEqual(template === 'blank' ? ['The page “First page” is empty.'] : []);
  expect(designTemplateWords[template].about).not.toBe('');
  const again = designFrom(template);
  expect(again.pages[0]?.id).not.toBe(design.pages[0]?.id);
});

it('says of each kind of block what is missing, and where', () => {
  const unfinished: DesignBlock[] = [
    {
      id: newId(),
      kind: 'picture',
      required: true,
      media: null,
      alt: '',
      decorative: true,
      caption: '',
      spots: [{ id: 's1', x: 1, y: 1, title: ' ', text: '' }],
    },
    { id: newId(), kind: 'cards', required: true, title: '', cards: [{ id: 'c1', front: 'Front', back: '' }] },
    { id: newId(), kind: 'timeline', title: '', entries: [] },
    { id: newId(), kind: 'scenario', required: true, title: 'S', steps: [] },
    { id: newId(), kind: 'question', required: true, scored: false, question: null },
    {
      id: newId(),
      kind: 'film',
      required: true,
      media: null,
      title: '',
      poster: null,
      transcript: '',
      captions: [],
      stops: [{ id: newId(), at: 3, question: null, scored: true }],
    },
    { id: newId(), kind: 'acknowledgement', required: true, text: ' ' },
    { id: newId(), kind: 'checklist', required: true, title: '', items: [{ id: 'i1', text: '' }] },
  ];
  const page: DesignPage = { id: newId(), title: 'All', required: true, rows: unfinished.map((b, i) => ({ id: `r${i}`, blocks: [b] })) };
  const found = designProblems({ theme: 'plain', pass_percent: 80, max_tries: 0, pages: [page] });
  expect(['text', ...unfinished.map((b) => b.kind)].toSorted()).toEqual(designBlockKinds.toSorted());
  for (const block of unfinished)
    expect(
      found.some((p) => p.block === block.id && p.page === page.id),
      block.kind,
    ).toBe(true);
  expect(found.filter((p) => p.block === unfinished[0]?.id)).toHaveLength(3);
});

it.each<DesignTheme>(designThemes)('can be saved in the theme %s', (theme) => {
  const design = { ...designFrom('toolbox'), theme };
  expect(Design.parse(design)).toEqual(design);
});

it('wants something to do', () => {
  const page = {
    ...designFrom('toolbox').pages[0],
    required: false,
    rows: [{ id: 'r1', blocks: [{ id: newId(), kind: 'timeline' as const, title: '', entries: [{ id: 'e', when: '', title: 'x', text: '' }] }] }],
  };
  const design = { ...designFrom('toolbox'), pages: [page] } as Design;
  expect(messages(design)).toEqual([expect.stringMatching(/Nothing in it has to be done/)]);
  expect(messages({ ...design, pages: [] })).toEqual(['It has no page yet.']);
});

/** Scenarios of any shape: choices lead to any step or nowhere, ends are anywhere. */
const anySteps: fc.Arbitrary<Steps> = fc.integer({ min: 1, max: 6 }).chain((n) =>
  fc
    .array(
      fc.record({
        end: fc.constantFrom(null, null, 'good' as const, 'poor' as const),
        to: fc.array(fc.integer({ min: 0, max: n }), { maxLength: 3 }),
      }),
      { minLength: n, maxLength: n },
    )
    .map((list) =>
      list.map(({ end, to }, i) => ({
        ...{ id: `s${i}`, text: `Step ${i}`, end },
        choices: to.map((t, k) => ({ id: `c${k}`, text: 'Go', feedback: '', to: t === n ? '' : `s${t}` })),
      })),
    ),
);
/** Whether an end is come to from a step by trying every way, at most as long as there are steps. */
const endsWithin = (steps: Steps, id: string, left: number, end: (step: Steps[number]) => boolean): boolean => {
  const step = steps.find((s) => s.id === id);
  if (!step) return false;
  return end(step) || (left > 0 && step.choices.some((c) => endsWithin(steps, c.to, left - 1, end)));
};

it('lets a scenario be published exactly where nobody gets stuck and every step is come to', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const whole = steps.every(
        (s) =>
          (s.end === null) === s.choices.length > 0 &&
          s.choices.every((c) => c.to !== '') &&
          endsWithin(steps, s.id, steps.length, (x) => x.end !== null) &&
          endsWithin(steps, 's0', steps.length, (x) => x.id === s.id),
      );
      const good = endsWithin(steps, 's0', steps.length, (x) => x.end === 'good');
      expect(scenarioProblems(steps).length === 0).toBe(whole && good);
    }),
    { numRuns: 500 },
  );
});

it('names steps and choices of a scenario by the numbers that they have where they are written', () => {
  const end = { id: 'b', text: 'Well done', end: 'good' as const, choices: [] };
  const choices = [
    { id: '1', text: 'Ask', feedback: '', to: 'b' },
    { id: '2', text: '', feedback: '', to: '' },
  ];
  expect(scenarioProblems([{ id: 'a', text: '', end: null, choices }, end, { ...end, id: 'c' }]).map((p) => p.message)).toEqual([
    'Step 1 of the scenario has no text.',
    'Choice 2 of step 1 has no text.',
    'Choice 2 of step 1 leads nowhere.',
    'No choice leads to step 3.',
  ]);
});

it('allows a circle that one gets out of, and no other', () => {
  const step = (id: string, ...to: string[]): Steps[number] => ({
    id,
    text: id,
    end: null,
    choices: to.map((t, i) => ({ id: `c${i}`, text: 'Go', feedback: '', to: t })),
  });
  const end: Steps[number] = { id: 'end', text: 'Done', end: 'good', choices: [] };
  expect(scenarioProblems([step('a', 'b'), step('b', 'a', 'end'), end])).toEqual([]);
  expect(scenarioProblems([step('a', 'b', 'end'), step('b', 'b'), end])).toEqual([{ step: 'b', message: 'From step 2 no end can be reached.' }]);
});
