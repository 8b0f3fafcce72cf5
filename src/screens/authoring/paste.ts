import { linkTarget } from '#contract/rules/links.ts';
import { elementsWithoutText } from '#contract/rules/pasted-elements.ts';

/** A pasted picture, whose file is uploaded under this name. */
export const pastedPicture = 'data-pasted-picture';

/** Pasted content, cleaned for the editor: only the elements and attributes that a topic may have. */
export type CleanPaste = {
  html: string;
  /** Its pictures, by the name of their placeholder. */
  pictures: Map<string, File>;
  /** How many pictures were only links to other sites. */
  leftOut: number;
};

/** Not content. */
const neverShown = [
  ...elementsWithoutText,
  ...['[hidden]', '[aria-hidden="true"]', '.MsoCommentReference', '.msocomtxt', '.Apple-interchange-newline'],
].join(', ');
const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|mso-element\s*:\s*comment/i;
const listMark = /mso-list\s*:\s*ignore/i;
const listPlace = /mso-list\s*:\s*l\d+\s+level(\d+)\s+lfo(\d+)/i;
/** `1.`, `a)`, `iv.`: any other mark means an unordered list. */
const ordered = /^\(?(\d{1,4}|[a-z]|[ivxlcdm]{1,7})[.)]/i;
/** Deeper lists are flattened to this depth. */
const deepestList = 6;
const pictureData = /^data:image\/(png|jpeg|gif|webp);base64,([a-z0-9+/=\s]+)$/i;
const mostPictureCharacters = 40_000_000;

