import * as z from 'zod/mini';
import { CorrectObservation } from '#contract/commands/certificate-commands.ts';
import { CriterionNote, ObservationRecord, Witness } from '#contract/entities/care-certificate.ts';
import { EvidenceNote } from '#contract/entities/care-evidence.ts';
import type { Criterion } from '#contract/entities/care-standards.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { Instant } from '#contract/entities/fields.ts';
import { methodFits } from '#contract/rules/certificate-progress.ts';

type About = { criteria: ReadonlyMap<string, Criterion>; method: ObservationRecord['method']; now: Date };

const File = EvidenceNote.check(
  z.refine(({ people, consent }) => people !== 'agreed' || consent !== '', { error: 'Say how they agreed.', path: ['consent'] }),
);
const Note = z
  .object({
    ...CriterionNote.shape,
    due: z.nullable(z.string().check(z.refine((due) => Instant.safeParse(due).success, 'Enter a date, for example 21/11/2026.'))),
  })
  .check(z.refine(({ outcome, action }) => outcome !== 'not_yet_met' || action !== '', { error: 'Say what is to be done.', path: ['action'] }));

/** Problems of an observation before it is saved. The server accepts any record: what was seen is never lost. */
export const observationRule = ({ criteria, method, now }: About) => {
  const fits = ({ criterion, outcome }: CriterionNote) => {
    const known = criteria.get(criterion);
    return outcome !== 'met' || (known !== undefined && methodFits(known, method));
  };
  const Fitting = Note.check(
    z.refine(fits, {
      error: ({ input }) => `${(input as CriterionNote).criterion} has to be seen in real work: change how it was shown, or what you say of it.`,
    }),
  );
  return z.object({
    ...ObservationRecord.shape,
    done_at: Instant.check(z.refine((at) => Date.parse(at) <= now.getTime() + 60_000, 'Give a time that is not in the future.')),
    criteria: z.array(Fitting).check(z.minLength(1, 'Say for at least one criterion whether it was met.'), z.maxLength(100)),
    ...(method === 'witness_testimony' ? { witness: z.object(Witness.shape, 'Say who saw it, and what they say.') } : {}),
    evidence: z.optional(z.array(File).check(z.minLength(1), z.maxLength(evidenceLimits.files))),
  });
};
/** The same for a correction, which needs a reason. */
export const correctionRule = (about: About) => z.object({ ...observationRule(about).shape, reason: CorrectObservation.shape.args.shape.reason });
