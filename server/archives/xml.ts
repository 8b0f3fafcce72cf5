import { cutText } from '#contract/rules/cut-text.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { packageLimits } from '#contract/entities/package.ts';
import { type Mended, refuse } from '#server/archives/package-refused.ts';

/**
 * An element without its namespace prefix. `text` is its own text, trimmed. `nodes` has texts and elements in their order, where it was
 * asked for (`readMixedXml`).
 */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string; nodes?: (string | XmlElement)[] };

type Ordered = Record<string, unknown> & { ':@'?: Record<string, string> };
const options = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Without a DTD only the five predefined entities and numeric references remain; they only make the text shorter.
  processEntities: { enabled: true, maxExpandedLength: Number.POSITIVE_INFINITY },
  htmlEntities: true,
  // Depth is checked before parsing.
  maxNestedTags: Number.POSITIVE_INFINITY,
} as const;
const parser = new XMLParser(options);
const mixedParser = new XMLParser({ ...options, trimValues: false });

const tooLarge = (file: string, problem: string) =>
  refuse(
    'too_large',
    file,
    `“${file}” ${problem}`,
    'Export the package again from the tool it was made with, or split the course into several packages.',
  );
const number = (n: number) => n.toLocaleString('en-GB');

/** Finds the end of the tag that starts at `from`, ignoring `>` inside quotes (-1 if unterminated), and counts its quoted values. */
const endOfTag = (source: string, from: number): { end: number; attributes: number } => {
  let quote = 0;
  let attributes = 0;
  for (let at = from; at < source.length; at++) {
    const c = source.charCodeAt(at);
    if (quote !== 0) quote = c === quote ? 0 : quote;
    else if (c === 0x22 || c === 0x27) {
      quote = c;
      attributes++;
    } else if (c === 0x3e) return { end: at + 1, attributes };
  }
  return { end: -1, attributes };
};
const passages = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
/** Counts elements, depth and attributes in one pass, before anything is built in memory. Well-formedness is checked later. */
const requireModest = (source: string, file: string): void => {
  let elements = 0;
  let depth = 0;
  let attributes = 0;
  for (let at = source.indexOf('<'); at >= 0; ) {
    const passage = passages.find(([begin]) => source.startsWith(begin, at));
    let end: number;
    if (passage) {
      const found = source.indexOf(passage[1], at + passage[0].length);
      end = found < 0 ? -1 : found + passage[1].length;
    } else if (source[at + 1] === '/') {
      depth = Math.max(0, depth - 1);
      end = at + 2;
    } else {
      const tag = endOfTag(source, at);
      end = tag.end;
      attributes += tag.attributes;
      elements++;
      if (source[end - 2] !== '/') depth++;
      if (elements > packageLimits.xmlElements) tooLarge(file, `has more than ${number(packageLimits.xmlElements)} elements.`);
      const { one, all } = packageLimits.xmlAttributes;
      if (tag.attributes > one) tooLarge(file, `has an element with more than ${number(one)} attributes.`);
      if (attributes > all) tooLarge(file, `has more than ${number(all)} attributes.`);
      if (depth > packageLimits.xmlDepth) tooLarge(file, `nests its elements more than ${packageLimits.xmlDepth} deep.`);
    }
    if (end < 0) return;
    at = source.indexOf('<', end);
  }
};

/** A text from which on it is passed to the parser in one piece. */
const longText = 4096;
/**
 * Puts long texts without references, such as files in base64, into CDATA sections: the parser takes these in one piece, other texts
 * character by character, for some 30 bytes of memory each. The source is well-formed.
 */
const withLongTextsWhole = (source: string): string => {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = source.indexOf('<'); at >= 0; ) {
    const passage = passages.find(([begin]) => source.startsWith(begin, at));
    const end = passage ? source.indexOf(passage[1], at + passage[0].length) + passage[1].length : endOfTag(source, at).end;
    // Not well-formed after all: the parser says so.
    if (end <= at) return source;
    const next = source.indexOf('<', end);
    if (next - end >= longText) {
      const text = source.slice(end, next);
      if (!text.includes('&') && !text.includes(']]>') && /\S/.test(text)) {
        pieces.push(source.slice(copied, end), '<![CDATA[', text, ']]>');
        copied = next;
      }
    }
    at = next;
  }
  return pieces.length > 0 ? [...pieces, source.slice(copied)].join('') : source;
};

