import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { defaultCertificate, defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { type Certificate, type CertificateLook, certificatePdfs } from '#server/features/results/certificate-pdf.service.ts';
import { dayInPdf, typeface } from '#server/pdf/typeface.ts';
import { median, report } from '#tests/bench/report.ts';

const many = 1000;
/** The baseline: each drawn from scratch by pdfkit, in the same round. */
const drawn = Number(process.env.DRAWN ?? 40);
const rounds = Number(process.env.ROUNDS ?? 5);

const firstNames = ['Amara', 'Zofia', 'Nguyễn Hoa', 'Siân', 'José', 'Ольга', 'Katarzyna', 'Björn', 'Aoife', 'Thulani'];
const lastNames = ['Okafor', 'Wiśniewska', 'Featherstonehaugh', 'Evans', 'Núñez', 'Иванова', 'Šimunović', 'Ångström', 'Ní Bhriain', 'Dlamini'];
const courses = ['Fire safety', 'Moving and assisting people', 'Infection prevention and control', 'Safeguarding adults', 'Basic life support'];

const certificates = (look: CertificateLook): Certificate[] =>
  Array.from({ length: many }, (_, n) => ({
    look,
    name: `${firstNames[n % 10]} ${lastNames[Math.floor(n / 10) % 10]} ${n}`,
    course: courses[n % 5] as string,
    completedAt: new Date(Date.UTC(2026, 0, 1 + (n % 300))).toISOString(),
    expiresAt: new Date(Date.UTC(2027, 0, 1 + (n % 300))).toISOString(),
    score: 60 + (n % 41),
    number: `7K3M-${String(n).padStart(4, '0')}-2F4D`,
  }));

/** The same page, each a document of its own with the same typeface, pictures and layout, as pdfkit draws it. */
const withPdfkit = async ({ look, ...c }: Certificate): Promise<number> => {
  const doc = new PDFDocument({
    ...{ size: 'A4', layout: 'landscape', margin: 0, tagged: true, lang: 'en-GB', displayTitle: true, pdfVersion: '1.7' },
    // Its types do not know this subset yet.
    subset: 'PDF/UA' as never,
    info: { Title: `${c.course} – ${c.name}`, Author: look.organisation },
  });
  let bytes = 0;
  doc.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  const done = new Promise<void>((resolve) => doc.on('end', () => resolve()));
  const { width, height } = doc.page;
  const whole = doc.struct('Document');
  doc.addStructure(whole);
  const part = (type: string, draw: () => void) => whole.add(doc.struct(type, {}, draw));
  const centre = (text: string, y: number, size: number, font = typeface.regular, colour = '#1a202c', type = 'P') =>
    part(type, () => {
      doc.font(font);
      let fitted = size;
      while (fitted > 9 && doc.fontSize(fitted).widthOfString(text) > width - 140) fitted -= 1;
      doc
        .fontSize(fitted)
        .fillColor(colour)
        .text(text, 70, y, { width: width - 140, align: 'center' });
    });
  doc.rect(0, 0, width, height).fill('#ffffff');
  doc.rect(0, 0, width, 14).fill(look.brand.colours.primary);
  doc.rect(0, height - 14, width, 14).fill(look.brand.colours.primary);
  doc
    .rect(28, 36, width - 56, height - 72)
    .lineWidth(1)
    .stroke('#cbd5e0');
  part('Figure', () => doc.image(look.logo as Buffer, (width - 200) / 2, 50, { fit: [200, 44], align: 'center', valign: 'center' }));
  centre(look.wording.heading, 112, 34, typeface.bold, '#1a202c', 'H1');
  centre('This is to certify that', 186, 13, typeface.regular, '#4a5568');
  centre(c.name, 212, 30, typeface.bold);
  centre('has completed', 266, 13, typeface.regular, '#4a5568');
  centre(c.course, 292, 24, typeface.bold);
  const facts = [`Completed on ${dayInPdf(c.completedAt, look.zone)}`, `Score ${c.score} %`, `Renew by ${dayInPdf(c.expiresAt ?? '', look.zone)}`];
  centre(facts.join('    ·    '), 360, 14);
  part('Figure', () => doc.image(look.signature as Buffer, (width - 160) / 2, 414, { fit: [160, 44], align: 'center', valign: 'center' }));
  centre('Helen Marsh, Registered manager', 462, 12);
  centre(`${look.organisation}    ·    Certificate number ${c.number}`, 494, 10, typeface.regular, '#4a5568');
  centre(`Check that it is valid at ${look.verifyAt}`, 510, 10, typeface.regular, '#4a5568');
  whole.end();
  doc.end();
  await done;
  return bytes;
};

/**
 * 1,000 certificates as one batch against pdfkit drawing each from scratch. Target: at most 1/20 of its time. No turn of the event loop
 * longer than about 50 ms, and memory does not grow with the number of batches.
 */
export const run = async () => {
  const picture = (text: string, width: number, height: number) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="70" cy="80" r="60" fill="#04b5e3"/><text x="150" y="105" font-size="70">${text}</text></svg>`,
      ),
    )
      .png({ compressionLevel: 9 })
      .toBuffer();
  const look: CertificateLook = {
    ...{ organisation: 'Willowbrook', zone: 'Europe/London', verifyAt: 'https://lantern.example/verify-certificate', brand: defaultWhitelabel },
    wording: { ...defaultCertificate, signatoryName: 'Helen Marsh', signatoryRole: 'Registered manager' },
    logo: await picture('Willowbrook', 640, 160),
    signature: await picture('H Marsh', 600, 200),
  };
  const all = certificates(look);
  /** In pieces of 200, as the server makes them. */
  const batch = async () => {
    const began = performance.now();
    let [count, bytes] = [0, 0];
    for (let from = 0; from < all.length; from += 200)
      for await (const [common, own] of certificatePdfs(all.slice(from, from + 200))) {
        count += 1;
        bytes += common.length + own.length;
      }
    if (count !== many) throw new Error(`${count} certificates`);
    return { ms: (performance.now() - began) / many, bytes: bytes / many };
  };
  const each = async () => {
    const began = performance.now();
    let bytes = 0;
    for (let i = 0; i < drawn; i++) bytes += await withPdfkit(all[(i * 25) % many] as Certificate);
    return { ms: (performance.now() - began) / drawn, bytes: bytes / drawn };
  };
  await batch();
  await each();
  const [ours, theirs] = [[] as { ms: number; bytes: number }[], [] as { ms: number; bytes: number }[]];
  for (let i = 0; i < rounds; i++) {
    ours.push(await batch());
    theirs.push(await each());
  }
  const ms = (some: readonly { ms: number }[]) => median(some.map((s) => s.ms));
  const bytes = (some: readonly { bytes: number }[]) => median(some.map((s) => s.bytes));
  report('a certificate of 1,000', ms(ours), 'ms', ms(ours) / ms(theirs), `target 1/20 = 0.05 of pdfkit from nothing (${ms(theirs).toFixed(1)} ms)`);
  report('its size', bytes(ours) / 1024, 'kB', bytes(ours) / bytes(theirs), `of pdfkit's (${(bytes(theirs) / 1024).toFixed(0)} kB)`);

  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const held: number[] = [];
  for (let i = 0; i < 10; i++) {
    await batch();
    global.gc?.();
    held.push(process.memoryUsage().rss / 1024 / 1024);
  }
  clearInterval(watch);
  report('the longest turn in 10,000', longest, 'ms', null, 'target about 50');
  report('memory after 10,000 against after 2,000', held[9] as number, 'MB', (held[9] as number) / (held[1] as number), 'all that the process holds');
};
