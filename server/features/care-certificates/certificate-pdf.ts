import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { criteriaNow, progressOf } from '#contract/rules/certificate-progress.ts';
import { dayInPdf } from '#server/pdf/typeface.ts';
import { pdfInk, pdfPages } from '#server/pdf/pages.ts';

type Of = {
  certificate: CareCertificate;
  standards: CareStandards;
  role: string | null;
  organisation: string;
  at: Date;
  zone: string;
  brand: Whitelabel;
  logo: Buffer | null;
  /** The last hash of its chain of entries: proves to a holder of this paper whether an entry was changed since. */
  chain: { entries: number; hash: string } | null;
};

const signedHow = { drawn: 'by hand', pin: 'with a PIN', signed_in: 'while signed in' } as const;
/** A care certificate as a document: for each standard when it was met and who assessed it, and the approval. */
export const careCertificatePdf = ({ certificate, standards, role, chain, ...of }: Of): Promise<Buffer> => {
  const progress = progressOf(standards, certificate);
  const states = criteriaNow(standards, certificate);
  const approval = certificate.approvals.findLast((a) => a.approved);
  const approved = certificate.approved_at !== null && approval;
  return pdfPages(
    {
      ...of,
      ...{ title: of.brand.certificateGroupMenuName, name: certificate.user.name, about: [role, of.organisation].filter(Boolean).join(', ') },
    },
    [
      { word: 'Standard', from: 0 },
      { word: 'Criteria', from: 0.44 },
      { word: 'Met', from: 0.58 },
      { word: 'Assessed by', from: 0.76 },
    ],
    ({ row, paragraph }) => {
      for (const [i, standard] of progress.standards.entries()) {
        const codes = new Set(standards.standards[i]?.outcomes.flatMap((o) => o.criteria.map((c) => c.code)));
        const decisions = certificate.decisions.filter((d) => codes.has(d.criterion) && states.get(d.criterion)?.state === 'met');
        const last = decisions.reduce<string | null>((newest, d) => (newest === null || d.at > newest ? d.at : newest), null);
        const assessors = [...new Set(decisions.map((d) => d.by.name))].join(', ');
        const title = `${standard.code} ${standard.title}`;
        row([
          { text: title },
          { text: `${standard.met} of ${standard.of}` },
          { text: standard.state === 'met' && last ? dayInPdf(last, of.zone) : '–' },
          { text: assessors || '–' },
        ]);
      }
      paragraph(
        approved
          ? `Approved on ${dayInPdf(approval.at, of.zone)} by ${approval.by.name}${approval.method ? `, signed ${signedHow[approval.method]}` : ''}.`
          : `Not approved: ${progress.standards_met} of ${progress.standards.length} standards are met. This is not a certificate.`,
        { bold: true, size: 12, colour: approved ? pdfInk.text : pdfInk.late },
      );
      paragraph(`${standards.name}.`, { size: 9 });
      if (chain) paragraph(`${chain.entries} entries, the last of them sealed as ${chain.hash}.`, { size: 9 });
    },
  );
};
