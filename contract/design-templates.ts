import type { Design, DesignBlock } from '#contract/entities/design.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';

/** Templates for designed contents. Everything in square brackets is for the author to replace. */
export const designTemplates = ['blank', 'induction', 'policy', 'competence', 'toolbox'] as const;
export type DesignTemplate = (typeof designTemplates)[number];
export const designTemplateWords: Record<DesignTemplate, { label: string; about: string }> = {
  blank: { label: 'Empty', about: 'One page, to begin from nothing.' },
  induction: { label: 'Induction', about: 'A welcome, who is who, the first weeks, and what to do in an emergency.' },
  policy: { label: 'Policy: read and sign', about: 'What the policy says, what has changed, and a signature of everybody who has read it.' },
  competence: { label: 'Competence check', about: 'The steps of a task as a list, a situation to decide in, and questions with a pass mark.' },
  toolbox: { label: 'Toolbox talk', about: 'One subject in five minutes: why it matters, what to do, and a question.' },
};

const paragraph = (text: string): RichNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const heading = (text: string): RichNode => ({ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text }] });
const list = (...items: string[]): RichNode => ({ type: 'bulletList', content: items.map((i) => ({ type: 'listItem', content: [paragraph(i)] })) });
type New<T> = T extends { id: string } ? Omit<T, 'id'> : never;
type Page = { title: string; rows: New<DesignBlock>[][] };
const text = (...content: RichNode[]): New<DesignBlock> => ({ kind: 'text', doc: { type: 'doc', content } });
const option = (id: string, label: string, correct: boolean, feedback = '') => ({ id, text: label, correct, feedback });

