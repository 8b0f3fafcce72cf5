import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import { Choice, Count, Day, Id } from '#contract/entities/fields.ts';
import { Trainer, TrainerCheck, TrainerFields, TrainerRow } from '#contract/entities/trainer.ts';
import { WallTime } from '#contract/entities/training-session.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** Trainers: people of the organisation with `is_trainer`. The specification has the flag and the permission; the calls are ours. */
const plans: readonly PermissionSlug[] = ['trainer.create', ...seesSessions];
const common = { ours: true, offline: 'online-only' } as const;
const reads = ['forbidden', 'unauthenticated'] as const;
const writes = ['invalid_input', 'not_found', 'csrf_mismatch', ...reads] as const;
const params = z.object({ trainer: Id });

export const listTrainers = endpoint({
  ...{ id: 'listTrainers', method: 'GET', path: '/trainers', ...common, access: plans },
  query: z.object({ ...pageQuery, ...sortQuery(sorts.trainers), course: z.optional(Id) }),
  ...{ response: z.array(TrainerRow), errors: reads },
  summary: 'Lists the trainers of the caller’s organisation and below it, in pages; with `course` those who are competent for it.',
});
export const getTrainer = endpoint({
  ...{ id: 'getTrainer', method: 'GET', path: '/trainers/{trainer}', ...common, params, access: plans },
  ...{ response: Trainer, errors: ['not_found', ...reads] },
  summary: 'Returns a trainer: what they are competent for, when they work and when they are away.',
});
export const addTrainer = endpoint({
  ...{ id: 'addTrainer', method: 'POST', path: '/trainers', ...common, access: ['trainer.create'], status: 201 },
  ...{ body: z.object({ user_id: Choice('Choose a person.') }), response: Trainer, errors: writes },
  summary: 'Makes a person of the organisation a trainer.',
});
export const updateTrainer = endpoint({
  ...{ id: 'updateTrainer', method: 'PATCH', path: '/trainers/{trainer}', ...common, params, access: ['trainer.create'] },
  body: z.extend(TrainerFields, { rev: Count }),
  ...{ response: Trainer, errors: ['rev_mismatch', ...writes] },
  summary: 'Changes a trainer’s record. If `rev` is not the current one, answers 409 with `current`.',
});
export const removeTrainer = endpoint({
  ...{ id: 'removeTrainer', method: 'DELETE', path: '/trainers/{trainer}', ...common, params, access: ['trainer.create'], status: 204 },
  ...{ errors: ['in_use', ...writes] },
  summary: 'Removes somebody as a trainer. Refused while they have coming sessions; their trainer record is kept.',
});
export const checkTrainer = endpoint({
  ...{ id: 'checkTrainer', method: 'GET', path: '/trainers/{trainer}/check', ...common, params, access: plans },
  query: z.object({
    date: z.optional(Day),
    from: z.optional(WallTime),
    to: z.optional(WallTime),
    course: z.optional(Id),
    room: z.optional(Id),
    session: z.optional(Id),
  }),
  ...{ response: TrainerCheck, errors: ['invalid_input', 'not_found', ...reads] },
  summary:
    'Returns what speaks against a trainer for a time: their other sessions then, except `session`, whether they are away or not competent, and with `room` what else is in that room then. Without a time nothing does.',
});

export const trainerEndpoints = [listTrainers, getTrainer, addTrainer, updateTrainer, removeTrainer, checkTrainer] as const;
