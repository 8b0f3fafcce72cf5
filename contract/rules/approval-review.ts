import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import { criteriaNow, progressOf, recordsNow } from '#contract/rules/certificate-progress.ts';
import { signedOf } from '#contract/rules/signed.ts';

/** Reasons not to rely on a record: missing signatures on its current version, and the learner's disagreement. */
export const recordDoubts = ['assessor_unsigned', 'learner_unsigned', 'learner_disagrees', 'witness_unverified'] as const;
export type RecordDoubt = (typeof recordDoubts)[number];

export type ReviewedStandard = { code: string; title: string; met: number; of: number; last_met_at: string | null; assessors: string[] };
export type DoubtfulRecord = { record_id: string; done_at: string; assessor: string; criteria: string[]; doubts: RecordDoubt[] };
export type ApprovalReview = { standards: ReviewedStandard[]; records: number; doubtful: DoubtfulRecord[]; complete: boolean };

/**
 * What an approver reviews: each standard, when it was met and who assessed it, and the records with missing signatures. A
 * certificate with such records can be approved, but only with a reason.
 */
export const reviewOf = (standards: Pick<CareStandards, 'standards'>, certificate: CareCertificate): ApprovalReview => {
  const progress = progressOf(standards, certificate);
  const states = criteriaNow(standards, certificate);
  const assessors = new Map(certificate.observations.map((o) => [o.id, o.assessor.name]));
  const reviewed = standards.standards.map(({ code, title, outcomes }, i): ReviewedStandard => {
    const codes = new Set(outcomes.flatMap((o) => o.criteria.map((c) => c.code)));
    const counting = certificate.decisions.filter((d) => codes.has(d.criterion) && states.get(d.criterion)?.state === 'met');
    const { met = 0, of = 0 } = progress.standards[i] ?? {};
    return {
      ...{ code, title, met, of, assessors: [...new Set(counting.map((d) => d.by.name))].sort() },
      last_met_at: counting.reduce<string | null>((last, d) => (last === null || d.at > last ? d.at : last), null),
    };
  });
  const standing = [...recordsNow(certificate.observations)].flatMap(([root, record]) => (record ? [{ root, record }] : []));
  const doubtful = standing.flatMap(({ root, record }): DoubtfulRecord[] => {
    const { assessor, learner, verifier } = signedOf(certificate.observations, certificate.signatures, root);
    const is: Record<RecordDoubt, boolean> = {
      assessor_unsigned: assessor === null,
      learner_unsigned: learner === null,
      learner_disagrees: learner?.agrees === false,
      witness_unverified: record.witness !== undefined && verifier === null,
    };
    const doubts = recordDoubts.filter((doubt) => is[doubt]);
    const criteria = record.criteria.filter((c) => c.outcome === 'met').map((c) => c.criterion);
    return doubts.length === 0 ? [] : [{ record_id: root, done_at: record.done_at, assessor: assessors.get(root) ?? '', criteria, doubts }];
  });
  return { standards: reviewed, records: standing.length, doubtful, complete: progress.complete };
};