const induction: Page[] = [
  {
    title: 'Welcome',
    rows: [
      [
        text(
          paragraph(
            'Welcome to [name of the organisation]. This takes about [20] minutes. You can stop at any time and go on later, also without a connection.',
          ),
        ),
      ],
      [
        {
          ...{ kind: 'timeline', title: 'Your first weeks' },
          entries: [
            { id: 'e1', when: 'Day 1', title: 'You are shown around', text: '[Who meets you, where, and at what time.]' },
            { id: 'e2', when: 'Week 1', title: 'You work beside a colleague', text: '[Who your buddy is, and which training you do.]' },
            { id: 'e3', when: 'Week 12', title: 'Your probation review', text: '[Who you meet, and what is talked about.]' },
          ],
        },
      ],
    ],
  },
  {
    title: 'Who is who',
    rows: [
      [
        {
          ...{ kind: 'cards', title: 'Whom to ask', required: true },
          cards: [
            { id: 'c1', front: 'Your manager', back: '[Name and telephone number.]' },
            { id: 'c2', front: 'Safeguarding lead', back: '[Name and telephone number.]' },
            { id: 'c3', front: 'Out of hours', back: '[Telephone number.]' },
          ],
        },
      ],
    ],
  },
  {
    title: 'In an emergency',
    rows: [
      [
        text(heading('Fire'), list('Raise the alarm.', 'Follow the plan of the building.', 'Do not go back inside.')),
        text(heading('Somebody is hurt'), list('Make sure that you are safe.', 'Call 999.', 'Tell your manager.')),
      ],
      [
        {
          ...{ kind: 'question', required: true, scored: true },
          question: {
            ...{ kind: 'single', prompt: 'You hear the fire alarm. What do you do first?', feedback: 'The plan hangs at every exit.' },
            options: [
              option('c1', 'Follow the plan of the building', true),
              option('c2', 'Fetch my bag', false, 'Leave everything where it is.'),
              option('c3', 'Wait for a message', false, 'Do not wait.'),
            ],
          },
        },
      ],
      [{ kind: 'acknowledgement', required: true, text: 'I have read and understood this induction, and know whom to ask.' }],
    ],
  },
];
const policy: Page[] = [
  {
    title: 'What this policy is about',
    rows: [
      [text(paragraph('[What the policy is for, in two sentences.]'), heading('Who it is for'), paragraph('[Everybody who works here, or whom.]'))],
      [
        text(heading('What you must do'), list('[First duty]', '[Second duty]')),
        text(heading('What has changed'), list('[What is new since the last version]')),
      ],
    ],
  },
  {
    title: 'Read and sign',
    rows: [
      [text(paragraph('[The whole policy, or where it can be read.]'))],
      [{ kind: 'acknowledgement', required: true, text: 'I have read and understood this policy and will work by it.' }],
    ],
  },
];
const competence: Page[] = [
  {
    title: 'The task, step by step',
    rows: [
      [text(paragraph('[What the task is, and why it matters to the person whom you support.]'))],
      [
        {
          ...{ kind: 'checklist', title: 'I can do each of these', required: true },
          items: [
            { id: 'i1', text: 'I wash my hands before and after.' },
            { id: 'i2', text: 'I ask the person for their consent.' },
            { id: 'i3', text: '[Next step of the task]' },
            { id: 'i4', text: 'I record what I have done.' },
          ],
        },
      ],
    ],
  },
  {
    title: 'What would you do?',
    rows: [
      [
        {
          ...{ kind: 'scenario', title: 'The person says no', required: true },
          steps: [
            {
              ...{ id: 's1', text: '[Name] does not want your help today. What do you do?', end: null },
              choices: [
                { id: 'c1', text: 'Ask what is the matter', feedback: 'Good: you listen first.', to: 's2' },
                { id: 'c2', text: 'Go on, it has to be done', feedback: 'Without consent you must not.', to: 's3' },
              ],
            },
            {
              ...{ id: 's2', text: '[Name] says that it hurts. What next?', end: null },
              choices: [
                { id: 'c1', text: 'Stop, record it and tell the nurse', feedback: 'Yes.', to: 's4' },
                { id: 'c2', text: 'Say that it will be over soon', feedback: 'Pain has to be looked into.', to: 's3' },
              ],
            },
            { id: 's3', text: '[Name] is upset and no longer trusts you.', end: 'poor', choices: [] },
            { id: 's4', text: '[Name] feels listened to, and the nurse finds the cause.', end: 'good', choices: [] },
          ],
        },
      ],
    ],
  },
  {
    title: 'Check what you know',
    rows: [
      [
        {
          ...{ kind: 'question', required: true, scored: true },
          question: {
            ...{ kind: 'order', prompt: 'Put these in order.', feedback: 'Consent comes before everything else.' },
            items: [
              { id: 'c1', text: 'Ask for consent' },
              { id: 'c2', text: 'Wash your hands' },
              { id: 'c3', text: 'Do the task' },
              { id: 'c4', text: 'Record it' },
            ],
          },
        },
      ],
      [
        {
          ...{ kind: 'question', required: true, scored: true },
          question: {
            kind: 'true_false',
            prompt: 'Somebody who agreed yesterday has to be asked again today.',
            correct: true,
            feedback: 'Consent is given each time.',
          },
        },
      ],
    ],
  },
];
const toolbox: Page[] = [
  {
    title: '[Subject] in five minutes',
    rows: [
      [
        text(heading('Why it matters'), paragraph('[What happened, or could happen.]')),
        text(heading('What to do'), list('[First]', '[Second]', '[Third]')),
      ],
      [
        {
          ...{ kind: 'question', required: true, scored: false },
          question: {
            kind: 'free_text',
            prompt: 'What will you do differently on your next shift?',
            feedback: 'Talk about it with your team.',
            min_words: 5,
          },
        },
      ],
      [{ kind: 'acknowledgement', required: true, text: 'I took part in this talk.' }],
    ],
  },
];
const pagesOf: Record<DesignTemplate, Page[]> = { blank: [{ title: 'First page', rows: [] }], induction, policy, competence, toolbox };

/** A new design from a template, with new ids. */
export const designFrom = (template: DesignTemplate, newId: () => string = () => crypto.randomUUID()): Design => ({
  ...{ theme: template === 'blank' ? 'plain' : 'band', pass_percent: 80, max_tries: 0 },
  pages: pagesOf[template].map(({ title, rows }) => ({
    ...{ id: newId(), title, required: true },
    rows: rows.map((blocks, i) => ({ id: `r${i + 1}`, blocks: blocks.map((block) => ({ ...block, id: newId() }) as DesignBlock) })),
  })),
});
