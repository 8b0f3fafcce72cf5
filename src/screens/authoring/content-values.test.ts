import { describe, expect, it } from 'vitest';
import { createContent } from '#contract/api/content.ts';
import { contentChanges, contentInput, contentSides, contentValues } from '#src/screens/authoring/content-values.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const content = {
  ...{
    id: id(1),
    title: 'Bathing',
    course: { id: id(2), title: 'Safe bathing' },
    published: true,
    aims: '',
    outcomes: ['Test the water', 'Stay there'],
  },
  ...{ estimated_duration: 20, admin_only: false, cpd_accredited: true, image_alt: 'A bath', type: 'elearning', version: 1, rev: 4 },
  image: { hash: 'a'.repeat(64), url: '/media/a', type: 'image/jpeg', bytes: 10 },
  prerequisites: [{ prerequisite_contents: [{ id: id(3), title: 'Hygiene' }] }],
} as Parameters<typeof contentValues>[0] & object;

describe('the form of a content', () => {
  it('sends what was saved, unchanged', () => {
    const sent = createContent.body.parse({ ...contentInput(contentValues(content, null)), type: 'elearning' });
    expect(sent).toEqual({
      ...{ type: 'elearning', course_id: id(2), title: 'Bathing', published: true, aims: '', outcomes: ['Test the water', 'Stay there'] },
      ...{ estimated_duration: 20, admin_only: false, cpd_accredited: true, image_alt: 'A bath', image: { hash: 'a'.repeat(64) } },
      prerequisites: [{ prerequisite_contents: [{ id: id(3) }] }],
    });
  });
  it('takes no empty line and no group in which nothing was chosen', () => {
    const values = { ...contentValues(null, { id: id(2), name: 'Safe bathing' }), outcomes: ' \nStay there\n\n', estimated_duration: '' };
    expect(contentInput({ ...values, prerequisites: [{ key: 'x', contents: [] }] })).toMatchObject({
      ...{ course_id: id(2), outcomes: ['Stay there'], estimated_duration: 0, image: null, prerequisites: [] },
    });
  });
  it('never changes its type and course, and publishes e-learning only by publishing', () => {
    const fields = { type: 'x', course_id: 'y', published: true, title: 'z' };
    expect(contentChanges('elearning', fields)).toEqual({ title: 'z' });
    expect(contentChanges('scorm', fields)).toEqual({ title: 'z', published: true });
  });
  it('says in which fields two versions differ', () => {
    const mine = { ...contentValues(content, null), title: 'Bathing somebody', cpd_accredited: false };
    expect(contentSides(mine, content)).toEqual({
      mine: 'Title: Bathing somebody\nCounts for CPD: no',
      theirs: 'Title: Bathing\nCounts for CPD: yes',
    });
    // Fields of one type are compared too: another file of a SCORM course.
    const file = { mine: { 'Course file': 'Boxes, 2 MB' }, theirs: { 'Course file': 'Boxes, 3 MB' } };
    expect(contentSides(contentValues(content, null), content, file)).toEqual({
      mine: 'Course file: Boxes, 2 MB',
      theirs: 'Course file: Boxes, 3 MB',
    });
    expect(contentSides(contentValues(content, null), content).mine).toBe('Nothing of this form differs.');
  });
});
