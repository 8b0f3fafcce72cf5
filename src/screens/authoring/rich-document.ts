import type { Node as Content, Schema } from '@tiptap/pm/model';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { plainText } from '#contract/rules/readability.ts';

/** Converts texts of the contract to nodes of an editor, and back. */

/** Nodes are immutable, so their JSON is cached. */
const known = new WeakMap<Content, RichNode>();
const spans = ['colspan', 'rowspan'] as const;

const attrsOf = (node: Content): RichNode['attrs'] | undefined => {
  if (node.type.name === 'heading') return { level: node.attrs.level as number };
  if (node.type.name === 'orderedList' && (node.attrs.start as number) > 1) return { start: node.attrs.start as number };
  const wide = spans.filter((name) => ((node.attrs[name] as number | undefined) ?? 1) > 1);
  return wide.length > 0 ? Object.fromEntries(wide.map((name) => [name, node.attrs[name] as number])) : undefined;
};

/** A node of the document as one of the contract. */
export const richOf = (node: Content): RichNode => {
  const before = known.get(node);
  if (before) return before;
  const attrs = attrsOf(node);
  const rich: RichNode = {
    type: node.type.name as RichNode['type'],
    ...(attrs ? { attrs } : {}),
    ...(node.childCount > 0 ? { content: node.children.map(richOf) } : {}),
    ...(node.marks.length > 0
      ? {
          marks: node.marks.map(({ type, attrs: { href } }) => ({
            type: type.name as 'bold' | 'italic' | 'link',
            ...(type.name === 'link' ? { attrs: { href: href as string } } : {}),
          })),
        }
      : {}),
    ...(node.isText ? { text: node.text } : {}),
  };
  known.set(node, rich);
  return rich;
};

type Json = { type: string; attrs?: object; content?: Json[]; marks?: object[]; text?: string };

/** Empty text nodes are not allowed in an editor. A heading without a level is shown as level two. */
const jsonOf = (node: RichNode): Json[] => {
  if (node.type === 'text') return node.text ? [{ type: 'text', text: node.text, marks: node.marks ?? [] }] : [];
  const attrs = node.type === 'heading' ? { level: 3, ...node.attrs } : node.attrs;
  return [{ type: node.type, ...(attrs ? { attrs } : {}), content: (node.content ?? []).flatMap(jsonOf) }];
};

const paragraphsOf = (node: RichNode): Json[] =>
  plainText(node)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }));

/** A text as nodes that the editor supports. Unsupported ones become plain paragraphs: no word is lost. */
export const textNodes = (schema: Schema, doc: RichNode): Content[] =>
  (doc.content ?? []).flatMap((child): Content[] => {
    const read = (json: Json[]) =>
      json.map((j) => {
        const node = schema.nodeFromJSON(j);
        node.check();
        return node;
      });
    try {
      const nodes = read(jsonOf(child));
      if (nodes.some((n) => !n.type.isInGroup('block'))) throw new RangeError('not of its own');
      return nodes;
    } catch {
      return read(paragraphsOf(child));
    }
  });
