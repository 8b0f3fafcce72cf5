import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type Letters, type Line, objectsOfFont, pdfText } from '#server/pdf/letters.ts';
import type { Pixels } from '#server/pdf/png.ts';

export type Body = string | { dict: string; bytes: Buffer };
/** A part of the page as it is read aloud, in this order. */
export type Part = { type: 'H1' | 'P' } | { type: 'Figure'; alt: string; box: readonly [left: number, bottom: number, right: number, top: number] };

/** Formats a number for a PDF. */
export const n = (value: number) => String(Math.round(value * 100) / 100);
/** Formats a colour for a PDF. */
export const colour = (hex: string) =>
  [1, 3, 5].map((at) => String(Math.round((Number.parseInt(hex.slice(at, at + 2), 16) / 255) * 1000) / 1000)).join(' ');

/** Untagged page content. Measured in points from the lower left. */
export const draw = {
  box: (x: number, y: number, width: number, height: number, fill: string) => `${colour(fill)} rg ${n(x)} ${n(y)} ${n(width)} ${n(height)} re f\n`,
  frame: (x: number, y: number, width: number, height: number, stroke: string, thick: number) =>
    `${colour(stroke)} RG ${n(thick)} w ${n(x)} ${n(y)} ${n(width)} ${n(height)} re S\n`,
  line: (x: number, y: number, length: number, stroke: string, thick: number) =>
    `${colour(stroke)} RG ${n(thick)} w ${n(x)} ${n(y)} m ${n(x + length)} ${n(y)} l S\n`,
  text: (line: Line, size: number, x: number, y: number, fill: string) =>
    `${colour(fill)} rg BT /${line.face} ${n(size)} Tf ${n(x)} ${n(y)} Td ${line.show} TJ ET\n`,
  picture: (name: string, x: number, y: number, width: number, height: number) => `q ${n(width)} 0 0 ${n(height)} ${n(x)} ${n(y)} cm /${name} Do Q\n`,
};
/** An artefact: ignored by screen readers. */
export const artifact = (content: string) => `/Artifact BMC\n${content}EMC\n`;
/** Content of a tagged part of the page, by its index; `says` is read aloud instead of its letters. */
export const part = (parts: readonly Part[], at: number, content: string, says: string | null = null) =>
  `/${parts[at]?.type} << /MCID ${at}${says === null ? '' : ` /ActualText ${pdfText(says)}`} >> BDC\n${content}EMC\n`;

/** A numbered object of a document. */
export const bytesOf = (no: number, body: Body): Buffer =>
  typeof body === 'string'
    ? Buffer.from(`${no} 0 obj\n${body}\nendobj\n`, 'latin1')
    : Buffer.concat([
        Buffer.from(`${no} 0 obj\n<< ${body.dict} /Length ${body.bytes.length} >>\nstream\n`, 'latin1'),
        body.bytes,
        Buffer.from('\nendstream\nendobj\n', 'latin1'),
      ]);
/** Serialises these objects, of which the first has this number and starts at this offset, with their cross-reference entries. */
const written = (bodies: readonly Body[], first: number, begins: number) => {
  const objects = bodies.map((body, i) => bytesOf(first + i, body));
  let at = begins;
  const table = objects.map((bytes) => {
    const entry = `${String(at).padStart(10, '0')} 00000 n \n`;
    at += bytes.length;
    return entry;
  });
  return { bytes: Buffer.concat(objects), table: table.join('') };
};

/** The header of every document. */
export const header = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const xml = (text: string) => text.replace(/[&<>]/g, (c) => entities[c] as string);

type Template = {
  width: number;
  height: number;
  lang: string;
  author: string;
  parts: readonly Part[];
  /** The header of every document. */
  constant: string;
  pictures: Readonly<Record<string, Pixels>>;
};
type Own = { title: string; at: string; content: string };

/**
 * Documents of one page that share most of it. Fonts, pictures, structure and the constant part of the page are written once; a document is
 * those bytes and its own text, title and description. Each conforms to PDF/UA: tagged, titled, with a language, fonts embedded.
 */
