import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { CertificateChange } from '#contract/commands/certificate-commands.ts';
import { AddEvidence, EvidencePiece, partsOf } from '#contract/commands/evidence-commands.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { approvalProof, CareCertificate, CertificateRow, certificateFilters } from '#contract/entities/care-certificate.ts';
import { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { CareStandards } from '#contract/entities/care-standards.ts';
import { CertificateReview } from '#contract/entities/care-overview.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** Care certificates and the entries of their assessors. The specification names the screens; the calls are ours. */
const byId = z.object({ id: Id });

export const listCareCertificates = endpoint({
  ...{ id: 'listCareCertificates', method: 'GET', path: '/care-certificates', ours: true, response: z.array(CertificateRow) },
  ...{ errors: ['unauthenticated'], access: 'signed-in', offline: 'cached' },
  query: z.object({ ...pageQuery, state: z._default(z.enum(certificateFilters), 'either') }),
  summary: 'The care certificates of the people one may see, one’s own always, by name, a page at a time: how far each has got.',
});
export const getCareStandards = endpoint({
  ...{ id: 'getCareStandards', method: 'GET', path: '/care-standards/{id}', ours: true, params: z.object({ id: z.string() }) },
  ...{ response: CareStandards, errors: ['not_found', 'unauthenticated'], access: 'signed-in', offline: 'cached' },
  summary: 'A version of the standards that certificates stand on. It never changes.',
});
export const getCareCertificate = endpoint({
  id: 'getCareCertificate',
  method: 'GET',
  path: '/care-certificates/{id}',
  ours: true,
  summary: 'One care certificate with its entries, oldest first, and what counts for each criterion. `rev` is also the ETag.',
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
  summary: 'Assigns the care certificate to a person; who has it keeps it.',
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
    'Adds what a device queued for a certificate, in order, each once. Entries are only ever added; a decision made without knowledge of another assessor’s is a conflict, and both entries are kept. An assessor needs permission observation.create, and observation.delete to withdraw a record; the learner signs what was recorded of them without one, and nothing else.',
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
  summary: 'Takes a piece of a file that a record of a certificate names: in any order, any number of times.',
});
export const addEvidence = endpoint({
  ...{ id: 'addEvidence', method: 'PATCH', path: '/care-evidence/{id}', ours: true, params: byId, access: ['observation.create'], offline: 'queue' },
  body: z.object({ changes: z.array(AddEvidence).check(z.length(1)) }),
  ...{ response: EvidenceFile },
  errors: ['invalid_input', 'not_found', 'forbidden', 'idempotency_mismatch', 'actor_mismatch', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Adds a file whose pieces are there, once. While some are missing it answers which, and no outcome. A picture is drawn anew where a camera has left something in it; what is not what it says is kept as unfit.',
});
export const evidenceOfCertificate = endpoint({
  ...{ id: 'evidenceOfCertificate', method: 'GET', path: '/care-certificates/{id}/evidence/{file}', ours: true },
  ...{ params: z.object({ id: Id, file: Id }), file: 'application/octet-stream', errors: ['not_found', 'unauthenticated'] },
  ...{ access: 'signed-in', offline: 'online-only' },
  summary: 'A file that proves an observation, for whoever may see the certificate.',
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
  body: z.object({
    approved: z.boolean(),
    reason: z.optional(z.string().check(z.trim(), z.maxLength(1000, 'Use 1,000 characters at most.'))),
    /** What approves it: the version that was reviewed, and the signature of whoever did. */
    signature: z.optional(z.object({ ...approvalProof, rev: Count })),
  }),
  errors: ['invalid_input', 'not_found', 'forbidden', 'rev_mismatch', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'The registered manager approves a certificate of which every criterion is met, with their signature under what they reviewed, or sends it back with a reason. Where not everybody has signed every record, an approval needs a reason too. Nobody approves their own.',
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
    reason: z.string().check(z.trim(), z.minLength(1, 'Say why.'), z.maxLength(1000, 'Use 1,000 characters at most.')),
  }),
  errors: ['invalid_input', 'not_found', 'forbidden', 'rev_mismatch', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Takes back the approval that stands, with a reason, by an entry of its own. Both stay to be read. Nobody does so for themselves.',
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
  summary:
    'What whoever approves a certificate has before them: its standards and their assessors, the records that not everybody has signed, and what a sample of them has shown.',
});

export const careCertificateFile = endpoint({
  ...{ id: 'careCertificateFile', method: 'GET', path: '/care-certificates/{id}/pdf', ours: true, params: byId, file: 'application/pdf' },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated'], access: 'signed-in', offline: 'online-only' },
  summary:
    'A care certificate as PDF, in the organisation’s branding. It needs permission care_certificate.download; of oneself certificate.own will do.',
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
