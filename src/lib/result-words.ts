import { type Result, type ResultChange, type ResultStatus, resultTypeWords } from '#contract/entities/result.ts';

/** The labels of the kinds of results, their states, sources and changes. */
export const resultWords = {
  types: resultTypeWords,
  statuses: {
    approved: 'Approved',
    pending: 'Pending',
    rejected: 'Rejected',
    deleted: 'Deleted',
  } satisfies Record<ResultStatus, string>,
  origins: {
    attempt: 'Taken in this app',
    register: 'Register of a training session',
    import: 'Import',
    manual: 'Entered by hand',
    approval: 'Submitted and approved',
    pathway: 'Pathway',
    transfer: 'Transferred from another record',
  } satisfies Record<Result['origin'], string>,
  changes: {
    recorded: 'Recorded',
    submitted: 'Submitted',
    corrected: 'Corrected',
    approved: 'Approved',
    rejected: 'Rejected',
    deleted: 'Deleted',
    restored: 'Restored',
    redated: 'Validity recalculated',
    evidence: 'Evidence added',
    withdrawn: 'Withdrawn',
  } satisfies Record<ResultChange, string>,
} as const;