const read = (nodes: Ordered[], mixed: boolean): Omit<XmlElement, 'name' | 'attributes'> => {
  const children: XmlElement[] = [];
  const inOrder: (string | XmlElement)[] = [];
  let text = '';
  for (const node of nodes) {
    if (typeof node['#text'] === 'string') {
      text += node['#text'].trim();
      if (mixed) inOrder.push(node['#text']);
    }
    const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text');
    if (!name) continue;
    const child = { name, attributes: node[':@'] ?? {}, ...read(node[name] as Ordered[], mixed) };
    children.push(child);
    if (mixed) inOrder.push(child);
  }
  return { children, text, ...(mixed ? { nodes: inOrder } : {}) };
};

/** Determines the encoding from declaration and bytes. UTF-16 without a byte order mark is recognised by its zero bytes; a declaration of UTF-16 without them is ignored. */
const encodingOf = (bytes: Uint8Array): { encoding: string; declared: string | null } => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head)?.[1] ?? null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', declared };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', declared };
  if (bytes[0] === 0x3c && bytes[1] === 0) return { encoding: 'utf-16le', declared };
  if (bytes[0] === 0 && bytes[1] === 0x3c) return { encoding: 'utf-16be', declared };
  return { encoding: declared && !/^utf-?16/i.test(declared) ? declared : 'utf-8', declared };
};
const decode = (bytes: Uint8Array, file: string, mended: Mended): string => {
  const { encoding, declared } = encodingOf(bytes);
  const as = (name: string) => new TextDecoder(name, { fatal: true }).decode(bytes);
  if (declared && /^utf-?16/i.test(declared) && encoding === 'utf-8')
    mended(file, `“${file}” declares the encoding ${declared} but is in UTF-8. It was read as UTF-8.`);
  try {
    return as(encoding);
  } catch {
    return refuse(
      'malformed_xml',
      file,
      `“${file}” declares the encoding ${encoding} but is not in it.`,
      'Save it as UTF-8 and upload the package again.',
    );
  }
};

/**
 * Reads an XML file. Document types and custom entities are refused, because they can reference other files or expand.
 * Throws PackageRefused with the line that is not well-formed.
 */
export const readXml = (bytes: Uint8Array, file: string, mended: Mended): XmlElement => readWith(bytes, file, mended, false);
/** The same for files in which texts and elements alternate: it keeps their order and the spaces around them. */
export const readMixedXml = (bytes: Uint8Array, file: string, mended: Mended): XmlElement => readWith(bytes, file, mended, true);
const readWith = (bytes: Uint8Array, file: string, mended: Mended, mixed: boolean): XmlElement => {
  const source = decode(bytes, file, mended).replace(/^\uFEFF/, '');
  if (/<!(DOCTYPE|ENTITY)/i.test(source))
    refuse(
      'unsafe_xml',
      file,
      `“${file}” defines a document type or custom entities.`,
      'Remove the DOCTYPE from the file; a course package does not need one.',
    );
  requireModest(source, file);
  const checked = XMLValidator.validate(source);
  if (checked !== true)
    refuse(
      'malformed_xml',
      file,
      `“${file}” is not well-formed at line ${checked.err.line}: ${checked.err.msg}`,
      'Export the package again from the tool it was made with, or correct that line.',
    );
  let nodes: Ordered[];
  try {
    nodes = (mixed ? mixedParser : parser).parse(withLongTextsWhole(source)) as Ordered[];
  } catch (error) {
    return refuse(
      'malformed_xml',
      file,
      `“${file}” cannot be read: ${cutText((error as Error).message, 160)}.`,
      'Export the package again from the tool it was made with.',
    );
  }
  const root = read(nodes, mixed).children[0];
  return root ?? refuse('malformed_xml', file, `“${file}” is empty.`, 'Export the package again from the tool it was made with.');
};

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined => element?.children.find((c) => c.name === name);
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] => element?.children.filter((c) => c.name === name) ?? [];
/** All descendants with that name, in document order. */
export const allOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((c) => [...(c.name === name ? [c] : []), ...allOf(c, name)]);
