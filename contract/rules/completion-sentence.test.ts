import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentDocument, Lesson, Quiz, Topic } from '#contract/entities/content.ts';
import { completionOf, countedQuizzes, requiredTopics } from '#contract/rules/completion.ts';
import { completionSentence } from '#contract/rules/completion-sentence.ts';

type Learning = Pick<ContentDocument, 'lessons' | 'quizzes' | 'uncounted'>;
const topic = (id: string, hidden = false, skippable = false): Topic => ({
  ...{ id, title: `Topic ${id}`, hidden, skippable, is_child: false, parent_id: null },
  blocks: [],
});
const lesson = (id: string, topics: Topic[]): Lesson => ({ id, title: `Lesson ${id}`, question_qty: 0, topics });
const quiz = (id: string, pass_percent = 80, max_tries = 0): Quiz => ({
  ...{ id, title: `Quiz ${id}`, is_randomized: false, question_qty: 0, pass_percent, max_tries },
  questions: [],
});

/** Contents of lessons with topics of all kinds, and quizzes, of which some do not count. */
const learning = fc
  .record({
    lessons: fc.array(
      fc.record({ topics: fc.array(fc.record({ hidden: fc.boolean(), skippable: fc.boolean() }), { maxLength: 3 }), counts: fc.boolean() }),
      {
        maxLength: 4,
      },
    ),
    quizzes: fc.array(fc.record({ pass: fc.integer({ min: 1, max: 100 }), tries: fc.integer({ min: 0, max: 4 }), counts: fc.boolean() }), {
      maxLength: 4,
    }),
  })
  .map(
    ({ lessons, quizzes }): Learning => ({
      lessons: lessons.map((l, i) =>
        lesson(
          `l${i}`,
          l.topics.map((t, n) => topic(`l${i}t${n}`, t.hidden, t.skippable)),
        ),
      ),
      quizzes: quizzes.map((q, i) => quiz(`q${i}`, q.pass, q.tries)),
      uncounted: [...lessons.flatMap((l, i) => (l.counts ? [] : [`l${i}`])), ...quizzes.flatMap((q, i) => (q.counts ? [] : [`q${i}`]))],
    }),
  );
const read = (ids: readonly string[]) => ids.map((topic_id) => ({ topic_id, state: 'completed' as const }));
const passed = (ids: readonly string[]) => ids.map((quiz_id) => ({ quiz_id, passed: true, score: 100 }));

describe('when a content is complete', () => {
  it.each<[Learning, string]>([
    [
      { lessons: [lesson('a', [topic('1'), topic('2')])], quizzes: [quiz('q')] },
      'Complete when all topics are read, and the quiz “Quiz q” is passed with 80 %.',
    ],
    [{ lessons: [lesson('a', [topic('1')])], quizzes: [] }, 'Complete when the topic is read.'],
    [
      { lessons: [lesson('a', [topic('1'), topic('2', false, true)])], quizzes: [quiz('q', 90, 1), quiz('r', 60, 3)] },
      'Complete when all topics that cannot be skipped are read, and the quizzes “Quiz q” (90 %, in 1 try) and “Quiz r” (60 %, in 3 tries at most) are passed.',
    ],
    [
      { lessons: [lesson('a', [topic('1'), topic('2')]), lesson('b', [topic('3')])], quizzes: [quiz('q')], uncounted: ['b', 'q'] },
      'Complete when all topics of the lesson “Lesson a” are read.',
    ],
    [{ lessons: [lesson('a', [topic('1', false, true)])], quizzes: [] }, 'Complete as soon as it is opened: nothing in it has to be done.'],
  ])('is said in a sentence', (content, sentence) => {
    expect(completionSentence(content)).toBe(sentence);
  });

  it('needs exactly what the sentence names, whatever else there is', () => {
    fc.assert(
      fc.property(learning, (content) => {
        const sentence = completionSentence(content);
        const needed = { topics: requiredTopics(content).map((t) => t.id), quizzes: countedQuizzes(content).map((q) => q.id) };
        const done = (topics: readonly string[], quizzes: readonly string[]) =>
          completionOf(content, { progress: read(topics), submissions: passed(quizzes) });
        // What it names is enough.
        expect(done(needed.topics, needed.quizzes)).toMatchObject({ complete: true, percent: 100 });
        // Each of it is needed, whatever else is done.
        const all = { topics: content.lessons.flatMap((l) => l.topics.map((t) => t.id)), quizzes: content.quizzes.map((q) => q.id) };
        for (const left of needed.topics)
          expect(
            done(
              all.topics.filter((id) => id !== left),
              all.quizzes,
            ).complete,
          ).toBe(false);
        for (const left of needed.quizzes)
          expect(
            done(
              all.topics,
              all.quizzes.filter((id) => id !== left),
            ).complete,
          ).toBe(false);
        // It names the quizzes that are needed, with their marks, and no others.
        for (const q of content.quizzes)
          expect(
            [` is passed with ${q.pass_percent} %`, ` (${q.pass_percent} %`].some((mark) => sentence.includes(`“${q.title}”${mark}`)),
            `${q.title} in: ${sentence}`,
          ).toBe(needed.quizzes.includes(q.id));
        // Lessons are named where some do not count: those that do, and no others.
        for (const l of content.lessons)
          if (sentence.includes(`“${l.title}”`))
            expect(
              l.topics.some((t) => needed.topics.includes(t.id)),
              `${l.title} in: ${sentence}`,
            ).toBe(true);
        const open = content.lessons.filter((l) => l.topics.some((t) => !t.hidden && !t.skippable));
        const some = open.filter((l) => l.topics.some((t) => needed.topics.includes(t.id)));
        if (some.length > 0 && some.length < open.length) for (const l of some) expect(sentence).toContain(`“${l.title}”`);
        expect(/\bread\b/.test(sentence)).toBe(needed.topics.length > 0);
        expect(sentence.includes('can be skipped') || sentence.includes('cannot be skipped')).toBe(
          some.some((l) => l.topics.some((t) => !t.hidden && t.skippable)),
        );
      }),
      { numRuns: 300 },
    );
  });
});
