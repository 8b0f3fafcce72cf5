import * as z from 'zod/mini';
import { packageWorkBodyBytes } from '#contract/entities/package-work.ts';
import { endpoint } from '#contract/api/endpoint.ts';
import { FailedChange, GivenUp } from '#contract/entities/failed-change.ts';
import { CopyKey, DeviceContact, DeviceReport, MissingWork, OrganisationKey, RecoveryWrap, SealedWork } from '#contract/entities/device.ts';
import { protocol } from '#contract/protocol.ts';
import { Refusal, RefusedEntry } from '#contract/entities/refusal.ts';
import { Id, Instant, Ref } from '#contract/entities/fields.ts';

/** Devices, their unsent work, and work that could not be accepted. All of it is our addition to the specification. */
export const checkIn = endpoint({
  id: 'checkIn',
  method: 'POST',
  path: '/devices/check-in',
  ours: true,
  summary:
    'Reports the state of a device, and checks whether the server still knows recently acknowledged changes (`witnesses`): a server restored from a backup may have lost them, and the device then sends them again. `copy_key` verifies the person’s sealed copies; `given_up` lists changes the device no longer sends because the server repeatedly failed on them. `unsent` names what waits there: what an earlier check-in of the device named, that no longer waits and was not received, is answered as `missing`; `accounted` names what the person set aside themselves.',
  body: z.object({
    ...{ report: DeviceReport, witnesses: z.array(Id).check(z.maxLength(1000)), copy_key: z.optional(CopyKey) },
    given_up: z.optional(z.array(GivenUp).check(z.maxLength(protocol.givenUpAtOnce))),
    /** `complete`: nothing else waits. Not sent by earlier releases. */
    unsent: z.optional(z.object({ ids: z.array(Id).check(z.maxLength(protocol.unsentIdsAtOnce)), complete: z.boolean() })),
    accounted: z.optional(z.array(Id).check(z.maxLength(protocol.unsentIdsAtOnce))),
  }),
  response: z.object({
    ...{ epoch: z.string(), server_time: z.string(), unknown: z.array(Id), organisation_key: OrganisationKey },
    missing: z.array(MissingWork),
  }),
  errors: ['invalid_input', 'actor_mismatch', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const rollCall = endpoint({
  id: 'rollCall',
  method: 'GET',
  path: '/devices',
  ours: true,
  summary:
    'Lists the devices of the people the caller can see, with their users, last contact, unsent work, storage and version. Devices with unsent work that have been silent longest come first.',
  response: z.array(DeviceContact),
  errors: ['forbidden', 'unauthenticated'],
  access: ['record.search'],
  offline: 'online-only',
});
export const recoverKey = endpoint({
  id: 'recoverKey',
  method: 'POST',
  path: '/users/{id}/recover-key',
  ours: true,
  summary: 'Decrypts the organisation’s copy of the caller’s data key, given their password, so that a forgotten PIN loses nothing.',
  params: z.object({ id: Id }),
  body: z.object({ recovery: RecoveryWrap, password: z.string().check(z.minLength(1), z.maxLength(200)) }),
  response: z.object({ key: z.string() }),
  errors: ['invalid_input', 'wrong_credentials', 'too_many_attempts', 'not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

const ImportedEntry = z.object({
  id: Id,
  sentence: z.string(),
  outcome: z.enum(['applied', 'held', 'decided', 'unproved', 'unreadable']),
  message: z.nullable(z.string()),
});
export const importSealedWork = endpoint({
  id: 'importSealedWork',
  method: 'POST',
  path: '/sealed-work',
  ours: true,
  summary:
    'Submits a sealed copy of a person’s unsent work. It is applied exactly once, in that person’s name, or held for a decision if they have left. Work not signed by a device of that person (`signed`) is only shown, as `unproved`.',
  body: SealedWork,
  bodyLimitBytes: protocol.sealedWorkLimitBytes,
  response: z.object({
    person: Ref,
    /** Proof of authorship, or null if there is none. Times are the device's own; `entries` is the number of lines in the whole copy. */
    signed: z.nullable(z.object({ device_id: z.string(), made_at: Instant, known_since: Instant, entries: z.int() })),
    entries: z.array(ImportedEntry),
  }),
  errors: ['invalid_input', 'not_found', 'forbidden', 'sealed_copy_unreadable', 'unauthenticated'],
  access: ['record.update'],
  offline: 'online-only',
});

const Held = z.object({
  id: Id,
  user: Ref,
  sentence: z.string(),
  at: Instant,
  imported_at: Instant,
  imported_by: Ref,
  reason: z.string(),
  decision: z.nullable(z.enum(['applied', 'dismissed'])),
  decided_by: z.nullable(Ref),
  note: z.nullable(z.string()),
});
export const listHeldWork = endpoint({
  id: 'listHeldWork',
  method: 'GET',
  path: '/held-work',
  ours: true,
  summary: 'Lists work of people who have left: undecided first, then decided.',
  response: z.array(Held),
  errors: ['forbidden', 'unauthenticated'],
  access: ['record.update'],
  offline: 'online-only',
});
export const decideHeldWork = endpoint({
  id: 'decideHeldWork',
  method: 'POST',
  path: '/held-work/{id}/decision',
  ours: true,
  summary: 'Applies held work in its author’s name, or dismisses it with a reason. It remains readable either way.',
  params: z.object({ id: Id }),
  body: z.object({ decision: z.enum(['applied', 'dismissed']), note: z.string().check(z.trim(), z.maxLength(1000)) }),
  response: Held,
  errors: [
    'invalid_input',
    'not_found',
    'forbidden',
    'held_work_decided',
    'attempt_closed',
    'begun_after',
    'quiz_try_taken',
    'no_tries_left',
    'prerequisite_missing',
    'unauthenticated',
  ],
  access: ['record.update'],
  offline: 'online-only',
});

export const listAllRefusals = endpoint({
  id: 'listAllRefusals',
  method: 'GET',
  path: '/refusals',
  ours: true,
  summary: 'Lists changes that the server could not accept, from the people the caller can see, newest first.',
  response: z.array(Refusal),
  errors: ['forbidden', 'unauthenticated'],
  access: ['record.search'],
  offline: 'online-only',
});

export const listFailedChanges = endpoint({
  id: 'listFailedChanges',
  method: 'GET',
  path: '/devices/failed-changes',
  ours: true,
  summary:
    'Lists changes of the people the caller can see on which the server repeatedly failed, or which a device has given up, and which have not been applied since; most recent first, without their content.',
  response: z.array(FailedChange),
  errors: ['forbidden', 'unauthenticated'],
  access: ['record.search'],
  offline: 'online-only',
});

export const askAboutRefusal = endpoint({
  id: 'askAboutRefusal',
  method: 'POST',
  path: '/refusals/{id}/question',
  bodyLimitBytes: packageWorkBodyBytes,
  ours: true,
  summary: 'Asks the caller’s manager about the caller’s own refused change. `id` is the change’s id.',
  params: z.object({ id: Id }),
  body: z.object({ entry: RefusedEntry, question: z.string().check(z.trim(), z.minLength(1, 'Enter your question.'), z.maxLength(1000)) }),
  response: Refusal,
  errors: ['invalid_input', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const answerRefusal = endpoint({
  id: 'answerRefusal',
  method: 'POST',
  path: '/refusals/{id}/answer',
  ours: true,
  summary: 'Answers a person’s question about a refused change.',
  params: z.object({ id: Id }),
  body: z.object({ answer: z.string().check(z.trim(), z.minLength(1, 'Enter an answer.'), z.maxLength(1000)) }),
  response: Refusal,
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'],
  access: ['record.update'],
  offline: 'online-only',
});
export const keepRefusalAsEvidence = endpoint({
  id: 'keepRefusalAsEvidence',
  method: 'POST',
  path: '/refusals/{id}/evidence',
  bodyLimitBytes: packageWorkBodyBytes,
  ours: true,
  summary: 'Keeps the caller’s own refused change as evidence beside the training record.',
  params: z.object({ id: Id }),
  body: z.object({ entry: RefusedEntry }),
  response: Refusal,
  errors: ['invalid_input', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

export const lockSession = endpoint({
  id: 'lockSession',
  method: 'POST',
  path: '/session/lock',
  ours: true,
  summary: 'Locks this session because its device is locked. It stays locked until it is unlocked with the secret whose hash is given.',
  body: z.object({ unlock_hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  status: 204,
  errors: ['invalid_input', 'unauthenticated', 'csrf_mismatch'],
  access: 'signed-in',
  offline: 'online-only',
});
export const unlockSession = endpoint({
  id: 'unlockSession',
  method: 'POST',
  path: '/session/unlock',
  ours: true,
  summary: 'Unlocks this session with the secret released by the device.',
  body: z.object({ secret: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  status: 204,
  errors: ['invalid_input', 'unauthenticated', 'csrf_mismatch'],
  access: 'public',
  duringPasswordChange: true,
  offline: 'online-only',
});

export const deviceEndpoints = [
  checkIn,
  rollCall,
  recoverKey,
  importSealedWork,
  listHeldWork,
  decideHeldWork,
  listAllRefusals,
  listFailedChanges,
  askAboutRefusal,
  answerRefusal,
  keepRefusalAsEvidence,
  lockSession,
  unlockSession,
] as const;
