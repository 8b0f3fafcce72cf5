import { deflateSync } from 'node:zlib';
import { createLetters, objectsOfFont, pdfText } from '#server/pdf/letters.ts';
import { type Body, bytesOf, header, n } from '#server/pdf/page-template.ts';
import type { Pixels } from '#server/pdf/png.ts';

type About = { title: string; author: string; at: Date; width: number; height: number; pictures: Readonly<Record<string, Pixels>> };

/**
 * A document with any number of pages that is never held as a whole: each page returns its bytes, the shared objects come at the end. Of
 * written pages only the used glyphs and the offset of each object are kept. Drawn with `draw`; fonts are `/regular` and `/bold`.
 */
export const streamedPdf = ({ title, author, at, width, height, pictures }: About) => {
  const letters = createLetters();
  const [pages, resources, catalog, info] = [1, 2, 3, 4].map((i) => 2 * objectsOfFont + i) as [number, number, number, number];
  let next = info + 1;
  let written = 0;
  const begins: number[] = [];
  const kids: number[] = [];
  const put = (no: number, body: Body): Buffer => {
    const bytes = bytesOf(no, body);
    begins[no] = written;
    written += bytes.length;
    return bytes;
  };
  return {
    letters,
    begin: (): Buffer => {
      written = header.length;
      return header;
    },
    page: (content: string): Buffer => {
      const [page, stream] = [next, next + 1];
      next += 2;
      kids.push(page);
      return Buffer.concat([
        put(
          page,
          `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${n(width)} ${n(height)}] /Contents ${stream} 0 R /Resources ${resources} 0 R >>`,
        ),
        put(stream, { dict: '/Filter /FlateDecode', bytes: deflateSync(content, { level: 3 }) }),
      ]);
    },
    /** The objects after the last page. */
    end: async (): Promise<Buffer> => {
      await letters.close();
      const parts = letters.objects(1).map((body, i) => put(1 + i, body));
      const names: string[] = [];
      for (const [name, { width: w, height: h, colours, opacity }] of Object.entries(pictures)) {
        const dict = `/Type /XObject /Subtype /Image /Width ${w} /Height ${h} /BitsPerComponent 8 /Filter /FlateDecode`;
        names.push(`/${name} ${next} 0 R`);
        parts.push(put(next, { dict: `${dict} /ColorSpace /DeviceRGB${opacity ? ` /SMask ${next + 1} 0 R` : ''}`, bytes: colours }));
        next += 1;
        if (opacity) parts.push(put(next++, { dict: `${dict} /ColorSpace /DeviceGray`, bytes: opacity }));
      }
      const moment = `D:${at.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
      parts.push(
        put(pages, `<< /Type /Pages /Kids [${kids.map((no) => `${no} 0 R`).join(' ')}] /Count ${kids.length} >>`),
        put(
          resources,
          `<< /Font << /regular 1 0 R /bold ${1 + objectsOfFont} 0 R >>${names.length > 0 ? ` /XObject << ${names.join(' ')} >>` : ''} >>`,
        ),
        put(catalog, `<< /Type /Catalog /Pages ${pages} 0 R /Lang (en-GB) /ViewerPreferences << /DisplayDocTitle true >> >>`),
        put(info, `<< /Title ${pdfText(title)} /Author ${pdfText(author)} /Producer (Lantern) /CreationDate (${moment}) /ModDate (${moment}) >>`),
      );
      const table = Array.from({ length: next - 1 }, (_, i) => `${String(begins[i + 1]).padStart(10, '0')} 00000 n \n`).join('');
      const end = `xref\n0 ${next}\n0000000000 65535 f \n${table}trailer\n<< /Size ${next} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${written}\n%%EOF\n`;
      return Buffer.concat([...parts, Buffer.from(end, 'latin1')]);
    },
  };
};
