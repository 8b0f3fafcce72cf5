import type { Node as Content, Schema } from '@tiptap/pm/model';
import type { Block } from '#contract/entities/content.ts';
import type { TopicProblem } from '#contract/rules/topic-problems.ts';
import type { PartAttrs } from '#src/features/content-creator/topic-editor/schema.ts';
import { richOf, textNodes } from '#src/screens/authoring/rich-document.ts';

/**
 * Converts a topic's blocks to one document and back. Text blocks are the runs of nodes between the other blocks: adjacent ones become
 * one, and empty paragraphs at their ends are left out. A part whose file is still uploading exists only in the document.
 */

/** A block with its position in the document: the nodes of a text, or its single node. */
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

/** The blocks of a document. */
export const blocksOf = (doc: Content): Block[] => placed(doc).map(({ block }) => block);

/** The position in a document of a problem; null if it no longer exists. */
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

/** The document of blocks. */
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
