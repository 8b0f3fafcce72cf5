import { expect, it } from 'vitest';
import type { Block, Media } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { topicProblems } from '#contract/rules/topic-problems.ts';

const media: Media = { hash: 'a'.repeat(64), url: '/media/a.jpg', type: 'image/jpeg', bytes: 1 };
const words = (text: string, href?: string): RichNode => ({
  type: 'text',
  text,
  ...(href ? { marks: [{ type: 'link' as const, attrs: { href } }] } : {}),
});
const paragraph = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content });
const heading = (level: number, text: string): RichNode => ({ type: 'heading', attrs: { level }, content: text ? [words(text)] : [] });
const text = (...content: RichNode[]): Block => ({ kind: 'text', doc: { type: 'doc', content } });
const image = (alt: string, decorative?: boolean): Block => ({
  ...{ kind: 'image', media, alt, caption: '' },
  ...(decorative === undefined ? {} : { decorative }),
});
const said = (...blocks: Block[]) => topicProblems(blocks).map((p) => p.message);

it('asks for an alternative text, unless the author says that a picture is decorative', () => {
  expect(said(image('A basin'), image('', true))).toEqual([]);
  expect(topicProblems([text(paragraph(words('a'))), image(' ')])).toEqual([
    { message: expect.stringMatching(/no alternative text/), block: 1, path: [] },
  ]);
});

it('finds a question that nobody could answer, and its picture without words', () => {
  const question = { id: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', kind: 'true_false', prompt: 'Gloves replace washing.' } as const;
  const asked: Block = { kind: 'question', question, key: { kind: 'true_false', value: false, feedback: '' } };
  expect(said(asked)).toEqual([]);
  expect(said({ ...asked, key: null })).toEqual(['The question “Gloves replace washing.” is not finished. Choose whether it is true or false.']);
  expect(said({ ...asked, question: { ...question, picture: { media, alt: ' ' } } })).toEqual([expect.stringMatching(/picture without alternative/)]);
});

it('asks for captions and a transcript', () => {
  const video: Block = { kind: 'video', media, title: 'Hand washing', poster: null, transcript: '', captions: [] };
  expect(said(video)).toEqual(['The video “Hand washing” has no captions.', 'The video “Hand washing” has no transcript.']);
  expect(said({ ...video, transcript: 'Wet your hands.', captions: [{ language: 'en-GB', label: 'English', media }] })).toEqual([]);
  expect(said({ kind: 'audio', media, title: '', transcript: '' })).toEqual(['A recording has no title.', 'A recording has no transcript.']);
});

it('finds a skipped size of heading across blocks, and says which one it is', () => {
  expect(said(text(heading(2, 'One')), image('x'), text(heading(3, 'Two'), heading(2, 'Three')))).toEqual([]);
  expect(topicProblems([text(paragraph(words('a')), heading(2, 'One')), text(heading(4, 'Deep'))])).toEqual([
    { message: expect.stringMatching(/“Deep” .* skipped/), block: 1, path: [0] },
  ]);
  expect(said(text(heading(3, 'First')))).toHaveLength(1);
  expect(said(text(heading(2, '')))).toEqual([expect.stringMatching(/heading is empty/)]);
});

it('finds links that do not say where they lead, each once', () => {
  const to = 'https://example.org';
  const bad = ['click here', 'Here', 'read more', 'https://example.org/a/b', ' '];
  for (const name of bad) expect(said(text(paragraph(words(name, to)))), name).toHaveLength(1);
  const divided = paragraph(words('The guidance ', to), { ...words('here', to), marks: [{ type: 'bold' }, { type: 'link', attrs: { href: to } }] });
  expect(said(text(divided))).toEqual([]);
  const inList: RichNode = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(words('see '), words('here', to))] }] };
  expect(topicProblems([text(paragraph(words('a')), inList)])[0]?.path).toEqual([1, 0, 0, 1]);
});

it('asks for headings of a table and titles of callouts and expandable parts', () => {
  const table = (type: 'tableHeader' | 'tableCell'): RichNode => ({
    type: 'table',
    content: [{ type: 'tableRow', content: [{ type, content: [paragraph(words('a'))] }] }],
  });
  expect(said(text(table('tableHeader')))).toEqual([]);
  expect(said(text(table('tableCell')))).toHaveLength(1);
  const details: RichNode = { type: 'details', content: [{ type: 'summary' }, paragraph(words('a'))] };
  expect(said(text(details))).toHaveLength(1);
  expect(said({ kind: 'callout', tone: 'danger', title: '', doc: { type: 'doc', content: [paragraph(words('a'))] } })).toHaveLength(1);
});
