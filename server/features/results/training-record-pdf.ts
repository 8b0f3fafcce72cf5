import { isOver } from '#contract/rules/days.ts';
import type { ResultType } from '#contract/entities/result.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { slices } from '#server/pdf/slices.ts';
import { dayInPdf } from '#server/pdf/typeface.ts';
import { pdfInk, pdfPages } from '#server/pdf/pages.ts';

export type TrainingSummary = {
  name: string;
  role: string | null;
  organisation: string;
  at: Date;
  zone: string;
  brand: Whitelabel;
  logo: Buffer | null;
  results: readonly { title: string; type: ResultType; completed_at: string; expires_at: string | null; score: number | null }[];
};

/** A person's completed training and exemptions as an A4 document, for example for another employer. */
export const trainingRecordPdf = ({ role, results, ...r }: TrainingSummary): Promise<Buffer> =>
  pdfPages(
    { ...r, title: 'Training record', about: [role, r.organisation].filter(Boolean).join(', ') },
    [
      { word: 'Course', from: 0 },
      { word: 'Completed', from: 0.46 },
      { word: 'Renew by', from: 0.63 },
      { word: 'Score', from: 0.88 },
    ],
    async ({ row, paragraph }) => {
      const turn = slices();
      for (const result of results) {
        const late = result.expires_at !== null && isOver(result.expires_at, r.at, r.zone);
        const renew = result.expires_at ? `${dayInPdf(result.expires_at, r.zone)}${late ? ' (past)' : ''}` : '–';
        row([
          { text: result.title },
          { text: dayInPdf(result.completed_at, r.zone) },
          { text: renew, colour: late ? pdfInk.late : pdfInk.text },
          { text: result.type === 'exempt' ? 'Exempt' : result.score === null ? '–' : `${result.score} %` },
        ]);
        await turn();
      }
      if (results.length === 0) paragraph('Nothing recorded yet.');
    },
  );
