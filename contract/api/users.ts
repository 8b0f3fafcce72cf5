import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { peopleStandings } from '#contract/entities/dashboard.ts';
import { Id, Instant, Slug, someOf } from '#contract/entities/fields.ts';
import { notesNeed, PersonNote, Transfer, transferDays, UserRow, userFields } from '#contract/entities/user.ts';

export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  summary: 'Lists the people of the organisations that the caller can see, in pages.',
  query: z.object({
    ...pageQuery,
    is_trainer: z.optional(z.enum(['0', '1'])),
    /** Our addition: current people, or leavers. */
    state: z.optional(z.enum(['active', 'left'])),
    /** Our addition: people of this organisation and those below it, with this job role, user type or tag. */
    entity: z.optional(Slug),
    role_id: z.optional(Id),
    type_id: z.optional(Id),
    tag_id: z.optional(Id),
    /** Our addition: current people by what is required of them, as the figures of the dashboards count it. */
    standing: z.optional(z.enum(peopleStandings)),
    /** Our addition: these people. */
    ids: z.optional(Ids),
    ...sortQuery(sorts.people),
    actingAs: z.optional(z.string().check(z.maxLength(63))),
  }),
  response: z.array(UserRow),
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['user.search'],
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

const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
const { name, email, primary_entity_id, disabled: _later, ...others } = userFields;
export const createUser = endpoint({
  id: 'createUser',
  method: 'POST',
  path: '/users',
  summary: 'Adds a person. They set their password through a link in the welcome e-mail, which is sent now or later.',
  body: z.object({
    ...{ name, email, primary_entity_id },
    ...z.partial(z.object(others)).shape,
    send_welcome_email: z._default(z.boolean(), false),
  }),
  response: UserRow,
  status: 201,
  errors: [...writeErrors, 'too_many_attempts'],
  access: ['user.create'],
  offline: 'online-only',
});
export const updateUser = endpoint({
  id: 'updateUser',
  method: 'PATCH',
  path: '/users/{id}',
  summary:
    'Changes a person. Some fields require their own permission (entity.belongs_to, user.role, user.type, trainer.create), all others user.update; the caller’s own details require user.self_update.',
  params: z.object({ id: Id }),
  body: someOf(userFields),
  response: UserRow,
  errors: [...writeErrors, 'too_many_attempts', 'last_administrator'],
  access: ['user.update', 'user.role', 'user.type', 'entity.belongs_to', 'trainer.create', 'user.self_update'],
  offline: 'online-only',
});
export const sendWelcomeEmail = endpoint({
  id: 'sendWelcomeEmail',
  method: 'POST',
  path: '/users/{id}/send-welcome-email',
  summary: 'Sends a person a link to set their password.',
  params: z.object({ id: Id }),
  response: z.object({ message: z.string() }),
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['user.create', 'user.update', 'user.reset_password'],
  offline: 'online-only',
});
export const sendWelcomeEmails = endpoint({
  id: 'sendWelcomeEmails',
  method: 'POST',
  path: '/entities/{id}/send-welcome-email',
  summary:
    'Sends everyone in an organisation who has no password yet a link to set one; with `deep`, our addition, also everyone below it. A job sends them; `sent` is how many these are.',
  params: z.object({ id: z.string().check(z.maxLength(63)) }),
  query: z.object({ deep: z._default(z.enum(['0', '1']), '0') }),
  response: z.object({ message: z.string(), sent: z.number() }),
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['user.create'],
  offline: 'online-only',
});

export const listNotes = endpoint({
  id: 'listNotes',
  method: 'GET',
  path: '/users/{id}/notes',
  ours: true,
  summary: 'Lists the notes about a person, newest first. People cannot read the notes about themselves here.',
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
  summary: 'Adds a note about a person. Repeating an id changes nothing.',
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
  summary: 'Deletes a note written by the caller.',
  params: z.object({ id: Id, noteId: Id }),
  status: 204,
  errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: notesNeed,
  offline: 'online-only',
});

export const getTransfer = endpoint({
  id: 'getTransfer',
  method: 'GET',
  path: '/users/{id}/transfer',
  ours: true,
  summary: 'Returns whether a leaver’s training record has been transferred.',
  params: z.object({ id: Id }),
  response: Transfer,
  errors: ['not_found', 'forbidden', 'unauthenticated'],
  access: ['user.update'],
  offline: 'online-only',
});
export const createTransfer = endpoint({
  id: 'createTransfer',
  method: 'POST',
  path: '/users/{id}/transfer',
  ours: true,
  summary: `Creates the code with which a leaver’s new organisation takes over their account and training record. It is shown once, also sent to the leaver, and valid once, for ${transferDays} days; earlier codes are cancelled.`,
  params: z.object({ id: Id }),
  status: 201,
  response: z.object({ code: z.string(), expires_at: Instant }),
  errors: ['invalid_input', 'not_found', 'forbidden', 'not_while_acting', 'unauthenticated', 'csrf_mismatch'],
  access: ['user.update'],
  notWhileActing: true,
  offline: 'online-only',
});
export const takeOver = endpoint({
  id: 'takeOver',
  method: 'POST',
  path: '/users/take-over',
  ours: true,
  summary:
    'Adds a person with a transfer code from their previous organisation: name, sign-in methods, and results in the courses that both organisations have. The previous organisation keeps its record.',
  body: z.object({ code: z.string().check(z.minLength(1, 'Enter the code.'), z.maxLength(40)), primary_entity_id: Id }),
  status: 201,
  response: z.extend(UserRow, { results: z.number() }),
  errors: [...writeErrors, 'link_expired', 'too_many_attempts'],
  access: ['user.create'],
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
  getTransfer,
  createTransfer,
  takeOver,
] as const;
