import { createHash } from 'node:crypto';
import type { AnswerKey, Block, H5pBlock, Media, Question } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';

/** How the demo's courses are written: plain text with a little markup, and questions with their answers beside them. */

/** The same name gives the same id on every machine. */
export const demoId = (name: string): string => {
  const hex = createHash('sha256').update(`lantern-demo:${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const inline = (text: string): RichNode[] =>
  text
    .split(/(\*\*[^*]+\*\*|_[^_]+_)/)
    .filter(Boolean)
    .map((part) =>
      part.startsWith('**')
        ? { type: 'text', text: part.slice(2, -2), marks: [{ type: 'bold' }] }
        : part.startsWith('_')
          ? { type: 'text', text: part.slice(1, -1), marks: [{ type: 'italic' }] }
          : { type: 'text', text: part },
    );

/**
 * Paragraphs separated by empty lines; `## ` a heading, `- ` and `1. ` lists, `> ` a quotation, `| ` a table whose first row is its
 * headings, `+ ` an expandable part, **bold**, _italic_.
 */
export const rich = (source: string): RichNode => ({
  type: 'doc',
  content: source
    .trim()
    .split(/\n\s*\n/)
    .map((chunk): RichNode => {
      const lines = chunk.split('\n').map((l) => l.trim());
      const first = lines[0] as string;
      const list = (type: 'bulletList' | 'orderedList', mark: RegExp): RichNode => ({
        type,
        content: lines.map((l) => ({ type: 'listItem', content: [{ type: 'paragraph', content: inline(l.replace(mark, '')) }] })),
      });
      if (first.startsWith('## ')) return { type: 'heading', attrs: { level: 3 }, content: inline(first.slice(3)) };
      if (first.startsWith('- ')) return list('bulletList', /^- /);
      if (/^\d+\. /.test(first)) return list('orderedList', /^\d+\. /);
      if (first.startsWith('| '))
        return {
          type: 'table',
          content: lines.map((l, row) => ({
            type: 'tableRow',
            content: l
              .split('|')
              .slice(1, -1)
              .map((cell) => ({
                type: row === 0 ? 'tableHeader' : 'tableCell',
                content: [{ type: 'paragraph', content: inline(cell.trim()) }],
              })),
          })),
        };
      if (first.startsWith('+ '))
        return {
          type: 'details',
          content: [
            { type: 'summary', content: inline(first.slice(2)) },
            { type: 'paragraph', content: inline(lines.slice(1).join(' ')) },
          ],
        };
      if (first.startsWith('> '))
        return { type: 'blockquote', content: [{ type: 'paragraph', content: inline(lines.map((l) => l.replace(/^> /, '')).join(' ')) }] };
      return { type: 'paragraph', content: inline(lines.join(' ')) };
    }),
});

export type DemoBlock =
  | { text: string }
  | { remember: string; title: string }
  | { danger: string; title: string }
  | { example: string; title: string }
  | { image: string; alt: string; caption: string }
  | { video: string; title: string; poster: string; captions: string; transcript: string }
  | { audio: string; title: string; transcript: string }
  | { download: string; title: string }
  /** The folder of an H5P activity (packages/h5p). */
  | { h5p: string; title: string; goal?: H5pBlock['goal']; pass?: number };
export type DemoTopic = { title: string; skippable?: true; child?: true; hidden?: true; blocks: DemoBlock[] };
export type DemoQuestion =
  | { single: string; options: string[]; right: number; feedback: string }
  | { multiple: string; options: string[]; right: number[]; feedback: string }
  | { trueFalse: string; right: boolean; feedback: string }
  | { match: string; pairs: [string, string][]; feedback: string }
  | { order: string; items: string[]; feedback: string }
  | { fill: string; gaps: Record<string, string[]>; feedback: string }
  | { free: string; minWords: number; feedback: string };
export type DemoCourse = {
  key: string;
  minutes: number;
  aims: string;
  outcomes: string[];
  image: string;
  cpd: boolean;
  lessons: { title: string; topics: DemoTopic[] }[];
  quizzes: { title: string; randomized: boolean; quantity: number; pass: number; tries: number; questions: DemoQuestion[] }[];
};

export const blockOf = (block: DemoBlock, media: (name: string) => Media, activity: (folder: string) => H5pBlock['package']): Block => {
  if ('h5p' in block)
    return {
      kind: 'h5p',
      item_id: demoId(`h5p:${block.h5p}`),
      title: block.title,
      package: activity(block.h5p),
      goal: block.goal ?? 'optional',
      pass_percent: block.pass ?? 0,
    };
  if ('text' in block) return { kind: 'text', doc: rich(block.text) };
  if ('remember' in block) return { kind: 'callout', tone: 'remember', title: block.title, doc: rich(block.remember) };
  if ('danger' in block) return { kind: 'callout', tone: 'danger', title: block.title, doc: rich(block.danger) };
  if ('example' in block) return { kind: 'callout', tone: 'example', title: block.title, doc: rich(block.example) };
  if ('image' in block) return { kind: 'image', media: media(block.image), alt: block.alt, caption: block.caption };
  if ('video' in block)
    return {
      kind: 'video',
      media: media(block.video),
      title: block.title,
      poster: media(block.poster),
      transcript: block.transcript,
      captions: [{ language: 'en-GB', label: 'English', media: media(block.captions) }],
    };
  if ('audio' in block) return { kind: 'audio', media: media(block.audio), title: block.title, transcript: block.transcript };
  return { kind: 'download', media: media(block.download), title: block.title };
};

const named = (texts: string[]) => texts.map((text, i) => ({ id: String.fromCharCode(97 + i), text }));

/** A question for the document, and its answer, which only the server has. */
export const questionOf = (id: string, q: DemoQuestion): { question: Question; key: AnswerKey } => {
  const { feedback } = q;
  if ('single' in q)
    return {
      question: { id, kind: 'single', prompt: q.single, options: named(q.options) },
      key: { kind: 'single', option: String.fromCharCode(97 + q.right), feedback },
    };
  if ('multiple' in q)
    return {
      question: { id, kind: 'multiple', prompt: q.multiple, options: named(q.options) },
      key: { kind: 'multiple', options: q.right.map((i) => String.fromCharCode(97 + i)), feedback },
    };
  if ('trueFalse' in q) return { question: { id, kind: 'true_false', prompt: q.trueFalse }, key: { kind: 'true_false', value: q.right, feedback } };
  if ('match' in q) {
    // The right side is named by a hash, so that its names do not give the pairs away.
    const right = q.pairs.map(([, text]) => ({ id: createHash('sha256').update(`${id}${text}`).digest('hex').slice(0, 6), text }));
    return {
      question: {
        id,
        kind: 'match',
        prompt: q.match,
        left: named(q.pairs.map(([l]) => l)),
        right: [...right].sort((a, b) => a.id.localeCompare(b.id)),
      },
      key: { kind: 'match', pairs: Object.fromEntries(q.pairs.map((_, i) => [String.fromCharCode(97 + i), right[i]?.id ?? ''])), feedback },
    };
  }
  if ('order' in q) {
    const items = q.items.map((text) => ({ id: createHash('sha256').update(`${id}${text}`).digest('hex').slice(0, 6), text }));
    return {
      question: { id, kind: 'order', prompt: q.order, items: [...items].sort((a, b) => a.id.localeCompare(b.id)) },
      key: { kind: 'order', items: items.map((i) => i.id), feedback },
    };
  }
  if ('fill' in q) {
    const segments = q.fill
      .split(/(\[\w+\])/)
      .filter(Boolean)
      .map((s) => (/^\[\w+\]$/.test(s) ? { gap: s.slice(1, -1) } : s));
    return { question: { id, kind: 'fill_gap', prompt: 'Fill the gaps.', segments }, key: { kind: 'fill_gap', gaps: q.gaps, feedback } };
  }
  return { question: { id, kind: 'free_text', prompt: q.free, min_words: q.minWords }, key: { kind: 'free_text', min_words: q.minWords, feedback } };
};
