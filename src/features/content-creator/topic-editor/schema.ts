import { type Extensions, mergeAttributes, Node } from '@tiptap/core';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import * as z from 'zod/mini';
import { Block, calloutTones } from '#contract/entities/content.ts';
import { mediaOfBlocks } from '#contract/rules/block-media.ts';
import { pastedPicture } from '#src/screens/authoring/paste.ts';
import { textKit } from '#src/screens/authoring/text-kit.ts';

type WithMedia<B> = B extends { media: infer M } ? Omit<B, 'media'> & { media: M | null } : B;
/** A block that is not text: a picture, video, recording, file or activity. Without its file while that is uploading. */
export type Part = WithMedia<Exclude<Block, { kind: 'text' | 'callout' }>>;
export type PartKind = Part['kind'];
/** The attributes of a `part` node. `sending`: the name of the upload. */
export type PartAttrs = { block: Part; sending: string | null };

/** A file of this app, never of another site. */
const ours = z.string().check(z.regex(/^\/(?!\/)/));

/** Content copied from a topic editor: accepted only if it is a block with files of this app. */
const copiedPart = (text: string | null): Part | null => {
  if (!text) return null;
  try {
    const read = Block.safeParse(JSON.parse(text));
    if (!read.success || read.data.kind === 'text' || read.data.kind === 'callout') return null;
    const { data } = read;
    if (!mediaOfBlocks([data]).every(({ url }) => ours.safeParse(url).success)) return null;
    // A copied question gets its own id: an answer to one is not an answer to the other.
    return data.kind === 'question' ? { ...data, question: { ...data.question, id: crypto.randomUUID() } } : data;
  } catch {
    return null;
  }
};

const copied = 'data-topic-part';

const emptyPicture: Part = { kind: 'image', media: null, alt: '', caption: '' };

export const PartNode = Node.create({
  name: 'part',
  group: 'outer',
  atom: true,
  draggable: true,
  addAttributes: () => ({ block: { default: emptyPicture, rendered: false }, sending: { default: null, rendered: false } }),
  parseHTML: () => [
    {
      tag: `figure[${copied}]`,
      getAttrs: (element) => {
        const block = copiedPart(element.getAttribute(copied));
        return block ? { block, sending: null } : false;
      },
    },
    {
      tag: `figure[${pastedPicture}]`,
      getAttrs: (element) => ({
        block: { ...emptyPicture, alt: element.getAttribute('data-alt') ?? '' },
        sending: element.getAttribute(pastedPicture),
      }),
    },
  ],
  renderHTML: ({ node }) => ['figure', { [copied]: JSON.stringify(node.attrs.block) }],
});

const tonesOf = (element: HTMLElement) => calloutTones.find((tone) => tone === element.dataset.tone) ?? 'remember';

const CalloutNode = Node.create({
  name: 'callout',
  group: 'outer',
  content: 'calloutTitle block+',
  defining: true,
  addAttributes: () => ({ tone: { default: 'remember', parseHTML: tonesOf, renderHTML: ({ tone }) => ({ 'data-tone': tone as string }) } }),
  parseHTML: () => [{ tag: 'aside[data-tone]' }],
  renderHTML: ({ HTMLAttributes }) => ['aside', HTMLAttributes, 0],
});
const CalloutTitleNode = Node.create({
  name: 'calloutTitle',
  content: 'text*',
  marks: '',
  defining: true,
  parseHTML: () => [{ tag: 'p[data-callout-title]', priority: 60 }],
  renderHTML: () => ['p', { 'data-callout-title': '' }, 0],
});
const DetailsNode = Node.create({
  name: 'details',
  group: 'block',
  content: 'summary block+',
  defining: true,
  parseHTML: () => [{ tag: 'details' }, { tag: 'div[data-details]' }],
  // A collapsed part could not be edited.
  renderHTML: () => ['div', { 'data-details': '' }, 0],
});
const SummaryNode = Node.create({
  name: 'summary',
  content: 'text*',
  marks: 'bold italic',
  defining: true,
  parseHTML: () => [{ tag: 'summary' }, { tag: 'p[data-summary]', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['p', mergeAttributes(HTMLAttributes, { 'data-summary': '' }), 0],
});

const Document = Node.create({ name: 'doc', topNode: true, content: '(block | outer)+' });

/** The editor's schema. Text blocks are documents of the contract (`RichNode`); other blocks are nodes of their own. */
export const topicExtensions = (part: Node = PartNode): Extensions => [
  Document,
  textKit({ document: false, dropcursor: { width: 3, class: 'topic-drop' } }),
  Table.extend({
    // In the last cell, Tab leaves the editor, so that keyboard users are not trapped in a table.
    addKeyboardShortcuts() {
      return {
        Tab: () => this.editor.commands.goToNextCell(),
        'Shift-Tab': () => this.editor.commands.goToPreviousCell(),
      };
    },
  }),
  TableRow,
  TableCell,
  TableHeader,
  part,
  CalloutNode,
  CalloutTitleNode,
  DetailsNode,
  SummaryNode,
];
