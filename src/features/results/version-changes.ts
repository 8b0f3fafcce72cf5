import type { ResultVersion } from '#contract/entities/result.ts';
import { completedWords, validUntilWords } from '#src/lib/result-standing.ts';

const hoursOf = (hours: number | null) => (hours === null ? 'none' : hours.toLocaleString('en-GB'));
const fields: readonly { label: string; of: (version: ResultVersion, zone: string) => string }[] = [
  { label: 'Completed on', of: (v, zone) => completedWords(v.completed_at, zone) },
  { label: 'Valid until', of: (v, zone) => validUntilWords(v.expires_at, zone) },
  { label: 'Score', of: (v) => (v.score === null ? 'none' : `${v.score} %`) },
  { label: 'Note', of: (v) => (v.note ? `“${v.note}”` : 'none') },
  { label: 'Learning time', of: (v) => (v.minutes === null ? 'none' : `${v.minutes} min`) },
  { label: 'CPD hours', of: (v) => hoursOf(v.cpd_hours) },
  { label: 'Evidence', of: (v) => v.evidence ?? 'none' },
  { label: 'Certificate', of: (v) => (v.certificate_suppressed ? 'withheld' : 'issued') },
];

/** The differences between a version of a result and the previous one, in words: “Completed on 12/03/2026 → 11/03/2026”. Empty for the first. */
export const versionChanges = (version: ResultVersion, before: ResultVersion | undefined, zone: string): string[] =>
  before
    ? fields.flatMap(({ label, of: factOf }) => {
        const [was, is] = [factOf(before, zone), factOf(version, zone)];
        return was === is ? [] : [`${label} ${was} → ${is}`];
      })
    : [];
