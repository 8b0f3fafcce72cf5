import { describe, expect, it } from 'vitest';
import type { AnswerKey, Quiz } from '#contract/entities/content.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { byteRange } from '#contract/rules/byte-range.ts';
import { completionOf, triesLeft } from '#contract/rules/completion.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { isAnswered, isCorrect } from '#contract/rules/grade-answer.ts';
import { passwordProblems } from '#contract/rules/password.ts';
import { scoreBand } from '#contract/rules/score-band.ts';

describe('a byte range', () => {
  it('follows RFC 9110', () => {
    expect(byteRange('bytes=0-9', 100)).toEqual({ start: 0, end: 9 });
    expect(byteRange('bytes=90-', 100)).toEqual({ start: 90, end: 99 });
    expect(byteRange('bytes=-10', 100)).toEqual({ start: 90, end: 99 });
    expect(byteRange('bytes=-1000', 100)).toEqual({ start: 0, end: 99 });
    expect(byteRange('bytes=5-5000', 100)).toEqual({ start: 5, end: 99 });
    expect(byteRange('bytes=100-', 100)).toBe('unsatisfiable');
    expect(byteRange('bytes=-0', 100)).toBe('unsatisfiable');
    for (const odd of [null, '', 'bytes=', 'bytes=-', 'bytes=9-1', 'items=0-1', 'bytes=0-1,3-4']) expect(byteRange(odd, 100)).toBe('whole');
  });
});

describe('a course', () => {
  const course = {
    lessons: [
      {
        topics: [
          { id: 'a', hidden: false, skippable: false },
          { id: 'b', hidden: false, skippable: true },
          { id: 'c', hidden: true, skippable: false },
        ],
      },
    ],
    quizzes: [{ id: 'q' }],
  };
  it('is complete when every required page is read and every quiz passed', () => {
    expect(completionOf(course, { progress: [], submissions: [] })).toMatchObject({ percent: 0, complete: false });
    const read = [{ topic_id: 'a', state: 'completed' as const }];
    expect(completionOf(course, { progress: read, submissions: [] })).toMatchObject({ percent: 50, topicsComplete: true, complete: false });
    expect(
      completionOf(course, {
        progress: read,
        submissions: [
          { quiz_id: 'q', passed: false, score: 40 },
          { quiz_id: 'q', passed: true, score: 90 },
        ],
      }),
    ).toMatchObject({ percent: 100, complete: true, score: 90 });
  });
  it('counts the tries left; no limit means infinitely many', () => {
    expect(triesLeft({ id: 'q', max_tries: 2 } as Quiz, [{ quiz_id: 'q' }, { quiz_id: 'x' }])).toBe(1);
    expect(triesLeft({ id: 'q', max_tries: 0 } as Quiz, [{ quiz_id: 'q' }])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the draw of questions', () => {
  const quiz = {
    id: 'q',
    is_randomized: true,
    question_qty: 3,
    questions: Array.from({ length: 9 }, (_, i) => ({ id: String(i), prompt: '', kind: 'true_false' })),
  } as unknown as Quiz;
  it('is the same on every machine and differs between tries', () => {
    expect(drawQuestions(quiz, 'attempt', 1).map((q) => q.id)).toEqual(drawQuestions(quiz, 'attempt', 1).map((q) => q.id));
    expect(drawQuestions(quiz, 'attempt', 1)).toHaveLength(3);
    const draws = new Set(
      Array.from({ length: 8 }, (_, i) =>
        drawQuestions(quiz, 'attempt', i)
          .map((q) => q.id)
          .join(),
      ),
    );
    expect(draws.size).toBeGreaterThan(4);
  });
});

describe('marking', () => {
  const f = { feedback: '' };
  it('marks every kind of question', () => {
    expect(isCorrect({ kind: 'single', option: 'a' }, { kind: 'single', option: 'a', ...f })).toBe(true);
    expect(isCorrect({ kind: 'multiple', options: ['b', 'a'] }, { kind: 'multiple', options: ['a', 'b'], ...f })).toBe(true);
    expect(isCorrect({ kind: 'multiple', options: ['a', 'b', 'c'] }, { kind: 'multiple', options: ['a', 'b'], ...f })).toBe(false);
    expect(isCorrect({ kind: 'match', pairs: { a: '1', b: '2' } }, { kind: 'match', pairs: { a: '1', b: '2' }, ...f })).toBe(true);
    expect(isCorrect({ kind: 'order', items: ['b', 'a'] }, { kind: 'order', items: ['a', 'b'], ...f })).toBe(false);
    expect(isCorrect({ kind: 'fill_gap', gaps: { x: ' Thumbs. ' } }, { kind: 'fill_gap', gaps: { x: ['thumbs', 'thumb'] }, ...f })).toBe(true);
    expect(isCorrect({ kind: 'free_text', text: 'one two' }, { kind: 'free_text', min_words: 3, ...f })).toBe(false);
  });
  it('treats a missing answer, or one of another kind, as wrong', () => {
    const key: AnswerKey = { kind: 'true_false', value: false, feedback: '' };
    expect(isCorrect(undefined, key)).toBe(false);
    expect(isCorrect({ kind: 'single', option: 'false' }, key)).toBe(false);
    expect(isAnswered({ kind: 'fill_gap', gaps: { a: 'x', b: ' ' } }, 2)).toBe(false);
  });
});

describe('small rules', () => {
  it('two devices create the same id for the same try', async () => {
    expect(await attemptIdOf('u', 'c', 1)).toBe(await attemptIdOf('u', 'c', 1));
    expect(await attemptIdOf('u', 'c', 1)).not.toBe(await attemptIdOf('u', 'c', 2));
    expect(await attemptIdOf('u', 'c', 1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
  it('a password’s problems are listed', () => {
    const rules = { min_length: 10, mixed_case: true, number: true, symbol: true };
    expect(passwordProblems('Lantern-demo-1', rules)).toEqual([]);
    expect(passwordProblems('short', rules)).toHaveLength(4);
  });
  it('a score falls into a band by the margins', () => {
    expect([100, 85, 84, 65, 64, 0].map((s) => scoreBand(s))).toEqual(['green', 'green', 'amber', 'amber', 'red', 'red']);
  });
});
