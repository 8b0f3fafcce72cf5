import type { Node as Content, Schema } from '@tiptap/pm/model';
import type { Block } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { plainText } from '#contract/rules/readability.ts';
import type { TopicProblem } from '#contract/rules/topic-problems.ts';
import type { PartAttrs } from '#src/features/content-creator/topic-editor/schema.ts';

/**
 * A topic's blocks as one document and back. Texts are runs of nodes between the other blocks: neighbouring texts become one, and empty
 * paragraphs at the ends of one are left out. A part whose file has not arrived yet is in the document alone.
 */

/** A node is never changed, only replaced: what it is as JSON is found once. */
const known = new WeakMap<Content, RichNode>();
const spans = ['colspan', 'rowspan'] as const;

const attrsOf = (node: Content): RichNode['attrs'] | undefined => {
  if (node.type.name === 'heading') return { level: node.attrs.level as number };
  if (node.type.name === 'orderedList' && (node.attrs.start as number) > 1) return { start: node.attrs.start as number };
  const wide = spans.filter((name) => ((node.attrs[name] as number | undefined) ?? 1) > 1);
  return wide.length > 0 ? Object.fromEntries(wide.map((name) => [name, node.attrs[name] as number])) : undefined;
};

/** A node of the document as one of the contract. */
const richOf = (node: Content): RichNode => {
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

/** A block, and where in the document it stands: the nodes of a text, or its one node. */
type Placed = { block: Block; nodes: readonly { at: number; node: Content }[] };

const isEmpty = (node: Content) => node.type.name === 'paragraph' && node.childCount === 0;
const knownCallouts = new WeakMap<Content, Block>();

const calloutOf = (node: Content): Block => {
  const before = knownCallouts.get(node);
  if (before) return before;
  const [title, ...body] = node.children;
  const block: Block = {
    kind: 'callout',
    tone: node.attrs.tone as 'remember',
    title: title?.textContent ?? '',
    doc: { type: 'doc', content: body.map(richOf) },
  };
  knownCallouts.set(node, block);
  return block;
};

const placed = (doc: Content): Placed[] => {
  const all: Placed[] = [];
  let run: { at: number; node: Content }[] = [];
  const endText = () => {
    const first = run.findIndex(({ node }) => !isEmpty(node));
    const last = run.findLastIndex(({ node }) => !isEmpty(node));
    const nodes = run.slice(Math.max(0, first), last + 1);
    if (first >= 0) all.push({ block: { kind: 'text', doc: { type: 'doc', content: nodes.map(({ node }) => richOf(node)) } }, nodes });
    run = [];
  };
  doc.forEach((node, at) => {
    if (node.type.spec.group !== 'outer') {
      run.push({ at, node });
      return;
    }
    endText();
    const block = node.type.name === 'callout' ? calloutOf(node) : (node.attrs as PartAttrs).block;
    if (!('media' in block) || block.media) all.push({ block: block as Block, nodes: [{ at, node }] });
  });
  endText();
  return all;
};

/** The blocks that a document holds. */
export const blocksOf = (doc: Content): Block[] => placed(doc).map(({ block }) => block);

/** Where in a document what a problem is about begins; null if it is not there any more. */
export const placeOf = (doc: Content, { block, path }: Pick<TopicProblem, 'block' | 'path'>): number | null => {
  const found = placed(doc)[block];
  const [first, ...rest] = found?.block.kind === 'callout' && path.length > 0 ? [0, (path[0] as number) + 1, ...path.slice(1)] : path;
  const start = found?.nodes[first ?? 0];
  if (!start) return null;
  let { at, node } = start;
  for (const index of rest) {
    if (index >= node.childCount) return null;
    for (let i = 0; i < index; i++) at += node.child(i).nodeSize;
    at += 1;
    node = node.child(index);
  }
  return at;
};

type Json = { type: string; attrs?: object; content?: Json[]; marks?: object[]; text?: string };

/** An empty piece of text is none in an editor. A heading without a size is shown as one of the second. */
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

/** A text as nodes that the editor can hold. What it has no place for stays as plain paragraphs: no word is lost. */
const textNodes = (schema: Schema, doc: RichNode): Content[] =>
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

/** Blocks as one document. */
export const documentOf = (schema: Schema, blocks: readonly Block[]): Content => {
  const nodes = blocks.flatMap((block): Content[] => {
    if (block.kind === 'text') return textNodes(schema, block.doc);
    if (block.kind !== 'callout') return [schema.node('part', { block, sending: null })];
    const body = textNodes(schema, block.doc);
    const title = schema.node('calloutTitle', null, block.title ? [schema.text(block.title)] : []);
    return [schema.node('callout', { tone: block.tone }, [title, ...(body.length > 0 ? body : [schema.node('paragraph')])])];
  });
  return schema.node('doc', null, nodes.length > 0 ? nodes : [schema.node('paragraph')]);
};
