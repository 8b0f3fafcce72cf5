import type { InspectionDocument } from '#contract/entities/inspection.ts';

export type PackedPolicy = NonNullable<InspectionDocument['policies']>[number];
type Signature = PackedPolicy['people'][number];

/** Whether somebody has signed a policy, as it is now: in words that stand on screens and paper alike. */
export const signatureWords = (policy: Pick<PackedPolicy, 'version'>, { version }: Pick<Signature, 'version'>): string =>
  version === null
    ? 'Not signed'
    : version === policy.version
      ? 'Signed'
      : version < policy.version
        ? 'Signed an earlier version'
        : 'Signed a version that was withdrawn';
/** How many have signed it at all, of those who have or have to. */
export const signedOf = ({ people }: Pick<PackedPolicy, 'people'>): string =>
  `${people.filter((p) => p.version !== null).length} of ${people.length} have signed`;
