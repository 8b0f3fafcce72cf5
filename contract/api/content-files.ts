import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { ContentFile, contentFileFields, contentFileLimits, contentPiecesOf } from '#contract/entities/content-file.ts';
import { Media } from '#contract/entities/content.ts';
import { Count, Id } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** Permissions to upload files of contents, and documents of training sessions. */
export const sendsContentFiles = ['content.create', 'content.update', 'content.creator'] as const satisfies readonly PermissionSlug[];
export const sendsDocuments = ['booking.create', 'booking.update'] as const satisfies readonly PermissionSlug[];
/** Files of contents and training sessions are uploaded in pieces, so that a lost connection costs one piece and not the file. */
const common = { ours: true, offline: 'online-only', access: [...sendsContentFiles, ...sendsDocuments] } as const;
const errors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const one = z.object({ id: Id });

export const beginContentFile = endpoint({
  ...{ id: 'beginContentFile', method: 'POST', path: '/content/files', ...common, response: ContentFile, status: 201, errors },
  body: z.object(contentFileFields),
  summary:
    'Begins the upload of a video, sound, file or captions for contents, or of a document of a training session. The answer says how large its pieces are and which are missing.',
});
export const getContentFile = endpoint({
  ...{ id: 'getContentFile', method: 'GET', path: '/content/files/{id}', ...common, params: one, response: ContentFile },
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  summary: 'Returns which pieces of a file are missing, to the person who started the upload.',
});
export const addContentFilePiece = endpoint({
  ...{ id: 'addContentFilePiece', method: 'POST', path: '/content/files/{id}/pieces/{piece}', ...common },
  params: z.object({ id: Id, piece: z.coerce.number().check(z.int(), z.gte(0), z.lt(contentPiecesOf(contentFileLimits.bytes))) }),
  upload: { types: ['application/octet-stream'], limitBytes: contentFileLimits.pieceBytes },
  response: z.object({ missing: Count }),
  errors: ['body_too_large', 'unsupported_media', ...errors],
  summary: 'Uploads a piece of a file as the request body, in any order; repeating one is harmless. Returns how many are still missing.',
});
export const finishContentFile = endpoint({
  ...{ id: 'finishContentFile', method: 'POST', path: '/content/files/{id}/finish', ...common, access: sendsContentFiles },
  ...{ params: one, response: Media, errors },
  summary:
    'Looks into a file of which all pieces have arrived and keeps it: as a block of a topic has it. Answers 422 with the reason where it is not what it was said to be, or where tablets could not play it.',
});

export const contentFileEndpoints = [beginContentFile, getContentFile, addContentFilePiece, finishContentFile] as const;