const allowedElements = new Set(
  'P H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE TABLE THEAD TBODY TFOOT TR TH TD DETAILS SUMMARY BR A STRONG EM DIV FIGURE BODY'.split(' '),
);
const keptAttributes: Record<string, readonly string[]> = {
  A: ['href'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan'],
  OL: ['start'],
  FIGURE: [pastedPicture, 'data-alt'],
};

const unwrap = (element: Element) => element.replaceWith(...element.childNodes);
const renamed = (element: Element, name: string): Element => {
  const other = element.ownerDocument.createElement(name);
  for (const { name: attribute, value } of [...element.attributes]) {
    // Some of Word’s attributes have names that cannot be set.
    if (/^[\w-]+$/.test(attribute)) other.setAttribute(attribute, value);
  }
  other.append(...element.childNodes);
  element.replaceWith(other);
  return other;
};
const styleOf = (element: Element) => element.getAttribute('style') ?? '';

const dropWhatIsNotText = (body: Element) => {
  const walker = body.ownerDocument.createTreeWalker(body, 128 /* comments */);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
  for (const element of body.querySelectorAll(neverShown)) element.remove();
  for (const element of body.querySelectorAll('[style]')) if (hiddenStyle.test(styleOf(element))) element.remove();
};

type ListLine = { element: Element; level: number; list: string; mark: string };

/** Converts Word's lists, which are paragraphs with a mark and a depth, to list elements. */
const listsFromWord = (body: Element) => {
  const lineOf = (element: Element): ListLine | null => {
    const place = listPlace.exec(styleOf(element));
    if (!place || !/^(P|DIV|LI|H[1-6])$/.test(element.tagName)) return null;
    const mark = [...element.querySelectorAll('[style]')].find((e) => listMark.test(styleOf(e)));
    return { element, level: Math.min(deepestList, Number(place[1])), list: place[2] as string, mark: (mark?.textContent ?? '').trim() };
  };
  const lines = [...body.querySelectorAll('[style*="mso-list"]')].flatMap((e) => lineOf(e) ?? []);
  // A numbered heading stays a heading.
  const isHeading = (element: Element) => /^H\d$/.test(element.tagName);
  let open: { list: Element; level: number }[] = [];
  let before: Element | null = null;
  let listBefore = '';
  for (const { element, level, list, mark } of lines) {
    for (const e of element.querySelectorAll('[style]')) if (listMark.test(styleOf(e))) e.remove();
    if (isHeading(element)) continue;
    const tag = ordered.test(mark) ? 'OL' : 'UL';
    const goesOn = before !== null && element.previousElementSibling === before && listBefore === list;
    if (!goesOn) open = [];
    while (open.length > 0 && ((open.at(-1)?.level ?? 0) > level || (open.at(-1)?.level === level && open.at(-1)?.list.tagName !== tag))) open.pop();
    if (open.at(-1)?.level !== level) {
      const inner = element.ownerDocument.createElement(tag);
      const start = Number.parseInt(mark, 10);
      if (tag === 'OL' && start > 1) inner.setAttribute('start', String(start));
      const within: Element | null | undefined = open.at(-1)?.list.lastElementChild;
      if (within) within.append(inner);
      else element.before(inner);
      open.push({ list: inner, level });
    }
    const item = element.ownerDocument.createElement('li');
    const paragraph = element.ownerDocument.createElement('p');
    paragraph.append(...element.childNodes);
    item.append(paragraph);
    open.at(-1)?.list.append(item);
    // Keeps the place until the next paragraph proves to follow in the list.
    before = open[0]?.list ?? null;
    listBefore = list;
    element.remove();
  }
};

/** Moves a list that is directly in a list into the item before it. */
const nestLists = (body: Element) => {
  for (const inner of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const item = inner.previousElementSibling;
    if (item?.tagName === 'LI') item.append(inner);
    else {
      const ownItem = inner.ownerDocument.createElement('li');
      inner.replaceWith(ownItem);
      ownItem.append(inner);
    }
  }
  for (const list of body.querySelectorAll('ul, ol')) {
    let depth = 1;
    for (let above = list.parentElement?.closest('ul, ol'); above; above = above.parentElement?.closest('ul, ol')) depth++;
    if (depth > deepestList) {
      const item = list.closest('li');
      if (item) item.after(...list.children);
      list.remove();
    }
  }
};

/** Bold and italic as elements, whether set by an element or by a style. */
const marksByElement = (body: Element) => {
  for (const element of body.querySelectorAll('b, strong, i, em, cite, dfn, span, font, u, ins')) {
    const style = styleOf(element);
    const weight = /(?:^|;)\s*font-weight\s*:\s*([a-z0-9]+)/i.exec(style)?.[1];
    const isBold = weight ? /^(bold|bolder|[6-9]00)$/i.test(weight) : /^(B|STRONG)$/.test(element.tagName);
    const slant = /(?:^|;)\s*font-style\s*:\s*([a-z]+)/i.exec(style)?.[1];
    const isItalic = slant ? /^(italic|oblique)$/i.test(slant) : /^(I|EM|CITE|DFN)$/.test(element.tagName);
    // Headings are bold anyway.
    const wrapped = element.closest('h1, h2, h3, h4, h5, h6') ? [] : [...(isBold ? ['strong'] : []), ...(isItalic ? ['em'] : [])];
    for (const name of wrapped) {
      const mark = element.ownerDocument.createElement(name);
      mark.append(...element.childNodes);
      element.append(mark);
    }
    unwrap(element);
  }
};

/** Maps the largest heading used to the largest that a topic has. */
const headingSizes = (body: Element) => {
  for (const title of body.querySelectorAll('p.MsoTitle')) renamed(title, 'h1');
  const all = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const sizes = [...new Set(all.map((h) => h.tagName))].sort();
  for (const heading of all) renamed(heading, `h${Math.min(4, 2 + sizes.indexOf(heading.tagName))}`);
};

const picturesOf = (body: Element, pictures: Map<string, File>): number => {
  let leftOut = 0;
  for (const image of body.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    const data = source.length < mostPictureCharacters ? pictureData.exec(source) : null;
    const file = data && fileOf(data[1] as string, data[2] as string);
    // One-pixel pictures track who has read an e-mail.
    const isTiny = Number(image.getAttribute('width') ?? 9) <= 2 && Number(image.getAttribute('height') ?? 9) <= 2;
    if (!file) {
      if (!isTiny) leftOut++;
      image.remove();
      continue;
    }
    const name = crypto.randomUUID();
    pictures.set(name, file);
    const place = image.ownerDocument.createElement('figure');
    place.setAttribute(pastedPicture, name);
    const alt = image.getAttribute('alt') ?? '';
    // Word generates descriptions of pictures, and other programs use the file name.
    if (alt && !/generated|^https?:|\.(png|jpe?g|gif|webp)$/i.test(alt)) place.setAttribute('data-alt', alt.slice(0, 500));
    image.replaceWith(place);
  }
  return leftOut;
};

/** Moves a picture between paragraphs: the text around it is split; from a list or a table it is moved behind. */
const placePictures = (body: Element) => {
  for (const place of body.querySelectorAll(`[${pastedPicture}]`)) {
    let outer: Element | null = null;
    for (let e = place.parentElement; e && e !== body; e = e.parentElement) if (/^(UL|OL|TABLE|BLOCKQUOTE|DETAILS)$/.test(e.tagName)) outer = e;
    if (outer) outer.after(place);
    for (let within = place.parentElement; within && within !== body; within = place.parentElement) {
      const rest = within.cloneNode() as Element;
      while (place.nextSibling) rest.append(place.nextSibling);
      within.after(place, rest);
    }
  }
};

const fileOf = (type: string, base64: string): File | null => {
  try {
    const bytes = Uint8Array.from(atob(base64.replace(/\s/g, '')), (c) => c.charCodeAt(0));
    return bytes.length > 0 ? new File([bytes], `picture.${type === 'jpeg' ? 'jpg' : type}`, { type: `image/${type}` }) : null;
  } catch {
    return null;
  }
};

const tables = (body: Element) => {
  // The innermost first. Nested tables, and those with a single cell, are for layout.
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    const cells = [...table.querySelectorAll('td, th')];
    if (cells.length > 1 && !table.parentElement?.closest('table')) continue;
    const all = table.ownerDocument.createElement('div');
    for (const cell of cells) {
      const part = table.ownerDocument.createElement('div');
      part.append(...cell.childNodes);
      all.append(part);
    }
    table.replaceWith(all);
  }
  for (const cell of body.querySelectorAll('thead td')) renamed(cell, 'th');
  for (const caption of body.querySelectorAll('caption')) {
    const table = caption.closest('table');
    const line = renamed(caption, 'p');
    table?.before(line);
  }
  for (const column of body.querySelectorAll('colgroup, col')) column.remove();
};

