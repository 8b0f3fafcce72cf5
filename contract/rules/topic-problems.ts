import type { Block } from '#contract/entities/content.ts';
import type { RichNode } from '#contract/entities/rich-text.ts';
import { practiceProblem } from '#contract/rules/question-parts.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { plainText } from '#contract/rules/readability.ts';

/**
 * An accessibility problem of a topic. `block` and `path` locate it: the index of the block, and
 * in its document the index of each node, from the outermost to the one concerned.
 */
export type TopicProblem = { message: string; block: number; path: readonly number[] };

/** Link texts that do not say where the link leads when read out of context. */
const vague = /^(click )?(here|this|this link|this page|link|more|read more|see more|learn more|find out more|go|continue)\.?$/i;
const bareAddress = /^(https?:\/\/|www\.)\S+$/i;

type Found = { message: string; path: readonly number[] };
type Within = { level: number };

/** Adjacent texts of one link, which bold type within it splits. */
const linksIn = (node: RichNode): { at: number; text: string }[] => {
  const links: { at: number; text: string; href: string | undefined }[] = [];
  let before: string | undefined;
  for (const [at, child] of (node.content ?? []).entries()) {
    const link = child.marks?.find((m) => m.type === 'link');
    const last = links.at(-1);
    if (link && last && before === link.attrs?.href) last.text += child.text ?? '';
    else if (link) links.push({ at, text: child.text ?? '', href: link.attrs?.href });
    before = link?.attrs?.href;
  }
  return links;
};

const inText = (node: RichNode, path: readonly number[], within: Within, found: Found[]): void => {
  if (node.type === 'heading') {
    const level = node.attrs?.level ?? 3;
    if (plainText(node).trim() === '') found.push({ message: 'A heading is empty. Write it, or make it a paragraph.', path });
    else {
      if (level > within.level + 1)
        found.push({ message: `“${short(plainText(node))}” is a smaller heading than what stands above it allows: a size is skipped.`, path });
      within.level = level;
    }
  }
  if (node.type === 'summary' && plainText(node).trim() === '') found.push({ message: 'An expandable part has no title.', path });
  if (node.type === 'table' && !(node.content?.[0]?.content ?? []).some((cell) => cell.type === 'tableHeader'))
    found.push({ message: 'A table has no headings, so that nobody hears what its cells are about. Make its first row one of headings.', path });
  for (const { at, text } of linksIn(node)) {
    const linkText = text.trim();
    if (linkText === '') found.push({ message: 'A link has no words.', path: [...path, at] });
    else if (vague.test(linkText) || bareAddress.test(linkText))
      found.push({ message: `The link “${short(linkText)}” does not say where it leads. Use the name of what it opens.`, path: [...path, at] });
  }
  for (const [at, child] of (node.content ?? []).entries()) if (child.type !== 'text') inText(child, [...path, at], within, found);
};

const short = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
};

const sayOf = (block: Exclude<Block, { kind: 'text' | 'callout' }>): string[] => {
  switch (block.kind) {
    case 'image':
      return block.alt.trim() === '' && !block.decorative
        ? ['A picture has no alternative text. Describe what it shows, or say that it is decorative.']
        : [];
    case 'video': {
      const name = block.title.trim() ? `The video “${short(block.title)}”` : 'A video';
      return [
        ...(block.title.trim() ? [] : ['A video has no title.']),
        ...(block.captions.length > 0 ? [] : [`${name} has no captions.`]),
        ...(block.transcript.trim() ? [] : [`${name} has no transcript.`]),
      ];
    }
    case 'audio': {
      const name = block.title.trim() ? `The recording “${short(block.title)}”` : 'A recording';
      return [...(block.title.trim() ? [] : ['A recording has no title.']), ...(block.transcript.trim() ? [] : [`${name} has no transcript.`])];
    }
    case 'download':
      return block.title.trim() ? [] : ['A file to download has no title.'];
    case 'h5p':
      return block.title.trim() ? [] : ['An activity has no title.'];
    case 'question': {
      const { prompt } = block.question;
      const name = prompt.trim() ? `The question “${short(prompt)}”` : 'A question';
      const missing = practiceProblem(block);
      const unsaid = picturesOf(block.question).some(({ picture }) => picture.alt.trim() === '' && !picture.decorative);
      return [
        ...(missing ? [`${name} is not finished. ${missing}`] : []),
        ...(unsaid ? [`${name} has a picture without alternative text. Say what it shows, or that it is decorative.`] : []),
      ];
    }
  }
};

/**
 * Accessibility problems of a topic that its author should fix, in the order of the topic. It does not report what cannot be
 * known from the topic, such as the contrast within a picture.
 */
export const topicProblems = (blocks: readonly Block[]): TopicProblem[] => {
  // The title of the topic is the heading above all of these.
  const within: Within = { level: 1 };
  return blocks.flatMap((block, at): TopicProblem[] => {
    if (block.kind !== 'text' && block.kind !== 'callout') return sayOf(block).map((message) => ({ message, block: at, path: [] }));
    const found: Found[] = [];
    if (block.kind === 'callout' && block.title.trim() === '') found.push({ message: 'A callout has no title.', path: [] });
    inText(block.doc, [], within, found);
    return found.map((f) => ({ ...f, block: at }));
  });
};
