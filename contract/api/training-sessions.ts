import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { CheckIn } from '#contract/commands/check-in-commands.ts';
import { RegisterChange } from '#contract/commands/register-commands.ts';
import { CheckInKey, OwnCheckIn } from '#contract/entities/check-in.ts';
import { Day, Id, someOf } from '#contract/entities/fields.ts';
import {
  andFollowing,
  Cancellation,
  DelegatesGiven,
  GiveDelegates,
  mostDelegates,
  NewTrainingSession,
  NotedAnswer,
  OtherSession,
  Register,
  RegisterAndTold,
  sessionDetails,
  sessionFields,
  sessionFilters,
  SessionRow,
  venueChoice,
  WaitingPerson,
} from '#contract/entities/training-session.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** Training sessions and their registers. The specification defines the fields; bookings use GraphQL. The calls are ours. */
const byId = z.object({ id: Id });
/** Permissions to take registers or plan sessions. */
export const seesSessions: readonly PermissionSlug[] = ['delegate.mark', 'booking.create', 'booking.manage', 'booking.update'];

export const listTrainingSessions = endpoint({
  ...{ id: 'listTrainingSessions', method: 'GET', path: '/training-sessions', ours: true, access: seesSessions, offline: 'cached' },
  query: z.object({
    ...pageQuery,
    ...sortQuery(sorts.sessions),
    when: z._default(z.enum(sessionFilters), 'coming'),
    mine: z.optional(z.stringbool()),
    course: z.optional(Id),
    trainer: z.optional(Id),
    from: z.optional(Day),
    until: z.optional(Day),
  }),
  ...{ response: z.array(SessionRow), errors: ['forbidden', 'unauthenticated'] },
  summary:
    'Lists the training sessions of the caller’s organisation and below it, and those the caller trains; upcoming ones in order of date, past ones newest first, in pages.',
});
export const ownRegisters = endpoint({
  ...{ id: 'ownRegisters', method: 'GET', path: '/registers', ours: true, access: ['delegate.mark'], offline: 'cached' },
  ...{ response: z.array(Register), errors: ['forbidden', 'unauthenticated'] },
  summary: 'Lists the registers of the caller’s own sessions from yesterday to a week ahead, for offline use on a trainer’s device.',
});
export const getTrainingSession = endpoint({
  ...{ id: 'getTrainingSession', method: 'GET', path: '/training-sessions/{id}', ours: true, params: byId, access: seesSessions, offline: 'cached' },
  ...{ response: Register, errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'Returns a training session with its register. `rev` is also the ETag.',
});
export const printedRegister = endpoint({
  ...{ id: 'printedRegister', method: 'GET', path: '/training-sessions/{id}/printed-register', ours: true, params: byId, access: seesSessions },
  ...{ offline: 'online-only', file: 'application/pdf', errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'Returns the register as a PDF to sign on paper, with empty lines for who comes without being on the list.',
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
  body: NewTrainingSession,
  ...{ response: Register, errors: ['invalid_input', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary:
    'Creates a training session of the caller’s organisation. With `repeat`, a series: the same session every so many weeks; the first of it is answered.',
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
  body: someOf({ ...sessionFields, ...sessionDetails, ...venueChoice, ...andFollowing, trainer_id: Id }),
  ...{ response: Register, errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'] },
  summary:
    'Changes a training session until its register is completed; with `following`, those of its series that follow as well, whose days are moved by as many days. Those booked on a session that is moved are asked whether they can come.',
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
  body: Cancellation,
  ...{ response: RegisterAndTold, status: 201, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Cancels a session whose register is not completed, for a reason of the list, in words, or both; all concerned are told. If a device has taken a register regardless, it is kept, and someone confirms whether the session took place.',
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
  summary:
    'Confirms whether a session took place that was cancelled or moved, and of which a register was taken all the same. This decides whether the register counts; one that was moved goes back to the day on which it took place.',
});
export const reopenRegister = endpoint({
  ...{
    id: 'reopenRegister',
    method: 'POST',
    path: '/training-sessions/{id}/reopening',
    ours: true,
    params: byId,
    access: ['booking.update'],
    offline: 'online-only',
  },
  body: z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'Enter a reason.'), z.maxLength(1000, 'Use no more than 1,000 characters.')) }),
  ...{ response: Register, status: 201, errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary:
    'Marks a session whose register is complete as incomplete: its results leave the training records until the register is completed again. What was signed is kept.',
});
export const releaseCertificates = endpoint({
  ...{
    id: 'releaseCertificates',
    method: 'POST',
    path: '/training-sessions/{id}/certificates',
    ours: true,
    params: byId,
    access: ['booking.update'],
    offline: 'online-only',
  },
  ...{ response: RegisterAndTold, status: 201, errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary:
    'Releases the certificates of a session, which wait where the training company does not release them by itself, and tells those who have one. Those withheld one by one stay so. Doing it again changes nothing.',
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
  body: z.object({ user_ids: z.array(Id).check(z.minLength(1, 'Choose at least one person.'), z.maxLength(mostDelegates)) }),
  ...{ response: Register, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Adds people to the list of a session.',
});
export const removeDelegate = endpoint({
  ...{ id: 'removeDelegate', method: 'DELETE', path: '/training-sessions/{id}/delegates/{delegate}', ours: true, access: ['delegate.remove'] },
  ...{ params: z.object({ id: Id, delegate: Id }), response: Register, offline: 'online-only' },
  errors: ['not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Removes a person from the list of a session. If they attend regardless, they are a walk-in.',
});
const byDelegate = z.object({ id: Id, delegate: Id });
export const restoreDelegate = endpoint({
  ...{ id: 'restoreDelegate', method: 'POST', path: '/training-sessions/{id}/delegates/{delegate}/restoration', ours: true, params: byDelegate },
  ...{ access: ['booking.create'], response: Register, status: 201, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Puts somebody who declined or was removed on the list of a session again, if there is a place.',
});
export const noteAnswer = endpoint({
  ...{ id: 'noteAnswer', method: 'POST', path: '/training-sessions/{id}/delegates/{delegate}/answer', ours: true, params: byDelegate },
  ...{ access: ['booking.update', 'delegate.mark'], body: NotedAnswer, response: Register, status: 201, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Records a delegate’s answer: they come, or they do not and give up their place.',
});
const givesDelegates = ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'] as const;
export const otherSessions = endpoint({
  ...{ id: 'otherSessions', method: 'GET', path: '/training-sessions/{id}/others', ours: true, params: byId, access: ['booking.create'] },
  ...{ response: z.array(OtherSession), errors: ['not_found', 'forbidden', 'unauthenticated'], offline: 'online-only' },
  summary:
    'Lists the coming sessions of the same provider that people of a session can be copied or moved to, those of the same course first; at most 200.',
});
export const copyDelegates = endpoint({
  ...{ id: 'copyDelegates', method: 'POST', path: '/training-sessions/{id}/delegates/copy', ours: true, params: byId, access: ['booking.create'] },
  ...{ body: GiveDelegates, response: DelegatesGiven, status: 201, offline: 'online-only', errors: givesDelegates },
  summary:
    'Puts people on the list of a session on that of another session of the same provider as well. Who is there already stays; where there is no place they wait, or nobody is put there. People whom a client has booked are only asked for: their organisation gets a booking request, which holds no place and costs nothing until it is approved.',
});
export const transferDelegates = endpoint({
  ...{ id: 'transferDelegates', method: 'POST', path: '/training-sessions/{id}/delegates/transfer', ours: true, params: byId },
  ...{ access: ['booking.create'], body: GiveDelegates, response: DelegatesGiven, status: 201, offline: 'online-only', errors: givesDelegates },
  summary:
    'Moves people from the list of a session that has not begun, or is cancelled, to another session of the same provider, in one step, and tells them once. People whom a client has booked, and whose places there would cost it more, stay and are only asked for: when their organisation approves the booking request, they have the other places instead. Needs permission to remove delegates as well.',
});
const waitingPath = '/training-sessions/{id}/waiting';
const plans: readonly PermissionSlug[] = ['booking.create', 'booking.manage', 'booking.update'];
export const waitingList = endpoint({
  ...{ id: 'waitingList', method: 'GET', path: waitingPath, ours: true, params: byId, access: plans, offline: 'online-only' },
  ...{ response: z.array(WaitingPerson), errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'Lists who waits for a place on a session, in their order.',
});
export const addToWaitingList = endpoint({
  ...{ id: 'addToWaitingList', method: 'POST', path: waitingPath, ours: true, params: byId, access: ['booking.create'], status: 201 },
  body: z.object({ user_ids: z.array(Id).check(z.minLength(1, 'Choose at least one person.'), z.maxLength(mostDelegates)) }),
  ...{ response: z.array(WaitingPerson), offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Puts people on the waiting list of a session, at its end. As soon as there is a place, now or later, the first of the list is booked and told.',
});
export const removeFromWaitingList = endpoint({
  ...{ id: 'removeFromWaitingList', method: 'DELETE', path: `${waitingPath}/{waiting}`, ours: true, access: ['booking.create'] },
  ...{ params: z.object({ id: Id, waiting: Id }), response: z.array(WaitingPerson), offline: 'online-only' },
  errors: ['not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Removes a person from the waiting list of a session.',
});
export const matchWalkIn = endpoint({
  ...{ id: 'matchWalkIn', method: 'PATCH', path: '/training-sessions/{id}/delegates/{delegate}', ours: true, access: ['delegate.mark'] },
  ...{ params: z.object({ id: Id, delegate: Id }), body: z.object({ user_id: Id }), response: Register, offline: 'online-only' },
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary: 'Identifies a walk-in recorded by name only.',
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
    'Adds the entries that a device has queued for a register, in order, each exactly once, even if the session was cancelled or a person removed from its list in the meantime. A mark made without knowledge of another one is a conflict; both are kept.',
});

export const ownCheckInKeys = endpoint({
  ...{ id: 'ownCheckInKeys', method: 'GET', path: '/registers/check-in-keys', ours: true, access: ['delegate.mark'], offline: 'cached' },
  ...{ response: z.array(CheckInKey), errors: ['forbidden', 'unauthenticated'] },
  summary:
    'Lists what the check-in codes of the caller’s own sessions are computed from, those of `/registers` that are not cancelled, so that a trainer’s device can show them offline.',
});
export const getCheckInKey = endpoint({
  ...{ id: 'getCheckInKey', method: 'GET', path: '/training-sessions/{id}/check-in-key', ours: true, params: byId, access: ['delegate.mark'] },
  ...{ response: CheckInKey, errors: ['not_found', 'forbidden', 'unauthenticated'], offline: 'cached' },
  summary: 'Returns the key of a session’s check-in codes, for the person who takes its register. No other answer contains it.',
});
export const checkInToSession = endpoint({
  ...{
    id: 'checkInToSession',
    method: 'PATCH',
    path: '/training-sessions/{id}/check-in',
    ours: true,
    params: byId,
    access: 'signed-in',
    offline: 'queue',
  },
  ...{ body: z.object({ changes: z.array(CheckIn).check(z.length(1)) }), response: OwnCheckIn },
  errors: [
    'invalid_input',
    'not_found',
    'wrong_code',
    'code_too_old',
    'not_on_list',
    'check_in_closed',
    'session_cancelled',
    'too_many_attempts',
    'idempotency_mismatch',
    'actor_mismatch',
    'unauthenticated',
    'csrf_mismatch',
  ],
  summary:
    'Says that the caller is at a session on whose list they are, with the code that was shown there at `at`. The first time counts; it is no mark of the register. One that arrives afterwards is accepted, and noted as late.',
});

export const trainingSessionEndpoints = [
  listTrainingSessions,
  ownRegisters,
  getTrainingSession,
  printedRegister,
  createTrainingSession,
  changeTrainingSession,
  cancelTrainingSession,
  sayWhetherHeld,
  reopenRegister,
  releaseCertificates,
  addDelegates,
  removeDelegate,
  restoreDelegate,
  noteAnswer,
  otherSessions,
  copyDelegates,
  transferDelegates,
  waitingList,
  addToWaitingList,
  removeFromWaitingList,
  matchWalkIn,
  updateRegister,
  ownCheckInKeys,
  getCheckInKey,
  checkInToSession,
] as const;
