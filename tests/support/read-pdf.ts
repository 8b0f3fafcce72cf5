import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A part of a document as assistive technology meets it; `text` is what stands in it. */
export type PdfPart = { role: string; alt?: string; text?: string; children?: PdfPart[] };
type Node = { role: string; alt?: string; children: (Node | { type: string; id: string })[] };
type Piece = { text: string; page: number; left: number; right: number; bottom: number; top: number };

/** A document as another reader than its maker sees it: text in the order of the page, parts, title and language. */
export const readPdf = async (bytes: Uint8Array) => {
  const reading = getDocument({ data: Uint8Array.from(bytes), verbosity: VerbosityLevel.ERRORS, useSystemFonts: false });
  const document = await reading.promise;
  const [{ info, metadata }, marks, preferences] = await Promise.all([
    document.getMetadata(),
    document.getMarkInfo(),
    document.getViewerPreferences(),
  ]);
  const pages: PdfPart[][] = [];
  const pieces: Piece[] = [];
  const lines: string[] = [];
  for (let no = 1; no <= document.numPages; no++) {
    const page = await document.getPage(no);
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const textOf = new Map<string, string>();
    const open: (string | null)[] = [];
    let line = '';
    for (const item of items) {
      if ('type' in item) {
        if (item.type === 'endMarkedContent') open.pop();
        else open.push('id' in item ? (item.id ?? null) : null);
        continue;
      }
      const id = open.at(-1);
      if (id) textOf.set(id, `${textOf.get(id) ?? ''}${item.str}${item.hasEOL ? ' ' : ''}`);
      line += item.str;
      if (item.hasEOL) {
        lines.push(line);
        line = '';
      }
      const [, , , size = 0, left = 0, bottom = 0] = item.transform as number[];
      if (item.str.trim()) pieces.push({ text: item.str, page: no, left, right: left + item.width, bottom, top: bottom + size * 0.72 });
    }
    if (line) lines.push(line);
    const partOf = (node: Node): PdfPart => {
      const nodes = node.children.filter((c): c is Node => 'role' in c);
      const text = node.children
        .map((c) => ('role' in c ? '' : (textOf.get(c.id) ?? '')))
        .join('')
        .replace(/\s+/g, ' ')
        .trim();
      return {
        role: node.role,
        ...(node.alt ? { alt: node.alt } : {}),
        ...(text ? { text } : {}),
        ...(nodes.length > 0 ? { children: nodes.map(partOf) } : {}),
      };
    };
    const tree = (await page.getStructTree()) as Node | null;
    pages.push(tree ? (partOf(tree).children ?? []) : []);
  }
  const about = info as { Title?: string; Language?: string; Author?: string };
  const read = {
    pages,
    pieces,
    lines,
    pageCount: document.numPages,
    title: about.Title,
    language: about.Language,
    described: (name: string): unknown => metadata?.get(name),
    tagged: (marks as unknown as Map<string, boolean> | null)?.get('Marked') === true,
    showsTitle: (preferences as unknown as Map<string, boolean> | null)?.get('DisplayDocTitle') === true,
  };
  await reading.destroy();
  return read;
};

/** Texts that are printed over one another. */
export const printedOver = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((a, i) =>
    pieces
      .slice(i + 1)
      .filter((b) => a.page === b.page && a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.bottom < b.top && b.bottom < a.top)
      .map((b) => `${a.text} / ${b.text}`),
  );
