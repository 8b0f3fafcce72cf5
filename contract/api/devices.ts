import * as z from 'zod/mini';
import { packageWorkBodyBytes } from '#contract/entities/package-work.ts';
import { endpoint } from '#contract/api/endpoint.ts';
import { FailedChange, GivenUp } from '#contract/entities/failed-change.ts';
import { CopyKey, DeviceContact, DeviceReport, OrganisationKey, RecoveryWrap, SealedWork } from '#contract/entities/device.ts';
import { protocol } from '#contract/protocol.ts';
import { Refusal, RefusedEntry } from '#contract/entities/refusal.ts';
import { Id, Instant, Ref } from '#contract/entities/fields.ts';

/** Devices, what waits on them, and work that could not be taken. All of it is our addition to the specification. */
export const checkIn = endpoint({
  id: 'checkIn',
  method: 'POST',
  path: '/devices/check-in',
  ours: true,
  summary:
    'A device says how it is, and asks whether the server still knows changes that it once acknowledged (`witnesses`): one that was restored from a backup may not, and then gets them again. `copy_key` is what it signs the person’s sealed copies with; `given_up` is what it has given up sending because the server failed at it again and again.',
  body: z.object({
    ...{ report: DeviceReport, witnesses: z.array(Id).check(z.maxLength(1000)), copy_key: z.optional(CopyKey) },
    given_up: z.optional(z.array(GivenUp).check(z.maxLength(protocol.givenUpAtOnce))),
  }),
  response: z.object({ epoch: z.string(), server_time: z.string(), unknown: z.array(Id), organisation_key: OrganisationKey }),
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
    'The devices of the people one may see: who, last contact, what waited then, storage, version. The longest unheard with work waiting first.',
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
  summary: 'Opens the organisation’s copy of one’s own data key, for one’s own password: a forgotten PIN loses nothing.',
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
    'Takes a sealed copy of somebody’s unsent work: applied once, in its own name, where the person is still here; held for a decision where they have left. What is not signed by a device of that person (`signed`) is only shown: `unproved`.',
  body: SealedWork,
  bodyLimitBytes: protocol.sealedWorkLimitBytes,
  response: z.object({
    person: Ref,
    /** Who sealed it: null where nothing proves that. Times as the device knew them; `entries` is how many lines the whole copy has. */
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
  summary: 'Work of people who have left, waiting for a decision; decided ones after them.',
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
  summary: 'Applies held work in its own name, or dismisses it with a reason. It stays readable either way.',
  params: z.object({ id: Id }),
  body: z.object({ decision: z.enum(['applied', 'dismissed']), note: z.string().check(z.trim(), z.maxLength(1000)) }),
  response: Held,
  errors: [
    'invalid_input',
    'not_found',
    'forbidden',
    'held_work_decided',
    'attempt_closed',
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
  summary: 'What the people one may see sent and the server could not accept, newest first.',
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
    'Changes of the people one may see that the server failed at again and again, or that a device has given up for that, and that were not applied since; the last first. Not what they say.',
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
  summary: 'Asks one’s manager about a change of one’s own that was refused. `id` is the change’s id.',
  params: z.object({ id: Id }),
  body: z.object({ entry: RefusedEntry, question: z.string().check(z.trim(), z.minLength(1, 'Write what you want to ask.'), z.maxLength(1000)) }),
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
  summary: 'Answers what a person asked about a refused change.',
  params: z.object({ id: Id }),
  body: z.object({ answer: z.string().check(z.trim(), z.minLength(1, 'Write an answer.'), z.maxLength(1000)) }),
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
  summary: 'Keeps a refused change of one’s own as evidence beside the training record.',
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
  summary: 'Locks this session, because its device is locked: it answers nothing until it is unlocked by the secret of which the hash is given.',
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
  summary: 'Unlocks this session with the secret that the device released.',
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
