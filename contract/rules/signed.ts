import type { Observation, Signature, Supervision } from '#contract/entities/care-certificate.ts';
import { type CertificateProgress, rootOf } from '#contract/rules/certificate-progress.ts';

type Entry = Pick<Observation, 'id' | 'kind' | 'about' | 'record'>;

/** The id of a record's current entry: its last correction, or itself. Null if it was withdrawn or is unknown. */
export const entryNow = (observations: readonly Entry[], root: string): string | null => {
  const byId = new Map(observations.map((o) => [o.id, o]));
  let now: string | null = null;
  for (const entry of observations) {
    if (rootOf(byId, entry.id) !== root) continue;
    if (entry.kind === 'withdrawal') return null;
    now = entry.id;
  }
  return now;
};

export type Signed = {
  assessor: Signature | null;
  /** The learner's last signature, and whether they signed on their own device. */
  learner: Signature | null;
  confirmed: boolean;
  witness: Signature | null;
  verifier: Signature | null;
  /** Number of signatures on earlier versions of the record. */
  before: number;
};

/** Who has signed the current version of a record. */
export const signedOf = (observations: readonly Entry[], signatures: readonly Signature[], root: string): Signed => {
  const byId = new Map(observations.map((o) => [o.id, o]));
  const now = entryNow(observations, root);
  const ofRecord = signatures.filter((s) => rootOf(byId, s.about) === root);
  const current = ofRecord.filter((s) => s.about === now);
  const last = (signer: Signature['signer']) => current.filter((s) => s.signer === signer).at(-1) ?? null;
  const learner = last('learner');
  return {
    ...{ assessor: last('assessor'), learner, witness: last('witness'), verifier: last('verifier') },
    confirmed: learner?.method === 'signed_in',
    before: ofRecord.length - current.length,
  };
};

/** The level of supervision in each standard: line of sight until the standard is met and less has been granted. */
export const supervisionNow = (
  progress: Pick<CertificateProgress, 'standards'>,
  supervision: readonly Supervision[],
): Map<string, { level: Supervision['level']; grant: Supervision | null }> =>
  new Map(
    progress.standards.map((s) => {
      const grant = supervision.filter((g) => g.standard === s.code).at(-1) ?? null;
      return [s.code, { level: s.state === 'met' && grant ? grant.level : 'line_of_sight', grant }];
    }),
  );
