import type { RichNode } from '#contract/entities/rich-text.ts';
import { plainText } from '#contract/rules/readability.ts';

export type OutsideLink = { words: string; host: string };

/** The links of a text to other sites, each once: they do not work offline. */
export const outsideLinks = (docs: readonly RichNode[]): OutsideLink[] => {
  const found = new Map<string, OutsideLink>();
  const visit = (node: RichNode): void => {
    const href = node.marks?.find((m) => m.type === 'link')?.attrs?.href;
    const url = href && /^https?:/.test(href) ? URL.parse(href) : null;
    if (href && url) {
      const before = found.get(href);
      // Bold type within a link splits its text.
      found.set(href, { words: `${before?.words ?? ''}${plainText(node)}`, host: url.host });
    }
    for (const child of node.content ?? []) visit(child);
  };
  for (const doc of docs) visit(doc);
  return [...found.values()].map(({ words, host }) => ({ words: words.trim() || host, host }));
};
