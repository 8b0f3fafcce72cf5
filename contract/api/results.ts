import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Id } from '#contract/entities/fields.ts';
import {
  certificatesAtOnce,
  ChosenCards,
  ChosenCertificates,
  DecisionNote,
  CertificateValidity,
  NewResults,
  Result,
  ResultCorrection,
  ResultProblem,
  ResultReason,
  ResultVersion,
  resultLimits,
  resultStatuses,
  resultTypes,
} from '#contract/entities/result.ts';

const byId = z.object({ id: Id });
const readErrors = ['not_found', 'forbidden', 'unauthenticated'] as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
/** A result with every version of it, the newest first. */
const WholeResult = z.object({ result: Result, history: z.array(ResultVersion) });
const reason = z.object({ reason: ResultReason });

export const trainingRecords = endpoint({
  id: 'trainingRecords',
  method: 'GET',
  path: '/users/{id}/training-records',
  ours: true,
  summary: `Returns a person’s training record, newest first, with what is pending and what was rejected; deleted results only with permission record.delete. At most ${resultLimits.listed}.`,
  params: byId,
  response: z.array(Result),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const listResults = endpoint({
  ...{
    id: 'listResults',
    method: 'GET',
    path: '/results',
    ours: true,
    response: z.array(Result),
    access: ['record.search', 'record.update'],
    offline: 'online-only',
  },
  query: z.object({
    ...pageQuery,
    status: z._default(z.enum(resultStatuses), 'approved'),
    type: z.optional(z.enum(resultTypes)),
    ...sortQuery(sorts.results),
  }),
  ...{
    errors: ['invalid_input', 'forbidden', 'unauthenticated'],
    summary: 'Lists the results of the people the caller can see, by status and type.',
  },
});
export const getResult = endpoint({
  ...{ id: 'getResult', method: 'GET', path: '/results/{id}', ours: true, params: byId, response: WholeResult, errors: readErrors },
  ...{ access: 'signed-in', offline: 'online-only' },
  summary: 'Returns a result with its history: what changed, when, by whom and why.',
});
export const createResults = endpoint({
  ...{ id: 'createResults', method: 'POST', path: '/results', ours: true, status: 201, body: NewResults, errors: writeErrors },
  ...{ access: ['record.create'], offline: 'online-only' },
  response: z.object({ ids: z.array(Id), problems: z.array(ResultProblem) }),
  summary: `Records the same result for people and courses, up to ${resultLimits.atOnce} at once: training from elsewhere, an exemption, training face to face, an assessment. What cannot be recorded is named in \`problems\`; everything else is. The same \`id\` again adds nothing.`,
});
export const correctResult = endpoint({
  ...{ id: 'correctResult', method: 'PATCH', path: '/results/{id}', ours: true, params: byId, body: ResultCorrection, response: WholeResult },
  ...{ errors: [...writeErrors, 'rev_mismatch', 'in_use'], access: ['record.update'], offline: 'online-only' },
  summary:
    'Corrects a result. The version before stays in its history. If `rev` is not the current one, answers 409 with `current`. Withholding the certificate requires permission certificate.suppress.',
});
export const deleteTrainingRecord = endpoint({
  ...{ id: 'deleteTrainingRecord', method: 'POST', path: '/results/{id}/delete', ours: true, params: byId, body: reason, response: WholeResult },
  ...{ errors: [...writeErrors, 'in_use'], access: ['record.delete'], offline: 'online-only' },
  summary:
    'Deletes a result: it counts no longer, and stays in its history with the reason. A result that comes from a register is changed in the register instead.',
});
export const restoreResult = endpoint({
  ...{ id: 'restoreResult', method: 'POST', path: '/results/{id}/restore', ours: true, params: byId, body: reason, response: WholeResult },
  ...{ errors: [...writeErrors, 'in_use', 'rev_mismatch'], access: ['record.delete'], offline: 'online-only' },
  summary: 'Restores a deleted result.',
});
export const decideResults = endpoint({
  ...{
    id: 'decideResults',
    method: 'POST',
    path: '/results/decide',
    ours: true,
    errors: writeErrors,
    access: ['record.update'],
    offline: 'online-only',
  },
  body: z
    .object({
      ids: z
        .array(Id)
        .check(z.minLength(1, 'Choose at least one.'), z.maxLength(resultLimits.decidedAtOnce, `Choose no more than ${resultLimits.decidedAtOnce}.`)),
      decision: z.enum(['approve', 'reject']),
      reason: z._default(DecisionNote, ''),
    })
    .check(z.refine(({ decision, reason: why }) => decision === 'approve' || why.length >= 3, { error: 'Enter the reason.', path: ['reason'] })),
  response: z.object({ decided: z.array(Id), problems: z.array(ResultProblem) }),
  summary:
    'Approves or rejects pending results. What was decided or deleted in the meantime is left as it is and named in `problems`. Nobody can decide on what they submitted themselves: it is named there too, and refused as `invalid_input` where there is nothing else. Those who submitted it are told, with the reason, in a message in the caller’s name and by e-mail.',
});
export const resultCertificate = endpoint({
  id: 'resultCertificate',
  method: 'GET',
  path: '/results/{id}/certificate',
  ours: true,
  summary:
    'Returns the certificate of the current version of a result as a PDF in the organisation’s branding: tagged (PDF/UA), with a number that anybody can verify.',
  params: byId,
  file: 'application/pdf',
  errors: ['not_found', 'certificate_unavailable', 'forbidden', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const downloadCertificates = endpoint({
  id: 'downloadCertificates',
  method: 'POST',
  path: '/results/certificate/download-multiple',
  summary: `Returns certificates as a ZIP with a PDF each: those of \`result_ids\`, and of \`user_ids\` the newest of each of their courses, ${certificatesAtOnce.toLocaleString('en-GB')} at most (300 above that). What is left out and why (suppressed, not approved, an exemption, nothing yet) stands in its left-out.csv, and how many in X-Left-Out. 202 with its progress while many are made: ask again with the same, 5 s later. 204 where none has a certificate. The body is ours.`,
  body: ChosenCertificates,
  file: 'application/zip',
  errors: ['invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch', 'report_too_large', 'report_failed'],
  access: ['certificate.own', 'certificate.user'],
  offline: 'online-only',
});
export const verifyCertificate = endpoint({
  id: 'verifyCertificate',
  method: 'GET',
  path: '/certificates/{number}',
  ours: true,
  summary:
    'Returns whether the certificate with this number is valid, and nothing else about it. A number that does not exist, one that was withdrawn and one that is not approved yet are not found alike.',
  params: z.object({ number: z.string().check(z.maxLength(100)) }),
  response: CertificateValidity,
  errors: ['not_found', 'too_many_attempts'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});
export const resultEvidence = endpoint({
  id: 'resultEvidence',
  method: 'GET',
  path: '/results/{id}/evidence',
  ours: true,
  summary: 'Returns the evidence file of a result.',
  params: byId,
  file: 'application/octet-stream',
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const trainingCertificate = endpoint({
  id: 'trainingCertificate',
  method: 'GET',
  path: '/users/{id}/training-certificate',
  summary:
    'Returns a person’s completed training and exemptions as a PDF in the organisation’s branding, without what is pending, rejected, deleted or whose certificate is suppressed. Requires permission certificate.own for the caller’s own, certificate.user for others.',
  params: byId,
  file: 'application/pdf',
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

export const walletCard = endpoint({
  id: 'walletCard',
  method: 'GET',
  path: '/users/{id}/wallet-card',
  ours: true,
  summary:
    'Returns a person’s certificates that are in date on a card of 85.6 × 54 mm (PDF, on further cards where they are many), with a code that opens the page that verifies them. 204 where none is in date. Requires permission certificate.own for the caller’s own, certificate.user for others.',
  params: byId,
  file: 'application/pdf',
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const walletCards = endpoint({
  id: 'walletCards',
  method: 'POST',
  path: '/users/wallet-cards',
  ours: true,
  summary:
    'Returns the wallet cards of people on A4 sheets of ten, to be printed and cut out. X-Left-Out is the number of people without a certificate in date; 204 if nobody has one.',
  body: ChosenCards,
  file: 'application/pdf',
  errors: ['invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['certificate.own', 'certificate.user'],
  offline: 'online-only',
});

export const resultEndpoints = [
  trainingRecords,
  listResults,
  getResult,
  createResults,
  correctResult,
  deleteTrainingRecord,
  restoreResult,
  decideResults,
  resultCertificate,
  downloadCertificates,
  verifyCertificate,
  resultEvidence,
  trainingCertificate,
  walletCard,
  walletCards,
] as const;
