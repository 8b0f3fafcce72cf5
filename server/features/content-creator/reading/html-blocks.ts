import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Block } from '#contract/entities/content.ts';
import { type RichNode, richTextLimits, richTextProblem } from '#contract/entities/rich-text.ts';
import { linkTarget } from '#contract/rules/links.ts';
import { cutText } from '#contract/rules/cut-text.ts';
import { elementsWithoutText } from '#contract/rules/pasted-elements.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type Marks = NonNullable<RichNode['marks']>;

/** What a page refers to: one of its pictures, or the target of a link or player. Null if it is not here. */
export type NamedInPage = {
  picture: (source: string, alt: string) => Block | null;
  file: (address: string, title: string) => Block | null;
};
/** `changed` describes what of the page was altered, in sentences. */
export type PageBlocks = { title: string; blocks: Block[]; changed: string[] };

const dropped = new Set([...elementsWithoutText.filter((name) => !['iframe', 'object', 'embed', 'audio', 'video', 'hr'].includes(name)), 'head']);
const players = new Set(['iframe', 'object', 'embed', 'audio', 'video']);
const inlineNames = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i;
/** Nobody nests deeper than this; anything deeper is left out. */
const deepest = 200;
const deepestList = 6;

const attributeOf = (element: Element, name: string): string => element.attrs.find((a) => a.name === name)?.value ?? '';
const isElement = (node: Node): node is Element => 'tagName' in node;
const isHidden = (element: Element): boolean =>
  element.attrs.some((a) => a.name === 'hidden') || attributeOf(element, 'aria-hidden') === 'true' || hiddenStyle.test(attributeOf(element, 'style'));
const childrenOf = (element: Element): Node[] => (element.tagName === 'template' ? [] : element.childNodes);
const paragraphOf = (content: RichNode[]): RichNode => ({ type: 'paragraph', ...(content.length > 0 ? { content } : {}) });
const hostOf = (address: string): string | null => {
  const url = URL.parse(address.startsWith('//') ? `https:${address}` : address);
  return url && /^https?:$/.test(url.protocol) ? url.host : null;
};

/** Texts without space at their ends; null if they are empty. */
const trimmed = (content: RichNode[]): RichNode[] | null => {
  const all: RichNode[] = [];
  for (const node of content) {
    const before = all.at(-1);
    const spaced = before?.type === 'hardBreak' || before?.text?.endsWith(' ');
    const text = spaced ? node.text?.trimStart() : node.text;
    if (node.type === 'hardBreak') all.push(node);
    else if (text) all.push({ ...node, text });
  }
  while (all[0]?.type === 'hardBreak' || all[0]?.text === ' ') all.shift();
  while (all.at(-1)?.type === 'hardBreak' || all.at(-1)?.text === ' ') all.pop();
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return null;
  all[0] = { ...first, text: first.text?.trimStart() };
  const end = all.length - 1;
  all[end] = { ...(all[end] as RichNode), text: (all[end] as RichNode).text?.trimEnd() };
  return all;
};

/**
 * Reads a page of untrusted HTML as blocks of a topic, as pasting does: only what a topic can contain. The result is nodes and never
 * markup, so nothing in it can run. Pictures and files follow the paragraph, list or table that contained them.
 */
