import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { TrainingRecord } from '#contract/entities/attempt.ts';
import { ContentDocument } from '#contract/entities/content.ts';
import { Count, Hash, Id } from '#contract/entities/fields.ts';

const byId = z.object({ id: Id });

export const contentDocument = endpoint({
  id: 'contentDocument',
  method: 'GET',
  path: '/content/{id}/document',
  ours: true,
  summary:
    'A course’s e-learning content as a device keeps it: lessons, topics, quizzes without answers, and its files with size and hash. `version` asks for the version that an attempt was begun on.',
  params: byId,
  query: z.object({ version: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000_000))) }),
  response: ContentDocument,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const sendFeedback = endpoint({
  id: 'sendFeedback',
  method: 'POST',
  path: '/feedback/{id}',
  summary: 'A learner’s rating (1 to 5) and words about a content.',
  params: byId,
  body: z.object({
    rating: z.int().check(z.gte(1, 'Choose 1 to 5.'), z.lte(5, 'Choose 1 to 5.')),
    message: z._default(z.string().check(z.maxLength(2000, 'Use 2,000 characters at most.')), ''),
  }),
  response: z.object({ message: z.string() }),
  status: 201,
  errors: ['invalid_input', 'not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'queue',
});
export const trainingRecords = endpoint({
  id: 'trainingRecords',
  method: 'GET',
  path: '/users/{id}/training-records',
  ours: true,
  summary: 'A person’s training record, newest first.',
  params: byId,
  response: z.array(TrainingRecord),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const deleteTrainingRecord = endpoint({
  ...{ id: 'deleteTrainingRecord', method: 'DELETE', path: '/results/{id}', ours: true, params: byId, status: 204, access: ['record.delete'] },
  ...{ errors: ['not_found', 'in_use', 'forbidden', 'unauthenticated', 'csrf_mismatch'], offline: 'online-only' },
  summary: 'Removes a training record; the audit log keeps what it said. One that stands by a register is changed in the register.',
});
export const resultCertificate = endpoint({
  id: 'resultCertificate',
  method: 'GET',
  path: '/results/{id}/certificate',
  ours: true,
  summary: 'The certificate of a result as PDF, in the organisation’s branding.',
  params: byId,
  file: 'application/pdf',
  errors: ['not_found', 'certificate_unavailable', 'forbidden', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const resultEvidence = endpoint({
  id: 'resultEvidence',
  method: 'GET',
  path: '/results/{id}/evidence',
  ours: true,
  summary: 'The file that proves a result that was recorded by hand.',
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
    'What a person has completed, as PDF, in the organisation’s branding. Of oneself it needs permission certificate.own, of others certificate.user.',
  params: byId,
  file: 'application/pdf',
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const mediaFile = endpoint({
  id: 'mediaFile',
  method: 'GET',
  path: '/media/{name}',
  ours: true,
  summary: 'A file of a course, by the hash of its bytes. Answers byte ranges; never changes.',
  params: z.object({ name: z.string().check(z.regex(/^[0-9a-f]{64}\.[a-z0-9]{2,5}$/)) }),
  file: '*/*',
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});

export const mediaChunks = endpoint({
  id: 'mediaChunks',
  method: 'GET',
  path: '/media/{name}/pieces',
  ours: true,
  summary:
    'The pieces of a file, each with the hash of its bytes, so that a download can go on where it stopped and a damaged piece is fetched alone.',
  params: z.object({ name: z.string().check(z.regex(/^[0-9a-f]{64}\.[a-z0-9]{2,5}$/)) }),
  response: z.object({ bytes: Count, piece_bytes: Count, hashes: z.array(Hash) }),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});

export const learningEndpoints = [
  contentDocument,
  sendFeedback,
  trainingRecords,
  deleteTrainingRecord,
  resultCertificate,
  resultEvidence,
  trainingCertificate,
  mediaFile,
  mediaChunks,
] as const;
