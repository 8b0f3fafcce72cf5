import * as z from 'zod/mini';
import { linkTarget } from '#contract/rules/links.ts';

const nodeTypes = [
  'doc',
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'listItem',
  'blockquote',
  'table',
  'tableRow',
  'tableHeader',
  'tableCell',
  'details',
  'summary',
  'text',
  'hardBreak',
] as const;

/**
 * Structured text in ProseMirror's document format: written by the editor, rendered as elements by the reader. It contains no
 * markup, so nothing in it can execute.
 */
export type RichNode = {
  type: (typeof nodeTypes)[number];
  attrs?:
    | {
        /** For headings. */
        level?: number | undefined;
        /** The first number of an ordered list; default 1. */
        start?: number | undefined;
        /** Column and row span of a table cell; default 1. */
        colspan?: number | undefined;
        rowspan?: number | undefined;
      }
    | undefined;
  content?: RichNode[] | undefined;
  marks?: { type: 'bold' | 'italic' | 'link'; attrs?: { href?: string | undefined } | undefined }[] | undefined;
  text?: string | undefined;
};

/** Limits of one text. A request may be nested 64 deep; a node in a list is two levels of JSON below its parent. */
export const richTextLimits = { depth: 24, nodes: 20_000, characters: 200_000, span: 40 };

const Span = z.optional(z.int().check(z.gte(1), z.lte(richTextLimits.span)));

export const RichNode: z.ZodMiniType<RichNode> = z.object({
  type: z.enum(nodeTypes),
  attrs: z.optional(
    z.object({
      level: z.optional(z.int().check(z.gte(2), z.lte(4))),
      start: z.optional(z.int().check(z.gte(1), z.lte(9999))),
      colspan: Span,
      rowspan: Span,
    }),
  ),
  content: z.optional(z.array(z.lazy(() => RichNode))),
  marks: z.optional(
    z.array(
      z.object({
        type: z.enum(['bold', 'italic', 'link']),
        attrs: z.optional(
          z.object({
            href: z.optional(
              z
                .string()
                .check(z.refine((href) => linkTarget(href) !== null, 'This link cannot be opened. Use a web address that starts with https://.')),
            ),
          }),
        ),
      }),
    ),
  ),
  text: z.optional(z.string()),
});

/** Nodes that are allowed only within certain others. */
const parents: Partial<Record<RichNode['type'], readonly RichNode['type'][]>> = {
  tableRow: ['table'],
  tableHeader: ['tableRow'],
  tableCell: ['tableRow'],
  summary: ['details'],
};

/** What is wrong with a text as a whole, in a sentence; null if nothing is. */
export const richTextProblem = (root: RichNode): string | null => {
  let nodes = 0;
  let characters = 0;
  const problemOf = (node: RichNode, parent: RichNode | null, depth: number): string | null => {
    characters += node.text?.length ?? 0;
    if (++nodes > richTextLimits.nodes || characters > richTextLimits.characters) return 'This text is too long. Divide it into several topics.';
    if (depth > richTextLimits.depth) return 'This text has too many lists within lists.';
    const within = parents[node.type];
    if (within && !within.includes(parent?.type ?? 'doc')) return 'This text has a part of a table or of an expandable part without the rest.';
    for (const child of node.content ?? []) {
      const problem = problemOf(child, node, depth + 1);
      if (problem) return problem;
    }
    return null;
  };
  return problemOf(root, null, 1);
};

/** Refuses a text whose size or depth some device cannot show. */
export const wholeText = z.superRefine<{ doc: RichNode }>(({ doc }, context) => {
  const message = richTextProblem(doc);
  if (message) context.addIssue({ code: 'custom', message, path: ['doc'], input: doc });
});
