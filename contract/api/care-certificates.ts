import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { CertificateChange } from '#contract/commands/certificate-commands.ts';
import { CareCertificate } from '#contract/entities/care-certificate.ts';
import { Id } from '#contract/entities/fields.ts';

/** Care certificates and the entries of their assessors. The specification names the screens; the calls are ours. */
const byId = z.object({ id: Id });

export const listCareCertificates = endpoint({
  id: 'listCareCertificates',
  method: 'GET',
  path: '/care-certificates',
  ours: true,
  summary: 'The care certificates of the people one may see, with entries and decisions: one’s own always.',
  response: z.array(CareCertificate),
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
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
  access: [86],
  offline: 'online-only',
});
export const updateCareCertificate = endpoint({
  id: 'updateCareCertificate',
  method: 'PATCH',
  path: '/care-certificates/{id}',
  ours: true,
  summary:
    'Adds what an assessor’s device queued for a certificate, in order, each once. Entries are only ever added; a decision made without knowledge of another assessor’s is a conflict, and both entries are kept.',
  params: byId,
  body: z.object({ changes: z.array(CertificateChange).check(z.minLength(1), z.maxLength(500)) }),
  response: CareCertificate,
  errors: [
    'invalid_input',
    'not_found',
    'forbidden',
    'decided_elsewhere',
    'idempotency_mismatch',
    'actor_mismatch',
    'unauthenticated',
    'csrf_mismatch',
  ],
  access: [89],
  offline: 'queue',
});

export const careCertificateEndpoints = [listCareCertificates, getCareCertificate, assignCareCertificate, updateCareCertificate] as const;
