import { elementsWithoutText } from '#contract/rules/pasted-elements.ts';

/** The text of a piece of HTML, without markup; and what of it is not text. */
export type HtmlText = { text: string; pictures: ShownPicture[]; media: number };
/** A picture in a text, with its alternative text. `decorative`: it is marked as needing none. */
export type ShownPicture = { source: string; alt: string; decorative: boolean };

const named: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”' },
  ...{ bdquo: '„', hellip: '…', bull: '•', prime: '′', euro: '€', trade: '™', larr: '←', uarr: '↑', rarr: '→', darr: '↓', minus: '−', ne: '≠' },
  ...{ le: '≤', ge: '≥', asymp: '≈', infin: '∞', radic: '√', sum: '∑', oelig: 'œ', OElig: 'Œ', scaron: 'š', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', Delta: 'Δ', theta: 'θ', lambda: 'λ', mu: 'μ', pi: 'π', sigma: 'σ', omega: 'ω', Omega: 'Ω' },
};
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
for (const [i, name] of latin.split(' ').entries()) named[name] = String.fromCharCode(160 + i);

/** Decodes character references. Unknown ones stay as they are. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] as string) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
  });

const blocks = new Set(
  'p div ul ol table tr h1 h2 h3 h4 h5 h6 blockquote pre section article header footer dl dt dd figure figcaption address center details summary br'.split(
    ' ',
  ),
);
const without = new Set([...elementsWithoutText, 'head']);
/** Elements without an end tag. */
const withoutEnd = new Set('meta link base source track input hr embed'.split(' '));
const mediaNames = new Set('iframe object embed applet svg canvas audio video math'.split(' '));

/** The end of the tag that begins at `from`, past its `>`; -1 if there is none. A `>` within quotes does not count. */
const endOfTag = (html: string, from: number): number => {
  let quote = '';
  for (let at = from + 1; at < html.length; at++) {
    const c = html[at] as string;
    if (quote) quote = c === quote ? '' : quote;
    else if ((c === '"' || c === "'") && html[at - 1] === '=') quote = c;
    else if (c === '>') return at + 1;
  }
  return -1;
};
const attributeOf = (tag: string, name: string): string => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
};
const hiddenTag = /\s(?:hidden(?=[\s>/])|aria-hidden\s*=\s*["']?true|style\s*=\s*["'][^"']*(?:display\s*:\s*none|visibility\s*:\s*hidden))/i;

/** Reads HTML as text: paragraphs and list items are lines. Whatever it contains, the result is only its text. */
export const textOfHtml = (html: string): HtmlText => {
  const pictures: ShownPicture[] = [];
  let media = 0;
  let text = '';
  let at = 0;
  let lower: string | undefined;
  // The total distance searched for the ends of unterminated tags: many of them would otherwise take quadratic time.
  let patience = html.length * 4 + 10_000;
  const lastEnd = html.lastIndexOf('>');
  const endOf = (from: number): number => {
    if (patience < 0 || lastEnd < from) return -1;
    const end = endOfTag(html, from);
    if (end < 0) patience -= html.length - from;
    return end;
  };
  const says = (words: string) => {
    text += decoded(words).replace(/[\s\u00a0]+/g, ' ');
  };
  while (at < html.length) {
    const next = html.indexOf('<', at);
    if (next < 0) break;
    says(html.slice(at, next));
    if (html.startsWith('<!--', next)) {
      const end = html.indexOf('-->', next);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const name = /^<[/!?]?([a-z][\w:-]*)/i.exec(html.slice(next, next + 40))?.[1]?.toLowerCase();
    const end = name === undefined ? -1 : endOf(next);
    if (name === undefined || end < 0) {
      text += '<';
      at = next + 1;
      continue;
    }
    const tag = html.slice(next, end);
    const opens = tag[1] !== '/' && tag[1] !== '!' && tag[1] !== '?';
    at = end;
    if (!opens) {
      if (blocks.has(name)) text += '\n';
      continue;
    }
    if (name === 'img') {
      const alt = attributeOf(tag, 'alt').trim();
      const decorative = alt === '' && /^(presentation|none)$/i.test(attributeOf(tag, 'role'));
      pictures.push({ source: attributeOf(tag, 'src').trim(), alt, decorative });
      continue;
    }
    if (mediaNames.has(name)) media += 1;
    if ((without.has(name) || hiddenTag.test(tag)) && !withoutEnd.has(name) && !tag.endsWith('/>')) {
      lower ??= html.toLowerCase();
      const closing = lower.indexOf(`</${name}`, end);
      const closed = closing < 0 ? -1 : endOf(closing);
      at = closed < 0 ? html.length : closed;
      continue;
    }
    if (blocks.has(name)) text += '\n';
    if (name === 'li') text += '\n• ';
    if (name === 'td' || name === 'th') text += '  ';
  }
  says(html.slice(at));
  const lines = text
    .replace(/[\u200b\ufeff\u00ad]/g, '')
    .split('\n')
    .map((line) => line.replace(/ {3,}/g, '  ').trim())
    .filter((line) => line !== '' && line !== '•');
  return { text: lines.join('\n'), pictures, media };
};
