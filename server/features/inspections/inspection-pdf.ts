import type { InspectionDocument } from '#contract/entities/inspection.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { statusWords } from '#contract/matrix/words.ts';
import { complianceColourOf } from '#contract/rules/compliance-status.ts';
import { dayWords } from '#contract/rules/days.ts';
import { inspectionFiles } from '#contract/rules/inspection-check.ts';
import { signatureWords, signedOf } from '#contract/rules/policy-signature.ts';
import type { Config } from '#server/config.ts';
import { pathTo } from '#contract/site-map.ts';
import { pdfInk, pdfPages } from '#server/pdf/pages.ts';
import { slices } from '#server/pdf/slices.ts';

type Look = { brand: Whitelabel; logo: Buffer | null; verifyAt: string };
const percent = (score: number | null): string => (score === null ? '–' : `${score} %`);
const dayOrDash = (day: string | null): string => (day === null ? '–' : dayWords(day));

/** An inspection pack on paper: the whole, course by course, person by person with every required course, and their Care Certificates. */
export const inspectionPdf = (pack: InspectionDocument, { brand, logo, verifyAt }: Look): Promise<Buffer> => {
  const at = new Date(pack.frozen_at);
  const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short', timeZone: pack.time_zone }).format(at);
  return pdfPages(
    {
      ...{ title: 'Inspection pack', name: pack.name, about: pack.chosen, organisation: pack.organisation, at, zone: pack.time_zone, brand, logo },
      made: `Frozen on ${moment} by ${pack.frozen_by}. Anyone who has this file can check at ${verifyAt} that it is unchanged.`,
      wide: true,
    },
    [],
    async ({ row, paragraph, section }) => {
      const turn = slices();
      section(`Courses: ${percent(pack.score)} of what is required is in date (${pack.in_date} of ${pack.required})`, [
        { word: 'Course', from: 0 },
        { word: 'Required of', from: 0.5 },
        { word: 'In date', from: 0.65 },
        { word: 'Share', from: 0.8 },
      ]);
      for (const course of pack.courses)
        row([{ text: course.title }, { text: String(course.required) }, { text: String(course.in_date) }, { text: percent(course.score) }]);
      section(`People: ${pack.people.length}`, [
        { word: 'Person', from: 0 },
        { word: 'Job role', from: 0.26 },
        { word: 'Service', from: 0.48 },
        { word: 'Started', from: 0.7 },
        { word: 'In date', from: 0.81 },
        { word: 'Share', from: 0.92 },
      ]);
      for (const p of pack.people) {
        row([
          ...[{ text: p.name }, { text: p.role ?? '–' }, { text: p.service }, { text: dayWords(p.started_on) }],
          ...[{ text: `${p.in_date} of ${p.required}` }, { text: percent(p.score) }],
        ]);
        await turn();
      }
      section('Training', [
        { word: 'Person', from: 0 },
        { word: 'Course', from: 0.22 },
        { word: 'State', from: 0.48 },
        { word: 'Completed', from: 0.64 },
        { word: 'Valid until', from: 0.74 },
        { word: 'Certificate', from: 0.84 },
      ]);
      for (const p of pack.people)
        for (const line of p.lines) {
          const red = complianceColourOf[line.status] === 'red';
          const state = [statusWords[line.status], line.exempt && 'exempt', line.other && 'by another course'].filter(Boolean).join(', ');
          row([
            ...[{ text: p.name }, { text: pack.courses[line.c]?.title ?? '' }, { text: state, ...(red ? { colour: pdfInk.late } : {}) }],
            { text: dayOrDash(line.completed) },
            { text: line.completed !== null && line.expires === null ? 'No expiry' : dayOrDash(line.expires) },
            { text: line.certificate ?? '–' },
          ]);
          await turn();
        }
      if (pack.care_certificates) {
        section(pack.words.care_certificate, [
          { word: 'Person', from: 0 },
          { word: 'Service', from: 0.3 },
          { word: 'Standards met', from: 0.6 },
          { word: 'State', from: 0.75 },
        ]);
        for (const c of pack.care_certificates)
          row([
            ...[{ text: c.person }, { text: c.service }, { text: `${c.standards_met} of ${c.standards_of}` }],
            { text: c.approved_on ? `Approved ${dayWords(c.approved_on)}` : c.waiting ? 'Awaiting approval' : 'In progress' },
          ]);
        if (pack.care_certificates.length === 0) paragraph('Nobody here has one.', { size: 9 });
      }
      for (const policy of pack.policies ?? []) {
        section(`Read and signed: ${policy.title} (${signedOf(policy)})`, [
          { word: 'Person', from: 0 },
          { word: 'Service', from: 0.22 },
          { word: 'State', from: 0.44 },
          { word: 'Signed on', from: 0.62 },
          { word: 'Signed as', from: 0.72 },
          { word: 'Version', from: 0.92 },
        ]);
        for (const p of policy.people) {
          row([
            ...[{ text: p.person }, { text: p.service }],
            { text: signatureWords(policy, p), ...(p.version === null ? { colour: pdfInk.late } : {}) },
            ...[{ text: dayOrDash(p.signed_on) }, { text: p.signed_as ?? '–' }, { text: p.version === null ? '–' : String(p.version) }],
          ]);
          await turn();
        }
        paragraph(`Signed for: “${policy.text}” Version ${policy.version} of ${dayWords(policy.published_on)}, in the course ${policy.course}.`, {
          size: 9,
        });
      }
    },
  );
};

/** Instructions in a pack for verifying that it is unchanged. */
export const howToCheck = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, publicKey: string): string =>
  [
    'How to check that this inspection pack is unchanged',
    '',
    `1. Open ${PUBLIC_URL}${pathTo('verify-inspection')} and choose the ZIP, the PDF or any file of it. The file does not leave your device:`,
    '   only its fingerprint (SHA-256) is sent, and you are told of which pack it is, when it was frozen and by whom.',
    '',
    '2. Without the server: npm run operator -- check-inspection FILE.zip',
    `   It compares every file with the list in ${inspectionFiles.manifest}, and the list with the signature in ${inspectionFiles.signature} (Ed25519).`,
    `   The key of this server is ${publicKey}`,
    '',
  ].join('\n');
