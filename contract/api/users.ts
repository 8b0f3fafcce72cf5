import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { Id, Slug, someOf } from '#contract/entities/fields.ts';
import { notesNeed, peopleOrders, PersonNote, UserRow, userFields } from '#contract/entities/user.ts';

export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  summary: 'People of the organisations that the caller can see, a page at a time; `meta` and `links` as the other lists.',
  query: z.object({
    ...pageQuery,
    is_trainer: z.optional(z.enum(['0', '1'])),
    /** Ours: who works here, or who has left. */
    state: z.optional(z.enum(['active', 'left'])),
    /** Ours: of this organisation and those below it, with this job role, user type or tag. */
    entity: z.optional(Slug),
    role_id: z.optional(Id),
    type_id: z.optional(Id),
    tag_id: z.optional(Id),
    /** Ours: the order; a minus turns it round. */
    sort: z._default(z.enum(peopleOrders), 'name'),
    actingAs: z.optional(z.string().check(z.maxLength(63))),
  }),
  response: z.array(UserRow),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: [21],
  offline: 'online-only',
});
export const getUser = endpoint({
  id: 'getUser',
  method: 'GET',
  path: '/users/{id}',
  summary: 'One person.',
  params: z.object({ id: Id }),
  response: UserRow,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const { name, email, primary_entity_id, disabled: _later, ...others } = userFields;
export const createUser = endpoint({
  id: 'createUser',
  method: 'POST',
  path: '/users',
  summary: 'Adds a person. They choose their password by a link in the welcome e-mail, which is sent now or later.',
  body: z.object({
    ...{ name, email, primary_entity_id },
    ...z.partial(z.object(others)).shape,
    send_welcome_email: z._default(z.boolean(), false),
  }),
  response: UserRow,
  status: 201,
  errors: changing,
  access: [3],
  offline: 'online-only',
});
export const updateUser = endpoint({
  id: 'updateUser',
  method: 'PATCH',
  path: '/users/{id}',
  summary: 'Changes a person. Each field needs its permission (belongs to 42, job role 4, user type 5, trainer 99, others 18); oneself 127.',
  params: z.object({ id: Id }),
  body: someOf(userFields),
  response: UserRow,
  errors: changing,
  access: [18, 4, 5, 42, 99, 127],
  offline: 'online-only',
});
export const sendWelcomeEmail = endpoint({
  id: 'sendWelcomeEmail',
  method: 'POST',
  path: '/users/{id}/send-welcome-email',
  summary: 'Sends a person a link to choose their password with.',
  params: z.object({ id: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: [3, 18, 47],
  offline: 'online-only',
});
export const sendWelcomeEmails = endpoint({
  id: 'sendWelcomeEmails',
  method: 'POST',
  path: '/entities/{id}/send-welcome-email',
  summary: 'Sends everybody of an organisation who has no password yet a link to choose one with.',
  params: z.object({ id: z.string().check(z.maxLength(63)) }),
  response: z.object({ message: z.string(), sent: z.number() }),
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: [3],
  offline: 'online-only',
});

export const listNotes = endpoint({
  id: 'listNotes',
  method: 'GET',
  path: '/users/{id}/notes',
  ours: true,
  summary: 'What those who look after somebody have written about them, the newest first. Nobody reads the notes about themselves here.',
  params: z.object({ id: Id }),
  response: z.array(PersonNote),
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: notesNeed,
  offline: 'online-only',
});
export const createNote = endpoint({
  id: 'createNote',
  method: 'POST',
  path: '/users/{id}/notes',
  ours: true,
  summary: 'Writes a note about a person. The same id again changes nothing.',
  params: z.object({ id: Id }),
  body: z.object({ id: Id, body: PersonNote.shape.body }),
  response: PersonNote,
  status: 201,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: notesNeed,
  offline: 'online-only',
});
export const deleteNote = endpoint({
  id: 'deleteNote',
  method: 'DELETE',
  path: '/users/{id}/notes/{noteId}',
  ours: true,
  summary: 'Takes a note away that one has written.',
  params: z.object({ id: Id, noteId: Id }),
  status: 204,
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: notesNeed,
  offline: 'online-only',
});

export const userEndpoints = [
  listUsers,
  getUser,
  createUser,
  updateUser,
  sendWelcomeEmail,
  sendWelcomeEmails,
  listNotes,
  createNote,
  deleteNote,
] as const;
