import { expect, it } from 'vitest';
import type { Block } from '#contract/entities/content.ts';
import { readabilityOf, syllablesOf } from '#contract/rules/readability.ts';

const text = (...lines: string[]): Block => ({
  kind: 'text',
  doc: { type: 'doc', content: lines.map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] })) },
});

it('counts the syllables of words as they are said', () => {
  const said = { a: 1, the: 1, care: 1, gloves: 1, washed: 1, wanted: 2, table: 2, nurses: 2, person: 2, medicine: 3, infection: 3, safeguarding: 4 };
  expect(Object.fromEntries(Object.keys(said).map((w) => [w, syllablesOf(w)]))).toEqual(said);
});

it('gives a plain text the age of a child and an official one that of a graduate', () => {
  const plain = text(
    'Wash your hands with soap. Rub them for as long as you need to sing a short song. Dry them well with a clean towel. Then put on your gloves. Do this each time you help a person.',
  );
  const official = text(
    'The organisation is responsible for ensuring that appropriate infection prevention arrangements, including the systematic decontamination of reusable equipment, are implemented consistently by all practitioners irrespective of their contractual circumstances or previous occupational experience.',
  );
  expect(readabilityOf([plain]).age).toBeLessThan(9);
  expect(readabilityOf([official]).age).toBeGreaterThan(20);
});

it('follows the formula of Flesch and Kincaid to the number', () => {
  // 40 words of one syllable in 4 sentences: 0.39 × 10 + 11.8 × 1 − 15.59 = 0.11.
  expect(readabilityOf([text(...Array.from({ length: 4 }, () => 'we all do what is best for each of them'))])).toEqual({
    words: 40,
    minutes: 1,
    age: 5,
  });
  // 40 words of two syllables in 1 sentence: 0.39 × 40 + 11.8 × 2 − 15.59 = 23.61.
  expect(readabilityOf([text(Array.from({ length: 40 }, () => 'person').join(' '))]).age).toBe(29);
});

it('counts what is read of a question', () => {
  const question = { id: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', kind: 'single', prompt: 'What first?' } as const;
  const options = ['Soap', 'Warm water'].map((words, i) => ({ id: `o${i}`, text: words }));
  const key = { kind: 'single', option: 'o1', feedback: 'Said later.' } as const;
  expect(readabilityOf([{ kind: 'question', question: { ...question, options }, key }]).words).toBe(5);
});

it('counts a heading, an item and a cell as sentences, and says nothing of the age of a few words', () => {
  const item = (line: string) => ({
    type: 'listItem' as const,
    content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text: line }] }],
  });
  const list: Block = { kind: 'text', doc: { type: 'doc', content: [{ type: 'bulletList', content: [item('clean hands'), item('clean gloves')] }] } };
  expect(readabilityOf([list])).toEqual({ words: 4, minutes: 1, age: null });
  expect(readabilityOf([])).toEqual({ words: 0, minutes: 0, age: null });
  expect(readabilityOf(Array.from({ length: 201 }, () => text('hand-washing')))).toMatchObject({ words: 201, minutes: 2 });
});
