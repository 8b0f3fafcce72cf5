import * as z from 'zod/mini';

/**
 * Structured text in ProseMirror's document format: written by the editor, rendered as elements by the reader. It contains no
 * markup, so nothing in it can execute.
 */
export type RichNode = {
  type: 'doc' | 'paragraph' | 'heading' | 'bulletList' | 'orderedList' | 'listItem' | 'blockquote' | 'text' | 'hardBreak';
  attrs?: { level?: number | undefined } | undefined;
  content?: RichNode[] | undefined;
  marks?: { type: 'bold' | 'italic' | 'link'; attrs?: { href?: string | undefined } | undefined }[] | undefined;
  text?: string | undefined;
};

export const RichNode: z.ZodMiniType<RichNode> = z.object({
  type: z.enum(['doc', 'paragraph', 'heading', 'bulletList', 'orderedList', 'listItem', 'blockquote', 'text', 'hardBreak']),
  attrs: z.optional(z.object({ level: z.optional(z.int().check(z.gte(2), z.lte(4))) })),
  content: z.optional(z.array(z.lazy(() => RichNode))),
  marks: z.optional(
    z.array(
      z.object({
        type: z.enum(['bold', 'italic', 'link']),
        attrs: z.optional(z.object({ href: z.optional(z.string().check(z.regex(/^(https?:|mailto:|tel:|\/)/))) })),
      }),
    ),
  ),
  text: z.optional(z.string()),
});
