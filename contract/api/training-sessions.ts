import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { RegisterChange } from '#contract/commands/register-commands.ts';
import { Id, someOf } from '#contract/entities/fields.ts';
import { mostDelegates, Register, sessionFields, sessionFilters, SessionRow } from '#contract/entities/training-session.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** Training sessions and their registers. The specification names the fields; bookings of them come through the graph. The calls are ours. */
const byId = z.object({ id: Id });
/** Whoever takes registers, or plans sessions. */
export const seesSessions: readonly PermissionSlug[] = ['delegate.mark', 'booking.create', 'booking.manage', 'booking.update'];

export const listTrainingSessions = endpoint({
  ...{ id: 'listTrainingSessions', method: 'GET', path: '/training-sessions', ours: true, access: seesSessions, offline: 'cached' },
  query: z.object({ ...pageQuery, when: z._default(z.enum(sessionFilters), 'coming'), mine: z.optional(z.stringbool()) }),
  ...{ response: z.array(SessionRow), errors: ['forbidden', 'unauthenticated'] },
  summary:
    'Training sessions of one’s organisation and below it, and those one gives: what comes first stands first, of past ones the newest; a page at a time.',
});
export const ownRegisters = endpoint({
  ...{ id: 'ownRegisters', method: 'GET', path: '/registers', ours: true, access: ['delegate.mark'], offline: 'cached' },
  ...{ response: z.array(Register), errors: ['forbidden', 'unauthenticated'] },
  summary: 'The registers of the sessions that one gives, from yesterday to a week from now: what a trainer’s device keeps.',
});
export const getTrainingSession = endpoint({
  ...{ id: 'getTrainingSession', method: 'GET', path: '/training-sessions/{id}', ours: true, params: byId, access: seesSessions, offline: 'cached' },
  ...{ response: Register, errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'A training session with its register. `rev` is also the ETag.',
});
export const createTrainingSession = endpoint({
  ...{
    id: 'createTrainingSession',
    method: 'POST',
    path: '/training-sessions',
    ours: true,
    access: ['booking.create'],
    offline: 'online-only',
    status: 201,
  },
  body: z.object({ ...sessionFields, course_id: Id, trainer_id: Id }),
  ...{ response: Register, errors: ['invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary: 'Plans a training session of the caller’s organisation.',
});
export const changeTrainingSession = endpoint({
  ...{
    id: 'changeTrainingSession',
    method: 'PATCH',
    path: '/training-sessions/{id}',
    ours: true,
    params: byId,
    access: ['booking.update'],
    offline: 'online-only',
  },
  body: someOf({ ...sessionFields, trainer_id: Id }),
  ...{ response: Register, errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'] },
  summary: 'Changes what is planned, until the register is finished.',
});
export const cancelTrainingSession = endpoint({
  ...{
    id: 'cancelTrainingSession',
    method: 'POST',
    path: '/training-sessions/{id}/cancellation',
    ours: true,
    params: byId,
    access: ['booking.update'],
  },
  body: z.object({ notes: z.string().check(z.trim(), z.minLength(1, 'Say why.'), z.maxLength(1000, 'Use 1,000 characters at most.')) }),
  ...{ response: Register, status: 201, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Cancels a session whose register is not finished. A register that a device took all the same is kept: then somebody says whether it took place.',
});
export const sayWhetherHeld = endpoint({
  ...{
    id: 'sayWhetherHeld',
    method: 'POST',
    path: '/training-sessions/{id}/held',
    ours: true,
    params: byId,
    access: ['booking.update'],
    offline: 'online-only',
  },
  ...{ body: z.object({ held: z.boolean() }), response: Register, status: 201 },
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Says whether a cancelled session of which a register was taken took place. Only then does it count, or not.',
});
export const addDelegates = endpoint({
  ...{
    id: 'addDelegates',
    method: 'POST',
    path: '/training-sessions/{id}/delegates',
    ours: true,
    params: byId,
    access: ['booking.create'],
    status: 201,
  },
  body: z.object({ user_ids: z.array(Id).check(z.minLength(1, 'Choose somebody.'), z.maxLength(mostDelegates)) }),
  ...{ response: Register, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Puts people on the list of a session; who is on it stays.',
});
export const removeDelegate = endpoint({
  ...{ id: 'removeDelegate', method: 'DELETE', path: '/training-sessions/{id}/delegates/{delegate}', ours: true, access: ['delegate.remove'] },
  ...{ params: z.object({ id: Id, delegate: Id }), response: Register, offline: 'online-only' },
  errors: ['not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Takes somebody off the list of a session. Who comes all the same is a walk-in.',
});
export const matchWalkIn = endpoint({
  ...{ id: 'matchWalkIn', method: 'PATCH', path: '/training-sessions/{id}/delegates/{delegate}', ours: true, access: ['delegate.mark'] },
  ...{ params: z.object({ id: Id, delegate: Id }), body: z.object({ user_id: Id }), response: Register, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Says who somebody is that came without being on the list and of whom only a name was noted.',
});
export const updateRegister = endpoint({
  ...{
    id: 'updateRegister',
    method: 'PATCH',
    path: '/training-sessions/{id}/register',
    ours: true,
    params: byId,
    access: ['delegate.mark'],
    offline: 'queue',
  },
  body: z.object({ changes: z.array(RegisterChange).check(z.minLength(1), z.maxLength(500)) }),
  response: Register,
  errors: [
    'invalid_input',
    'not_found',
    'forbidden',
    'marked_elsewhere',
    'session_to_come',
    'idempotency_mismatch',
    'actor_mismatch',
    'unauthenticated',
    'csrf_mismatch',
  ],
  summary:
    'Adds what a device noted on a register, in order, each once, also where the session was cancelled meanwhile or somebody taken off its list. A mark made without knowledge of another one is a conflict; both are kept.',
});

export const trainingSessionEndpoints = [
  listTrainingSessions,
  ownRegisters,
  getTrainingSession,
  createTrainingSession,
  changeTrainingSession,
  cancelTrainingSession,
  sayWhetherHeld,
  addDelegates,
  removeDelegate,
  matchWalkIn,
  updateRegister,
] as const;