export const blocksOfHtml = (html: string, named: NamedInPage): PageBlocks => {
  const document = parse(html);
  const changed: string[] = [];
  const blocks: Block[] = [];
  let run: RichNode[] = [];
  let beside: Block[] = [];
  let title = '';
  const sizes = new Set<string>();
  const look = (node: Node, depth: number): void => {
    if (!isElement(node) || depth > deepest) return;
    if (/^h[1-6]$/.test(node.tagName)) sizes.add(node.tagName);
    if (node.tagName === 'title' && !title)
      title = node.childNodes
        .map((c) => ('value' in c ? c.value : ''))
        .join('')
        .replace(/\s+/g, ' ')
        .trim();
    for (const child of node.childNodes) look(child, depth + 1);
  };
  for (const child of document.childNodes) look(child, 0);
  const levels = [...sizes].sort();
  const levelOf = (name: string) => Math.min(4, 2 + levels.indexOf(name));

  const endText = () => {
    if (run.length > 0) blocks.push({ kind: 'text', doc: { type: 'doc', content: run } });
    run = [];
  };
  /** Blocks found within the nodes that just ended follow them. */
  const placeBeside = () => {
    if (beside.length === 0) return;
    endText();
    blocks.push(...beside);
    beside = [];
  };

  const linkTo = (href: string, words: string): RichNode => ({ type: 'text', text: words, marks: [{ type: 'link', attrs: { href } }] });
  /** A film, sound or page embedded in the page: a block if its file is here, else a link to it. */
  const player = (element: Element): RichNode | null => {
    const source = [
      ...[attributeOf(element, 'src'), attributeOf(element, 'data')],
      ...childrenOf(element).flatMap((c) => (isElement(c) && c.tagName === 'source' ? [attributeOf(c, 'src')] : [])),
    ].find((address) => address !== '');
    if (!source) return null;
    const name = attributeOf(element, 'title').trim() || attributeOf(element, 'aria-label').trim();
    const block = named.file(source, name);
    if (block) {
      beside.push(block);
      return null;
    }
    const host = hostOf(source);
    if (!host) {
      changed.push(`What is played from “${cutText(source, 80)}” is not in the file.`);
      return null;
    }
    changed.push(`What is shown there from ${host} becomes a link.`);
    return linkTo(source.startsWith('//') ? `https:${source}` : source, name || host);
  };

  const inline = (node: Node, marks: Marks, depth: number): RichNode[] => {
    if (!isElement(node)) {
      if (node.nodeName !== '#text') return [];
      const text = (node as DefaultTreeAdapterTypes.TextNode).value.replace(/[\s\u00a0]+/g, ' ').replace(/[\u200b\ufeff\u00ad]/g, '');
      return text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 ? { marks } : {}) }];
    }
    const { tagName } = node;
    if (depth > deepest || dropped.has(tagName) || isHidden(node)) return [];
    if (tagName === 'br') return [{ type: 'hardBreak' }];
    if (tagName === 'img') {
      const [source, alt] = [attributeOf(node, 'src'), attributeOf(node, 'alt').trim()];
      const isTiny = Number(attributeOf(node, 'width') || 9) <= 2 && Number(attributeOf(node, 'height') || 9) <= 2;
      const block =
        isTiny || source === '' ? null : named.picture(source, /^https?:|\.(png|jpe?g|gif|webp|svg)$/i.test(alt) ? '' : cutText(alt, 500));
      if (block) beside.push(block);
      else if (!isTiny && source !== '')
        changed.push(
          `The picture “${cutText(alt || source.split('/').at(-1) || source, 80)}” is not taken: it is not in the file, or no PNG, JPEG, GIF or WebP.`,
        );
      return [];
    }
    if (players.has(tagName)) {
      const link = player(node);
      return link ? [link] : [];
    }
    let next = marks;
    const has = (type: Marks[number]['type']) => marks.some((m) => m.type === type);
    const style = attributeOf(node, 'style');
    if ((/^(b|strong)$/.test(tagName) || /font-weight\s*:\s*(bold|[6-9]00)/i.test(style)) && !has('bold')) next = [...next, { type: 'bold' }];
    if ((/^(i|em|cite|dfn)$/.test(tagName) || /font-style\s*:\s*italic/i.test(style)) && !has('italic')) next = [...next, { type: 'italic' }];
    if (tagName === 'a' && !has('link')) {
      const href = attributeOf(node, 'href').trim();
      const block = href === '' ? null : named.file(href, textOf(node));
      if (block) beside.push(block);
      // A URL without a host would lead somewhere in this app.
      else if (linkTarget(href) !== null && !href.startsWith('/')) next = [...next, { type: 'link', attrs: { href } }];
      else if (href !== '' && !href.startsWith('#'))
        changed.push(`The link “${cutText(textOf(node) || href, 80)}” led within the course, and is words now.`);
    }
    return childrenOf(node).flatMap((child) => inline(child, next, depth + 1));
  };
  const textOf = (element: Element, depth = 0): string =>
    depth > deepest
      ? ''
      : childrenOf(element)
          .map((c) => (isElement(c) ? textOf(c, depth + 1) : 'value' in c ? c.value : ''))
          .join('')
          .replace(/\s+/g, ' ')
          .trim();
  /** Whether it is inline content. */
  const isInline = (node: Node, depth = 0): boolean =>
    !isElement(node) ||
    depth > deepest ||
    node.tagName === 'br' ||
    node.tagName === 'img' ||
    players.has(node.tagName) ||
    dropped.has(node.tagName) ||
    (inlineNames.has(node.tagName) && childrenOf(node).every((c) => isInline(c, depth + 1)));

  type Within = { depth: number; lists: number; inTable: boolean; inQuote: boolean; inDetails: boolean };
  /** Reads block content. `put` receives each node as it ends. */
  const flow = (nodes: readonly Node[], within: Within, put: (node: RichNode) => void): void => {
    if (within.depth > deepest) return;
    const inner = { ...within, depth: within.depth + 1 };
    let line: RichNode[] = [];
    const endLine = () => {
      const content = trimmed(line);
      line = [];
      if (content) put(paragraphOf(content));
      if (within.lists === 0 && !within.inTable && !within.inQuote && !within.inDetails) placeBeside();
    };
    const inside = (children: readonly Node[], more: Partial<Within>): RichNode[] => {
      const found: RichNode[] = [];
      flow(children, { ...inner, ...more }, (n) => found.push(n));
      return found;
    };
    for (const node of nodes) {
      if (isInline(node)) {
        line.push(...inline(node, [], within.depth));
        continue;
      }
      const element = node as Element;
      if (isHidden(element)) continue;
      endLine();
      const { tagName } = element;
      if (/^h[1-6]$/.test(tagName)) {
        const content = trimmed(childrenOf(element).flatMap((c) => inline(c, [{ type: 'bold' }], within.depth)));
        const plain = content?.map((n) => {
          const marks = n.marks?.filter((m) => m.type !== 'bold') ?? [];
          return { ...n, marks: marks.length > 0 ? marks : undefined };
        });
        if (plain)
          put(within.lists > 0 || within.inTable ? paragraphOf(plain) : { type: 'heading', attrs: { level: levelOf(tagName) }, content: plain });
      } else if ((tagName === 'ul' || tagName === 'ol') && within.lists < deepestList) {
        const items: RichNode[] = [];
        const loose = childrenOf(element).filter(isElement);
        for (const child of loose) {
          const found = inside(child.tagName === 'li' ? childrenOf(child) : [child], { lists: within.lists + 1 });
          if (found.length === 0) continue;
          items.push({ type: 'listItem', content: found[0]?.type === 'paragraph' ? found : [paragraphOf([]), ...found] });
        }
        const start = Number.parseInt(attributeOf(element, 'start'), 10);
        const attrs = tagName === 'ol' && start > 1 && start <= 9999 ? { attrs: { start } } : {};
        if (items.length > 0) put({ type: tagName === 'ul' ? 'bulletList' : 'orderedList', ...attrs, content: items });
      } else if (tagName === 'table' && !within.inTable && within.lists === 0) {
        const rows: RichNode[] = [];
        const visit = (part: Element, isHead: boolean): void => {
          for (const child of childrenOf(part).filter(isElement)) {
            if (/^(thead|tbody|tfoot)$/.test(child.tagName)) visit(child, child.tagName === 'thead');
            else if (child.tagName === 'caption') {
              const content = trimmed(childrenOf(child).flatMap((c) => inline(c, [], within.depth)));
              if (content) put(paragraphOf(content));
            } else if (child.tagName === 'tr') {
              const cells = childrenOf(child)
                .filter(isElement)
                .filter((c) => c.tagName === 'td' || c.tagName === 'th')
                .map((cell): RichNode => {
                  const found = inside(childrenOf(cell), { inTable: true });
                  const span = (name: 'colspan' | 'rowspan') => {
                    const n = Number.parseInt(attributeOf(cell, name), 10);
                    return n > 1 && n <= richTextLimits.span ? { [name]: n } : {};
                  };
                  const attrs = { ...span('colspan'), ...span('rowspan') };
                  return {
                    type: isHead || cell.tagName === 'th' ? 'tableHeader' : 'tableCell',
                    ...(Object.keys(attrs).length > 0 ? { attrs } : {}),
                    content: found.length > 0 ? found : [paragraphOf([])],
                  };
                });
              if (cells.length > 0) rows.push({ type: 'tableRow', content: cells });
            }
          }
        };
        visit(element, false);
        // A table with a single cell is only layout.
        const [row] = rows;
        if (rows.length === 1 && row?.content?.length === 1) for (const n of row.content[0]?.content ?? []) put(n);
        else if (rows.length > 0) put({ type: 'table', content: rows });
      } else if (tagName === 'blockquote' && !within.inQuote) {
        const content = inside(childrenOf(element), { inQuote: true });
        if (content.length > 0) put({ type: 'blockquote', content });
      } else if (tagName === 'details' && !within.inDetails) {
        const summary = childrenOf(element).find((c) => isElement(c) && c.tagName === 'summary') as Element | undefined;
        const content = inside(
          childrenOf(element).filter((c) => c !== summary),
          { inDetails: true },
        );
        const words = summary ? textOf(summary) : '';
        put({
          type: 'details',
          content: [
            { type: 'summary', ...(words ? { content: [{ type: 'text', text: words }] } : {}) },
            ...(content.length > 0 ? content : [paragraphOf([])]),
          ],
        });
      } else flow(childrenOf(element), inner, put);
    }
    endLine();
  };
  flow(document.childNodes, { depth: 0, lists: 0, inTable: false, inQuote: false, inDetails: false }, (node) => {
    run.push(node);
    placeBeside();
  });
  placeBeside();
  endText();
  const whole = blocks.filter((b) => {
    const problem = b.kind === 'text' ? richTextProblem(b.doc) : null;
    if (problem) changed.push(`A part of its text is not taken. ${problem}`);
    return !problem;
  });
  return { title: cutText(title, 200), blocks: whole, changed: [...new Set(changed)] };
};