export const pageTemplates = (letters: Letters) => {
  const afterFonts = 1 + 2 * objectsOfFont;
  let fonts: ReturnType<typeof written> | null = null;
  return (template: Template) => {
    let common: { bytes: Buffer; table: string; next: number } | null = null;
    /** Made with the first document: no text can be shaped afterwards. */
    const commonOf = () => {
      if (common) return common;
      fonts ??= written(letters.objects(1), 1, header.length);
      const { width, height, lang, parts, pictures } = template;
      const [catalog, pages, page, root, tree, whole, firstPart] = [0, 1, 2, 3, 4, 5, 6].map((i) => afterFonts + i) as [
        ...[number, number, number, number, number, number, number],
      ];
      const constant = firstPart + parts.length;
      const drawn: Body[] = [];
      const names: string[] = [];
      for (const [name, { width: w, height: h, colours, opacity }] of Object.entries(pictures)) {
        const no = constant + 1 + drawn.length;
        names.push(`/${name} ${no} 0 R`);
        const dict = `/Type /XObject /Subtype /Image /Width ${w} /Height ${h} /BitsPerComponent 8 /Filter /FlateDecode`;
        drawn.push({ dict: `${dict} /ColorSpace /DeviceRGB${opacity ? ` /SMask ${no + 1} 0 R` : ''}`, bytes: colours });
        if (opacity) drawn.push({ dict: `${dict} /ColorSpace /DeviceGray`, bytes: opacity });
      }
      const ownObjects = constant + 1 + drawn.length;
      const elements = parts.map((p) => {
        const figure = p.type === 'Figure' ? ` /Alt ${pdfText(p.alt)} /A << /O /Layout /Placement /Block /BBox [${p.box.map(n).join(' ')}] >>` : '';
        return `/Type /StructElem /S /${p.type} /P ${whole} 0 R /Pg ${page} 0 R${figure}`;
      });
      const bodies: Body[] = [
        `<< /Type /Catalog /Pages ${pages} 0 R /Lang (${lang}) /MarkInfo << /Marked true >> /ViewerPreferences << /DisplayDocTitle true >> /StructTreeRoot ${root} 0 R /Metadata ${ownObjects + 2} 0 R >>`,
        `<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`,
        `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${n(width)} ${n(height)}] /Contents [${constant} 0 R ${ownObjects} 0 R] /StructParents 0 /Tabs /S /Resources << /Font << /regular 1 0 R /bold ${1 + objectsOfFont} 0 R >>${names.length > 0 ? ` /XObject << ${names.join(' ')} >>` : ''} >> >>`,
        `<< /Type /StructTreeRoot /K ${whole} 0 R /ParentTree ${tree} 0 R /ParentTreeNextKey 1 >>`,
        `<< /Nums [0 [${parts.map((_, i) => `${firstPart + i} 0 R`).join(' ')}]] >>`,
        `<< /Type /StructElem /S /Document /P ${root} 0 R /K [${parts.map((_, i) => `${firstPart + i} 0 R`).join(' ')}] >>`,
        ...elements.map((element, i) => `<< ${element} /K ${i} >>`),
        { dict: '/Filter /FlateDecode', bytes: deflateSync(template.constant) },
        ...drawn,
      ];
      const rest = written(bodies, catalog, header.length + fonts.bytes.length);
      common = { bytes: Buffer.concat([header, fonts.bytes, rest.bytes]), table: fonts.table + rest.table, next: ownObjects };
      return common;
    };

    /** A document of this template, as the bytes shared with the others and its own. */
    return ({ title, at, content }: Own): [common: Buffer, own: Buffer] => {
      const { bytes, table, next } = commonOf();
      const moment = `${at.slice(0, 19)}Z`;
      const info = `<< /Title ${pdfText(title)} /Author ${pdfText(template.author)} /Producer (Lantern) /CreationDate (D:${moment.replace(/\D/g, '')}Z) >>`;
      const about = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xml(title)}</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>${xml(template.author)}</rdf:li></rdf:Seq></dc:creator><dc:language><rdf:Bag><rdf:li>${template.lang}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${moment}</xmp:CreateDate><pdf:Producer>Lantern</pdf:Producer><pdfuaid:part>1</pdfuaid:part></rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
      const bodies: Body[] = [
        { dict: '/Filter /FlateDecode', bytes: deflateSync(content) },
        info,
        { dict: '/Type /Metadata /Subtype /XML', bytes: Buffer.from(about) },
      ];
      const rest = written(bodies, next, bytes.length);
      const id = createHash('md5').update(rest.bytes).digest('hex');
      const count = next + bodies.length;
      const end = `xref\n0 ${count}\n0000000000 65535 f \n${table}${rest.table}trailer\n<< /Size ${count} /Root ${afterFonts} 0 R /Info ${next + 1} 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${bytes.length + rest.bytes.length}\n%%EOF\n`;
      return [bytes, Buffer.concat([rest.bytes, Buffer.from(end, 'latin1')])];
    };
  };
};
