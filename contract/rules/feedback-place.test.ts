import { describe, expect, it } from 'vitest';
import type { ContentDocument } from '#contract/entities/content.ts';
import { feedbackPlace, placeChoice } from '#contract/rules/feedback-place.ts';

const topic = (id: string, title: string, blocks: object[] = []) => ({
  id,
  title,
  hidden: false,
  skippable: false,
  is_child: false,
  parent_id: null,
  blocks,
});
const document = (more: object): ContentDocument => ({ lessons: [], quizzes: [], ...more }) as unknown as ContentDocument;
const quiz = {
  id: 'quiz',
  title: 'Check',
  questions: [
    { id: 'q1', kind: 'true_false', prompt: 'Soap cleans.' },
    { id: 'q2', kind: 'fill_gap', segments: ['Wash for ', { gap: 'a' }, ' seconds.'] },
  ],
};

describe('where in a content something is', () => {
  it('names the lesson and topic, and the activity in it', () => {
    const practice = { kind: 'question', question: quiz.questions[0], key: null };
    const d = document({
      lessons: [
        { id: 'l', title: 'Hands', topics: [topic('t', 'Washing', [{ kind: 'text' }, { kind: 'h5p', item_id: 'a', title: 'Try it' }, practice])] },
      ],
    });
    expect(feedbackPlace(d, 't', 'a')).toEqual({
      lesson: 'Hands',
      part: { kind: 'topic', id: 't', title: 'Washing' },
      item: { kind: 'activity', id: 'a', title: 'Try it' },
    });
    expect(feedbackPlace(d, 't', 'q1')?.item).toEqual({ kind: 'question', id: 'q1', title: 'Soap cleans.' });
    expect(feedbackPlace(d, 't', 'another')?.item).toBeNull();
  });
  it('names a question as it was asked, gaps as gaps', () => {
    const d = document({ quizzes: [quiz] });
    expect(placeChoice(d, 'quiz')?.items.map((i) => i.title)).toEqual(['Soap cleans.', 'Wash for … seconds.']);
    expect(feedbackPlace(d, 'quiz', 'q1')).toMatchObject({ part: { kind: 'quiz' }, item: { kind: 'question', id: 'q1' } });
  });
  it('names a designed page and not the topics that stand for it', () => {
    const page = { id: 'p', title: 'Welcome', rows: [{ blocks: [{ id: 'b', kind: 'question', question: quiz.questions[0] }] }] };
    const d = document({ lessons: [{ id: 'l', title: 'Pages', topics: [topic('p', 'Welcome')] }], design: { pages: [page] } });
    expect(feedbackPlace(d, 'p', 'q1')).toMatchObject({ lesson: null, part: { kind: 'page', title: 'Welcome' }, item: { title: 'Soap cleans.' } });
  });
  it('names the part of a package, however deep', () => {
    const activities = [{ id: 'm', title: 'Module', href: null, children: [{ id: 's', title: 'Slides', href: 'a.html', children: [] }] }];
    expect(feedbackPlace(document({ package: { manifest: { activities } } }), 's', null)?.part).toEqual({ kind: 'item', id: 's', title: 'Slides' });
  });
  it('is nowhere where the document has no such part', () => {
    expect([feedbackPlace(document({}), 'result', null), feedbackPlace(document({}), null, 'x')]).toEqual([null, null]);
  });
});
