import type { Block } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';

/** Words per minute that adults read of a plain text. */
export const wordsAMinute = 200;
/** A shorter text is too short for a reading age. */
export const fewestWords = 30;

/** Nodes that end a sentence, with or without a full stop. */
const sentenceEnds: readonly RichNode['type'][] = ['paragraph', 'heading', 'summary'];

/** The text of a document, one line for each paragraph, heading, item and cell. */
export const plainText = (node: RichNode): string => {
  if (node.type === 'text') return node.text ?? '';
  if (node.type === 'hardBreak') return ' ';
  const inner = (node.content ?? []).map(plainText).join('');
  return sentenceEnds.includes(node.type) ? `${inner}\n` : inner;
};

/** The text of a block that is read, without what is only for screen readers. */
const textOf = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return plainText(block.doc);
    case 'callout':
      return `${block.title}\n${plainText(block.doc)}`;
    case 'image':
      return `${block.caption}\n`;
    case 'question': {
      const q = block.question;
      const parts = 'options' in q ? q.options : q.kind === 'match' ? [...q.left, ...q.right] : q.kind === 'order' ? q.items : [];
      const gaps = q.kind === 'fill_gap' ? q.segments.map((s) => (typeof s === 'string' ? s : ' ')).join('') : '';
      return [q.prompt, gaps, ...parts.map((p) => p.text)].join('\n');
    }
    default:
      return '';
  }
};

/** Runs of letters and digits, including internal marks: `it’s`, `hand-washing`, `10:30`. */
const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:[’'.:-][\p{L}\p{N}]+)*/gu) ?? [];

/** The number of syllables of an English word: its groups of vowels, without silent ones. */
export const syllablesOf = (word: string): number => {
  const letters = word
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (letters.length <= 3) return 1;
  const spoken = letters
    // A final e is silent (`glove`, `gloves`, `washed`), unless it cannot be (`table`, `nurses`, `wanted`).
    .replace(/(?<![aeiouysxzcgh])(?<![^aeiouy]l)es$/, '')
    .replace(/(?<![td])ed$/, '')
    .replace(/(?<![^aeiouy]l)e$/, '');
  return Math.max(1, spoken.match(/[aeiouy]{1,2}/g)?.length ?? 1);
};

export type Readability = {
  words: number;
  /** Reading time in whole minutes, without films and recordings; 0 only for no text. */
  minutes: number;
  /** Reading age in years; null if the text is too short. */
  age: number | null;
};

/**
 * The amount of text, and how hard it is to read: the age at which most readers of English understand it. By the Flesch–Kincaid grade
 * (1975): 0.39 × words per sentence + 11.8 × syllables per word − 15.59. A pupil in grade n is about n + 5 years old.
 */
export const readabilityOf = (blocks: readonly Block[]): Readability => {
  const text = blocks.map(textOf).join('\n');
  const words = wordsIn(text);
  const sentences = text.split(/[.!?…]+(?=\s|$)|\n/).filter((s) => wordsIn(s).length > 0).length;
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  const grade = (0.39 * words.length) / Math.max(1, sentences) + (11.8 * syllables) / Math.max(1, words.length) - 15.59;
  return {
    words: words.length,
    minutes: Math.ceil(words.length / wordsAMinute),
    age: words.length < fewestWords ? null : Math.max(5, Math.round(grade + 5)),
  };
};
