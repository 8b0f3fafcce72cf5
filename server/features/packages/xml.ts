import { cutText } from '#contract/rules/cut-text.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { packageLimits } from '#contract/entities/package.ts';
import { type Mended, refuse } from '#server/features/packages/package-refused.ts';

/** An element without its namespace prefix. `text` is its own text, trimmed. */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };

type Ordered = Record<string, unknown> & { ':@'?: Record<string, string> };
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // There is no DTD: what is left are the five of XML and characters by number, which only ever get shorter.
  processEntities: { enabled: true, maxExpandedLength: Number.POSITIVE_INFINITY },
  htmlEntities: true,
  // Depth is limited before anything is parsed.
  maxNestedTags: Number.POSITIVE_INFINITY,
});

const tooLarge = (file: string, problem: string) =>
  refuse(
    'too_large',
    file,
    `“${file}” ${problem}`,
    'Export the package again from the tool it was made with, or split the course into several packages.',
  );
const number = (n: number) => n.toLocaleString('en-GB');

/** Where the tag that begins at `from` ends: past its `>`, which may also stand inside quotes. -1 where it does not end. And how many texts in quotes it has. */
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
/** Counts elements, their depth and attributes in one pass, before anything is built in memory. What is not well-formed is found later. */
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

const read = (nodes: Ordered[]): { children: XmlElement[]; text: string } => {
  const children: XmlElement[] = [];
  let text = '';
  for (const node of nodes) {
    if (typeof node['#text'] === 'string') text += node['#text'];
    const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text');
    if (name) children.push({ name, attributes: node[':@'] ?? {}, ...read(node[name] as Ordered[]) });
  }
  return { children, text };
};

/** What these bytes say or show that they are written in. UTF-16 is told by its zeros where it has no mark; what declares it and has none is not. */
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
    mended(file, `“${file}” says that it is written in ${declared} and is written in UTF-8. It was read as UTF-8.`);
  try {
    return as(encoding);
  } catch {
    return refuse(
      'malformed_xml',
      file,
      `“${file}” says that it is written in ${encoding}, and it is not.`,
      'Save it as UTF-8 and upload the package again.',
    );
  }
};

/**
 * Reads an XML file without document type and without entities of its own: neither can name another file or grow.
 * Throws PackageRefused with the line where it is not well-formed.
 */
export const readXml = (bytes: Uint8Array, file: string, mended: Mended): XmlElement => {
  const source = decode(bytes, file, mended).replace(/^\uFEFF/, '');
  if (/<!(DOCTYPE|ENTITY)/i.test(source))
    refuse(
      'unsafe_xml',
      file,
      `“${file}” defines a document type or entities of its own.`,
      'Remove the DOCTYPE from the file; a course package does not need one.',
    );
  requireModest(source, file);
  const checked = XMLValidator.validate(source);
  if (checked !== true)
    refuse(
      'malformed_xml',
      file,
      `“${file}” is not well-formed at line ${checked.err.line}: ${checked.err.msg}`,
      'Export the package again from the tool it was made with, or mend that line.',
    );
  let nodes: Ordered[];
  try {
    nodes = parser.parse(source) as Ordered[];
  } catch (error) {
    return refuse(
      'malformed_xml',
      file,
      `“${file}” cannot be read: ${cutText((error as Error).message, 160)}.`,
      'Export the package again from the tool it was made with.',
    );
  }
  const root = read(nodes).children[0];
  return root ?? refuse('malformed_xml', file, `“${file}” is empty.`, 'Export the package again from the tool it was made with.');
};

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined => element?.children.find((c) => c.name === name);
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] => element?.children.filter((c) => c.name === name) ?? [];
/** Every element below this one with that name, in the order of the file. */
export const allOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((c) => [...(c.name === name ? [c] : []), ...allOf(c, name)]);
