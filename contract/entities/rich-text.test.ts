import { expect, it } from 'vitest';
import { Block } from '#contract/entities/content.ts';
import { type RichNode, richTextLimits } from '#contract/entities/rich-text.ts';

const said = (doc: RichNode): string | null => {
  const read = Block.safeParse({ kind: 'text', doc });
  return read.success ? null : (read.error.issues[0]?.message ?? 'refused');
};
const words = (text: string): RichNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const cell = (type: 'tableCell' | 'tableHeader', text: string): RichNode => ({ type, content: [words(text)] });
const doc = (...content: RichNode[]): RichNode => ({ type: 'doc', content });
const nested = (depth: number): RichNode => (depth === 1 ? words('deep') : { type: 'blockquote', content: [nested(depth - 1)] });

it('takes tables, expandable parts and lists that go on from a number', () => {
  const table: RichNode = { type: 'table', content: [{ type: 'tableRow', content: [cell('tableHeader', 'When'), cell('tableCell', 'Always')] }] };
  const details: RichNode = { type: 'details', content: [{ type: 'summary', content: [{ type: 'text', text: 'Why?' }] }, words('So.')] };
  const list: RichNode = { type: 'orderedList', attrs: { start: 4 }, content: [{ type: 'listItem', content: [words('four')] }] };
  expect(said(doc(table, details, list))).toBeNull();
  expect(Block.parse({ kind: 'text', doc: doc(table, details, list) })).toEqual({ kind: 'text', doc: doc(table, details, list) });
});

it('refuses a part of a table without its table, and a text that is too long or too deep, each in a sentence', () => {
  expect(said(doc(cell('tableCell', 'alone')))).toMatch(/part of a table/);
  expect(said(doc(nested(richTextLimits.depth - 2)))).toBeNull();
  expect(said(doc(nested(richTextLimits.depth)))).toMatch(/lists within lists/);
  expect(said(doc(words('a'.repeat(richTextLimits.characters + 1))))).toMatch(/too long/);
  expect(said(doc(...Array.from({ length: richTextLimits.nodes }, () => words('a'))))).toMatch(/too long/);
});

it('refuses addresses that run something', () => {
  const link = (href: string) => doc({ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] });
  expect(said(link('https://example.org'))).toBeNull();
  for (const href of ['javascript:alert(1)', 'data:text/html,x', ' https://example.org', 'vbscript:x']) expect(said(link(href)), href).not.toBeNull();
});
