import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { refuse } from '#server/features/packages/package-refused.ts';

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
  // There is no DTD: what is left are the five of XML and characters by number.
  processEntities: true,
  htmlEntities: true,
});

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

/** The bytes of an XML file as text, by its byte order mark or its own declaration; UTF-8 where neither says. */
const decode = (bytes: Uint8Array, file: string): string => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head)?.[1];
  const encoding = declared && !/^utf-?16$/i.test(declared) ? declared : declared ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
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
export const readXml = (bytes: Uint8Array, file: string): XmlElement => {
  const source = decode(bytes, file).replace(/^\uFEFF/, '');
  if (/<!(DOCTYPE|ENTITY)/i.test(source))
    refuse(
      'unsafe_xml',
      file,
      `“${file}” defines a document type or entities of its own.`,
      'Remove the DOCTYPE from the file; a course package does not need one.',
    );
  const checked = XMLValidator.validate(source);
  if (checked !== true)
    refuse(
      'malformed_xml',
      file,
      `“${file}” is not well-formed at line ${checked.err.line}: ${checked.err.msg}`,
      'Export the package again from the tool it was made with, or mend that line.',
    );
  const root = read(parser.parse(source) as Ordered[]).children[0];
  return root ?? refuse('malformed_xml', file, `“${file}” is empty.`, 'Export the package again from the tool it was made with.');
};

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined => element?.children.find((c) => c.name === name);
export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] => element?.children.filter((c) => c.name === name) ?? [];
/** Every element below this one with that name, in the order of the file. */
export const allOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.flatMap((c) => [...(c.name === name ? [c] : []), ...allOf(c, name)]);
