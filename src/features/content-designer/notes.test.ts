import { expect, it } from 'vitest';
import { designFrom, designTemplates } from '#contract/design-templates.ts';
import { Design } from '#contract/entities/design.ts';
import { designOf, editedOf, unfinishedQuestions } from '#src/features/content-designer/edited.ts';
import { templateNotes } from '#src/features/content-designer/notes.ts';

it('names what a template leaves to be replaced, and nothing of an empty design', () => {
  for (const template of designTemplates) {
    const design = editedOf(designFrom(template));
    expect(Design.safeParse(designOf(design)).success).toBe(true);
    expect(unfinishedQuestions(design)).toBe(0);
    expect(templateNotes(design).length > 0).toBe(template !== 'blank');
  }
  const [first] = templateNotes(editedOf(designFrom('policy')));
  expect(first?.message).toMatch(/^Replace \[What the policy is for, in two sentences\.\] and 1 more in Text: /);
});

it('leaves the gaps of a question alone', () => {
  const design = editedOf(designFrom('blank'));
  const page = design.pages[0];
  if (!page) throw new Error('no page');
  const question = {
    key: 'q',
    kind: 'fill_gap',
    prompt: 'Fill in',
    text: 'Wash with [soap].',
    feedback: '',
    options: [],
    correct: null,
    pairs: [],
    items: [],
    gaps: [],
    min_words: 0,
  } as const;
  page.rows = [
    {
      id: 'r',
      blocks: [{ id: 'b', kind: 'question', required: true, scored: true, question: { ...question, options: [], pairs: [], items: [], gaps: [] } }],
    },
  ];
  expect(templateNotes(design)).toEqual([]);
});
