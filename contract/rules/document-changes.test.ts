import { describe, expect, it } from 'vitest';
import type { ContentDocument, Topic } from '#contract/entities/content.ts';
import { documentChanges } from '#contract/rules/document-changes.ts';

const topic = (id: string, more: Partial<Topic> = {}): Topic => ({
  ...{ id, title: `Topic ${id}`, hidden: false, skippable: false, is_child: false, parent_id: null },
  blocks: [],
  ...more,
});
const whole = (): ContentDocument => ({
  ...{ id: 'c', version: 1, title: 'Hands', type: 'elearning', aims: '', outcomes: [], image: null, estimated_duration: 5 },
  ...{ course: { id: 'k', title: 'Hands', short_title: 'H' }, cpd_accredited: false, accepts_late_progress: true, prerequisites: [] },
  lessons: [{ id: 'l', title: 'Basics', question_qty: 0, topics: [topic('a'), topic('b')] }],
  quizzes: [
    {
      ...{ id: 'q', title: 'Check', is_randomized: false, question_qty: 0, pass_percent: 80, max_tries: 0 },
      questions: ['1', '2'].map((id) => ({ id, kind: 'true_false' as const, prompt: `Question ${id}` })),
    },
  ],
});
const changed = (change: (document: ContentDocument) => void, answers: readonly string[] = []) => {
  const after = whole();
  change(after);
  return documentChanges(whole(), after, (question) => answers.includes(question));
};
const lesson = (d: ContentDocument) => d.lessons[0] as ContentDocument['lessons'][number];
const quiz = (d: ContentDocument) => d.quizzes[0] as ContentDocument['quizzes'][number];

describe('what differs between two versions', () => {
  it('is nothing where they say the same, whatever their number, course and order of fields', () => {
    expect(
      changed((d) => {
        d.version = 7;
        d.course.title = 'Other';
        d.lessons[0] = { topics: lesson(d).topics, question_qty: 0, title: 'Basics', id: 'l' };
      }),
    ).toEqual([]);
  });
  it.each<[string, (d: ContentDocument) => unknown, string[]]>([
    ['a title', (d) => Object.assign(d, { title: 'Clean hands' }), ['The title.']],
    ['a topic that is new', (d) => lesson(d).topics.push(topic('c')), ['New topic: “Topic c”.']],
    ['a topic that is gone', (d) => lesson(d).topics.pop(), ['The topic “Topic b” is removed.']],
    ['topics in another order', (d) => lesson(d).topics.reverse(), ['The order of the topics in “Basics” has changed.']],
    ['a topic that is hidden', (d) => lesson(d).topics.splice(0, 1, topic('a', { hidden: true })), ['The topic “Topic a” is now hidden.']],
    ['a topic with another name', (d) => lesson(d).topics.splice(0, 1, topic('a', { title: 'A' })), ['The topic “Topic a” is now called “A”.']],
    ['a lesson that is gone', (d) => d.lessons.pop(), ['The lesson “Basics” is removed.']],
    [
      'questions',
      (d) => quiz(d).questions.splice(0, 2, { id: '2', kind: 'true_false', prompt: 'Two' }, { id: '3', kind: 'true_false', prompt: 'Three' }),
      ['Questions of the quiz “Check”: 1 new, 1 removed, 1 changed.'],
    ],
    [
      'a pass mark',
      (d) => Object.assign(quiz(d), { pass_percent: 90 }),
      ['How the quiz “Check” is asked: pass mark, tries, number or order of questions.'],
    ],
  ])('says %s', (_what, change, said) => {
    expect(changed(change)).toEqual(said);
  });
  it('reports a changed right answer, which is not in a document', () => {
    expect(changed(() => undefined, ['2'])).toEqual(['Questions of the quiz “Check”: 1 changed.']);
  });
});
