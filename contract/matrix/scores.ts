import { percentOf } from '#contract/rules/percent.ts';
import type { reportedTypes } from '#contract/reports/filter.ts';
import { cellTypes, type MatrixSheet, statusIn, typeIn } from '#contract/matrix/sheet.ts';
import type { ComplianceStatus } from '#contract/rules/compliance-status.ts';

/** How much of what is required is in date. */
export type Score = { required: number; in_date: number };
export const emptyScore = { required: 0, in_date: 0, score: null } as const;

/** Whether a status counts as in date; null if it does not count: not required, or a starter who still has time. */
const counted: Record<ComplianceStatus, boolean | null> = {
  ...{ in_date: true, expiring: true, expired: false, missing: false },
  ...{ starter: null, lapsed: null, not_required: null },
};
/** For each byte of a cell: 0 if it does not count, 1 if it counts, 2 if it counts and is in date. */
export const weightsOf = (complianceType: (typeof reportedTypes)[number]): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    const type = typeIn(byte);
    const inDate = counted[statusIn(byte)];
    if (type === cellTypes[0] || inDate === null || (complianceType !== 'all' && type !== complianceType)) return 0;
    return inDate ? 2 : 1;
  });

/** The scores of each row and each column of a sheet, for the chosen kind of requirements. */
export const scoresOf = (
  { rows, columns, states }: MatrixSheet,
  complianceType: (typeof reportedTypes)[number],
): { rows: Score[]; columns: Score[] } => {
  const weight = weightsOf(complianceType);
  const byRow = Array.from({ length: rows }, () => ({ required: 0, in_date: 0 }));
  const byColumn = Array.from({ length: columns }, () => ({ required: 0, in_date: 0 }));
  let at = 0;
  for (const row of byRow)
    for (const column of byColumn) {
      const counts = weight[states[at++] as number] as number;
      if (counts === 0) continue;
      row.required++;
      column.required++;
      if (counts === 1) continue;
      row.in_date++;
      column.in_date++;
    }
  return { rows: byRow, columns: byColumn };
};

/** Adds one score to another, in place. */
export const addScores = (to: { required: number; in_date: number }, { required, in_date }: Score): void => {
  to.required += required;
  to.in_date += in_date;
};

/** In whole per cent (`percentOf`); null if nothing is required. */
export const scoreOf = ({ required, in_date }: Score): number | null => percentOf(in_date, required);
