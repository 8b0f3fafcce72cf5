import * as z from 'zod/mini';
import { sendsDocuments } from '#contract/api/content-files.ts';
import { endpoint } from '#contract/api/endpoint.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import { Id, someOf } from '#contract/entities/fields.ts';
import { documentFields, NewSessionDocument, SessionDocument } from '#contract/entities/session-document.ts';
import { andFollowing } from '#contract/entities/training-session.ts';

/** The files of training sessions. They are sent in pieces as documents (`POST /content/files`), then added. The calls are ours. */
const path = '/training-sessions/{id}/documents';
const one = z.object({ id: Id, document: Id });
const changes = { ours: true, access: sendsDocuments, response: z.array(SessionDocument), offline: 'online-only' } as const;
const errors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const file = { method: 'GET', ours: true, params: one, file: '*/*', offline: 'online-only' } as const;

export const listSessionDocuments = endpoint({
  ...{ id: 'listSessionDocuments', method: 'GET', path, ours: true, params: z.object({ id: Id }), access: seesSessions, offline: 'cached' },
  ...{ response: z.array(SessionDocument), errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'Lists the documents of a training session, those for delegates and those for trainers only, by name.',
});
export const addSessionDocument = endpoint({
  ...{ id: 'addSessionDocument', method: 'POST', path, params: z.object({ id: Id }), ...changes, status: 201 },
  ...{ body: NewSessionDocument, errors: ['session_over', ...errors] },
  summary:
    'Adds a file that was sent as a document to a training session; with `following`, to those of its series that follow as well. The file is looked into first, and refused where it is not what its name says. Answers the documents of the session.',
});
export const changeSessionDocument = endpoint({
  ...{ id: 'changeSessionDocument', method: 'PATCH', path: `${path}/{document}`, params: one, ...changes, errors },
  body: someOf({ ...documentFields, ...andFollowing }),
  summary: 'Renames a document of a session, or changes who it is for; with `following`, also where sessions of its series that follow have it.',
});
export const removeSessionDocument = endpoint({
  ...{ id: 'removeSessionDocument', method: 'DELETE', path: `${path}/{document}`, params: one, ...changes, errors },
  query: z.object({ following: z.optional(z.stringbool()) }),
  summary: 'Removes a document from a session; with `following`, also from the following sessions of its series.',
});
export const readSessionDocument = endpoint({
  ...{ ...file, id: 'readSessionDocument', path: `${path}/{document}/file`, access: seesSessions },
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  summary: 'Returns the file of a document of a session, to the trainer and the office.',
});
export const readOwnDocument = endpoint({
  ...{ ...file, id: 'readOwnDocument', path: '/bookings/own/{id}/documents/{document}/file', access: ['booking.own'] },
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  summary: 'Returns the file of a document for delegates, to somebody with a place on the session. `id` is that of their booking.',
});
export const sessionDocumentEndpoints = [
  listSessionDocuments,
  addSessionDocument,
  changeSessionDocument,
  removeSessionDocument,
  readSessionDocument,
  readOwnDocument,
] as const;
