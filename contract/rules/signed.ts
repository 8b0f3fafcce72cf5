import type { Observation, Signature, Supervision } from '#contract/entities/care-certificate.ts';
import { type CertificateProgress, rootOf } from '#contract/rules/certificate-progress.ts';

type Entry = Pick<Observation, 'id' | 'kind' | 'about' | 'record'>;

/** The entry that says what a record says now: its last correction, or itself. Null where it was withdrawn or is not known. */
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
  /** What the learner said last, and whether they have said so on a device of their own. */
  learner: Signature | null;
  confirmed: boolean;
  witness: Signature | null;
  verifier: Signature | null;
  /** Signatures under what the record said before it was corrected. */
  before: number;
};

/** Who has signed what a record says now. */
export const signedOf = (observations: readonly Entry[], signatures: readonly Signature[], root: string): Signed => {
  const byId = new Map(observations.map((o) => [o.id, o]));
  const now = entryNow(observations, root);
  const own = signatures.filter((s) => rootOf(byId, s.about) === root);
  const current = own.filter((s) => s.about === now);
  const last = (signer: Signature['signer']) => current.filter((s) => s.signer === signer).at(-1) ?? null;
  const learner = last('learner');
  return {
    ...{ assessor: last('assessor'), learner, witness: last('witness'), verifier: last('verifier') },
    confirmed: learner?.method === 'signed_in',
    before: own.length - current.length,
  };
};

/** How closely a person is looked after in each standard: in line of sight until it is met and somebody has granted more. */
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