const links = (body: Element) => {
  for (const link of body.querySelectorAll('a')) {
    const href = (link.getAttribute('href') ?? '').trim();
    // A relative link would lead somewhere in this app.
    if (href.startsWith('/') || linkTarget(href) === null || (link.textContent ?? '').trim() === '') unwrap(link);
    else link.setAttribute('href', href);
  }
};

const onlyWhatIsKept = (body: Element) => {
  for (const term of body.querySelectorAll('dt, dd, pre, address, figcaption, section, article, header, footer, main, nav, aside, center'))
    renamed(term, /^(DT|DD|FIGCAPTION|ADDRESS)$/.test(term.tagName) ? 'p' : 'div');
  for (const figure of body.querySelectorAll(`figure:not([${pastedPicture}])`)) renamed(figure, 'div');
  for (const element of [...body.querySelectorAll('*')].reverse()) {
    if (!allowedElements.has(element.tagName)) unwrap(element);
    else for (const { name } of [...element.attributes]) if (!keptAttributes[element.tagName]?.includes(name)) element.removeAttribute(name);
  }
  const walker = body.ownerDocument.createTreeWalker(body, 4 /* text */);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    text.data = text.data.replace(/[\u00a0\s]+/g, ' ').replace(/[\u200b\ufeff\u00ad]/g, '');
  }
  for (const empty of body.querySelectorAll('p, h2, h3, h4, div, li'))
    if ((empty.textContent ?? '').trim() === '' && !empty.querySelector(`table, figure`) && !empty.closest('td, th')) empty.remove();
};

/**
 * Cleans what was copied from a word processor, an e-mail or a web page. Content from another topic editor is left unchanged: the editor
 * itself accepts nothing that a topic cannot contain.
 */
export const cleanPaste = (html: string): CleanPaste => {
  const pictures = new Map<string, File>();
  if (/data-pm-slice/.test(html)) return { html, pictures, leftOut: 0 };
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  dropWhatIsNotText(body);
  listsFromWord(body);
  nestLists(body);
  headingSizes(body);
  const leftOut = picturesOf(body, pictures);
  tables(body);
  links(body);
  marksByElement(body);
  for (const inner of body.querySelectorAll('blockquote blockquote, details details')) unwrap(inner);
  for (const title of body.querySelectorAll('summary'))
    if (title.parentElement?.tagName !== 'DETAILS' || title.previousElementSibling) renamed(title, 'p');
  placePictures(body);
  onlyWhatIsKept(body);
  return { html: body.innerHTML, pictures, leftOut };
};
