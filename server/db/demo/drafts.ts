import type { Design, DesignBlock } from '#contract/entities/design.ts';
import { blockOf, type DemoQuestion, demoId, questionOf, rich } from '#server/db/demo/authoring.ts';
import { insertRow } from '#server/db/rows.ts';
import type { Db } from '#server/db/sql.ts';

/** What an organisation of the demo is writing: working copies that are not published. */

const topics: { title: string; skippable?: boolean; text: string; remember?: [title: string, text: string] }[] = [
  {
    title: 'When the alarm sounds',
    text: `Stop what you are doing and listen. A bell that does not stop is the alarm; a short bell on Monday at 11 is the weekly test.

1. Look at the panel by the front door: it names the zone.
2. Whoever is in charge of the shift sends **two** people to look, never one.
3. Ring 999 from the office, even when you only smell smoke.`,
    remember: ['Never look alone', 'Two people go, and one of them comes back with the news.'],
  },
  {
    title: 'Where we meet',
    text: `We meet at the bird table in the front garden. The night team meets in the car park, where there is light.

| Zone | Way out | Meeting place |
| Ground floor | Front door or garden door | Bird table |
| First floor | Stairs A, never the lift | Bird table |
| Kitchen | Back door | Car park |`,
  },
  {
    title: 'Residents who need help to leave',
    skippable: true,
    text: `Each resident's plan hangs inside their wardrobe door. It says how many people they need and which sledge.

- Close doors behind you: a closed fire door holds for thirty minutes.
- Go to the next zone first. Outside comes later, if the fire service asks for it.`,
  },
];
const questions: DemoQuestion[] = [
  {
    single: 'The alarm sounds while you are helping somebody to wash. What do you do first?',
    options: ['Finish, and then look', 'Make them safe and covered, and listen for the zone', 'Open the window'],
    right: 1,
    feedback: 'They are safe where they are until you know where the fire is.',
  },
  { trueFalse: 'You may use the lift when you are with somebody who cannot walk.', right: false, feedback: 'The lift stops when the alarm sounds.' },
  {
    order: 'Put these in their order.',
    items: ['Look at the panel', 'Send two people', 'Ring 999'],
    feedback: 'The panel says where, two people look, and the call is made even for smoke alone.',
  },
];
const talk = (id: (name: string) => string): Design => {
  const block = (name: string, what: object) => ({ id: id(name), ...what }) as DesignBlock;
  return {
    ...{ theme: 'band', pass_percent: 80, max_tries: 0 },
    pages: [
      {
        ...{ id: id('page'), title: 'Hot drinks in five minutes', required: true },
        rows: [
          {
            id: 'r1',
            blocks: [
              block('why', {
                kind: 'text',
                doc: rich(
                  '## Why it matters\n\nA cup of tea at 60 °C burns the skin of an older person in five seconds. Two people were burnt here last winter.',
                ),
              }),
              block('what', {
                kind: 'text',
                doc: rich(
                  '## What to do\n\n- Fill cups to three quarters\n- Wait until you can hold the cup in your hand\n- Put it down where they can see it, and say so',
                ),
              }),
            ],
          },
          {
            id: 'r2',
            blocks: [
              block('question', {
                ...{ kind: 'question', required: true, scored: false },
                question: {
                  kind: 'free_text',
                  prompt: 'Whose cup will you look at differently on your next shift, and why?',
                  feedback: 'Talk about it at handover.',
                  min_words: 5,
                },
              }),
            ],
          },
          { id: 'r3', blocks: [block('seen', { kind: 'acknowledgement', required: true, text: 'I took part in this talk.' })] },
        ],
      },
    ],
  };
};

type Where = { entity: string; author: string; courses: { fire: string; talk: string }; at: Date };
export const writeDrafts = async (tx: Db, { entity, author, courses, at }: Where): Promise<void> => {
  const id = (name: string) => demoId(`draft:${name}`);
  const when = { entity_id: entity, created_at: at, updated_at: at };
  const authored = { created_by: author, ...when };
  const draft = { type: 'elearning', published: false, current_version: 0, ...when };
  const [fire, lesson, quiz, designed] = [id('fire'), id('lesson'), id('quiz'), id('talk')];
  const about = {
    aims: 'What is different in this house when the alarm sounds.',
    outcomes: ['Say where we meet', 'Find a resident’s plan'],
    estimated_duration: 15,
  };
  await tx.run(insertRow('contents', { id: fire, course_id: courses.fire, title: 'Fire safety in our house', ...about, ...draft }));
  await tx.run(insertRow('lessons', { id: lesson, title: 'Our house', ...authored }));
  await tx.run(insertRow('content_lessons', { content_id: fire, lesson_id: lesson, place: 1 }));
  const none = () => {
    throw new Error('These topics have no files.');
  };
  for (const [i, { title, skippable = false, text, remember }] of topics.entries()) {
    const topic = id(`topic:${i}`);
    const parts = [{ text }, ...(remember ? [{ title: remember[0], remember: remember[1] }] : [])];
    const blocks = JSON.stringify(parts.map((b) => blockOf(b, none, none)));
    await tx.run(insertRow('topics', { id: topic, title, skippable, blocks, ...authored }));
    await tx.run(insertRow('lesson_topics', { lesson_id: lesson, topic_id: topic, place: i + 1 }));
  }
  await tx.run(insertRow('quizzes', { id: quiz, title: 'Do you know the way out?', max_tries: 3, ...authored }));
  await tx.run(insertRow('content_quizzes', { content_id: fire, quiz_id: quiz, place: 1, question_qty: 0 }));
  for (const [i, asked] of questions.entries()) {
    const { question, key } = questionOf(id(`question:${i}`), asked);
    const texts = { question: JSON.stringify(question), answer_key: JSON.stringify(key) };
    await tx.run(insertRow('questions', { id: question.id, quiz_id: quiz, place: i + 1, ...texts }));
  }
  await tx.run(insertRow('contents', { id: designed, course_id: courses.talk, title: 'Toolbox talk: hot drinks', designed: true, ...draft }));
  await tx.run(insertRow('designs', { content_id: designed, design: JSON.stringify(talk((name) => id(`talk:${name}`))) }));
};
