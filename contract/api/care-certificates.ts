import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { CertificateChange } from '#contract/commands/certificate-commands.ts';
import { AddEvidence, EvidencePiece, partsOf } from '#contract/commands/evidence-commands.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { approvalProof, CareCertificate, CertificateRow, certificateFilters } from '#contract/entities/care-certificate.ts';
import { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { CareStandards } from '#contract/entities/care-standards.ts';
import { CertificateReview } from '#contract/entities/care-overview.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** Care certificates and their assessors' entries. The specification defines the screens; the calls are ours. */
const byId = z.object({ id: Id });

export const listCareCertificates = endpoint({
  ...{ id: 'listCareCertificates', method: 'GET', path: '/care-certificates', ours: true, response: z.array(CertificateRow) },
  ...{ errors: ['unauthenticated'], access: 'signed-in', offline: 'cached' },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.certificates), state: z._default(z.enum(certificateFilters), 'either') }),
  summary: 'Lists the care certificates of the people the caller can see, including the caller’s own, by name, in pages, with their progress.',
});
export const getCareStandards = endpoint({
  ...{ id: 'getCareStandards', method: 'GET', path: '/care-standards/{id}', ours: true, params: z.object({ id: z.string() }) },
  ...{ response: CareStandards, errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'cached' },
  summary: 'Returns a version of the standards. A version never changes.',
});
export const getCareCertificate = endpoint({
  id: 'getCareCertificate',
  method: 'GET',
  path: '/care-certificates/{id}',
  ours: true,
  summary: 'Returns a care certificate with its entries, oldest first, and the current decision for each criterion. `rev` is also the ETag.',
  params: byId,
  response: CareCertificate,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const assignCareCertificate = endpoint({
  id: 'assignCareCertificate',
  method: 'POST',
  path: '/care-certificates',
  ours: true,
  summary: 'Assigns the care certificate to a person. A person who already has one keeps it.',
  body: z.object({ user_id: Id }),
  response: CareCertificate,
  status: 201,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'],
  access: ['care_certificate.assign'],
  offline: 'online-only',
});
export const updateCareCertificate = endpoint({
  id: 'updateCareCertificate',
  method: 'PATCH',
  path: '/care-certificates/{id}',
  ours: true,
  summary:
    'Adds the entries that a device has queued for a certificate, in order, each exactly once. Entries are append-only. A decision made without knowledge of another assessor’s decision is a conflict, and both are kept. Assessors need permission observation.create, and observation.delete to withdraw a record. Learners need no permission, and can only sign records about themselves.',
  params: byId,
  body: z.object({ changes: z.array(CertificateChange).check(z.minLength(1), z.maxLength(500)) }),
  response: CareCertificate,
  errors: [
    'invalid_input',
    'not_found',
    'forbidden',
    'decided_elsewhere',
    'method_unfit',
    'not_competent',
    'content_mismatch',
    'standard_open',
    'idempotency_mismatch',
    'actor_mismatch',
    'unauthenticated',
    'csrf_mismatch',
  ],
  access: 'signed-in',
  offline: 'queue',
});
export const addEvidencePiece = endpoint({
  ...{
    id: 'addEvidencePiece',
    method: 'POST',
    path: '/care-evidence/{id}/pieces/{piece}',
    ours: true,
    access: ['observation.create'],
    offline: 'queue',
  },
  params: z.object({ id: Id, piece: z.coerce.number().check(z.int(), z.gte(0), z.lte(partsOf(evidenceLimits.bytes) - 1)) }),
  ...{ body: EvidencePiece, response: EvidenceFile, errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary: 'Uploads a chunk of a file attached to a certificate record, in any order and any number of times.',
});
export const addEvidence = endpoint({
  ...{ id: 'addEvidence', method: 'PATCH', path: '/care-evidence/{id}', ours: true, params: byId, access: ['observation.create'], offline: 'queue' },
  body: z.object({ changes: z.array(AddEvidence).check(z.length(1)) }),
  ...{ response: EvidenceFile },
  errors: ['invalid_input', 'not_found', 'forbidden', 'idempotency_mismatch', 'actor_mismatch', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Adds a file once all its chunks have been uploaded, exactly once. If chunks are missing, the response lists them and contains no outcome. A picture with camera metadata is re-encoded; a file that is not of its stated type is stored as unfit.',
});
export const evidenceOfCertificate = endpoint({
  ...{ id: 'evidenceOfCertificate', method: 'GET', path: '/care-certificates/{id}/evidence/{file}', ours: true },
  ...{ params: z.object({ id: Id, file: Id }), file: 'application/octet-stream', errors: ['not_found', 'unauthenticated'] },
  ...{ access: 'signed-in', offline: 'online-only' },
  summary: 'Returns the evidence file of an observation, for anyone who can see the certificate.',
});

export const approveCareCertificate = endpoint({
  ...{
    id: 'approveCareCertificate',
    method: 'POST',
    path: '/care-certificates/{id}/approval',
    ours: true,
    params: byId,
    access: ['care_certificate.approve'],
  },
  ...{ response: CareCertificate, status: 201, offline: 'online-only' },
  body: z
    .object({
      approved: z.boolean(),
      reason: z._default(z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.')), ''),
      /** For sending back: the revision that was looked at. Ours. */
      rev: z.optional(Count),
      /** For an approval: the revision that was reviewed and the approver's signature. */
      signature: z.optional(z.object({ ...approvalProof, rev: Count })),
    })
    .check(z.refine(({ approved, reason }) => approved || reason !== '', { error: 'Say what is missing.', path: ['reason'] })),
  errors: ['invalid_input', 'not_found', 'forbidden', 'rev_mismatch', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'The registered manager approves a certificate whose criteria are all met, signing the revision they reviewed, or sends it back with a reason, unless it has changed since the revision they looked at. If any record is unsigned, an approval also needs a reason. Nobody can approve their own certificate.',
});
export const withdrawApproval = endpoint({
  ...{
    id: 'withdrawApproval',
    method: 'POST',
    path: '/care-certificates/{id}/approval/withdrawal',
    ours: true,
    params: byId,
    access: ['care_certificate.approve'],
  },
  ...{ response: CareCertificate, status: 201, offline: 'online-only' },
  body: z.object({
    approval_id: Id,
    reason: z.string().check(z.trim(), z.minLength(1, 'Enter a reason.'), z.maxLength(1000, 'Use no more than 1,000 characters.')),
  }),
  errors: ['invalid_input', 'not_found', 'forbidden', 'rev_mismatch', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Withdraws the current approval, with a reason. Both entries are kept. Nobody can withdraw the approval of their own certificate.',
});
export const reviewCareCertificate = endpoint({
  ...{
    id: 'reviewCareCertificate',
    method: 'GET',
    path: '/care-certificates/{id}/review',
    ours: true,
    params: byId,
    access: ['care_certificate.approve'],
  },
  ...{ response: CertificateReview, offline: 'online-only', errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'Returns what an approver reviews: the standards and their assessors, the unsigned records, and the results of quality samples.',
});

export const careCertificateFile = endpoint({
  ...{ id: 'careCertificateFile', method: 'GET', path: '/care-certificates/{id}/pdf', ours: true, params: byId, file: 'application/pdf' },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated'], access: 'signed-in', offline: 'online-only' },
  summary:
    'Returns a care certificate as a PDF in the organisation’s branding. Requires permission care_certificate.download or, for the caller’s own, certificate.own.',
});

export const careCertificateEndpoints = [
  listCareCertificates,
  getCareStandards,
  getCareCertificate,
  assignCareCertificate,
  updateCareCertificate,
  addEvidencePiece,
  addEvidence,
  evidenceOfCertificate,
  approveCareCertificate,
  withdrawApproval,
  reviewCareCertificate,
  careCertificateFile,
] as const;
