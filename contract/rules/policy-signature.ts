import type { InspectionDocument } from '#contract/entities/inspection.ts';

export type PackedPolicy = NonNullable<InspectionDocument['policies']>[number];
type Signature = PackedPolicy['people'][number];

/** The state of somebody's signature of a policy, in the words of screens and documents. */
export const signatureWords = (policy: Pick<PackedPolicy, 'version'>, { version }: Pick<Signature, 'version'>): string =>
  version === null
    ? 'Not signed'
    : version === policy.version
      ? 'Signed'
      : version < policy.version
        ? 'Signed an earlier version'
        : 'Signed a version that was withdrawn';
/** How many have signed any version, of those who have signed or have to. */
export const signedOf = ({ people }: Pick<PackedPolicy, 'people'>): string =>
  `${people.filter((p) => p.version !== null).length} of ${people.length} have signed`;
