import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id } from '#contract/entities/fields.ts';
import { OtherAuthor, presenceKinds } from '#contract/entities/presence.ts';

export const tellPresence = endpoint({
  id: 'tellPresence',
  method: 'POST',
  path: '/content-presence',
  ours: true,
  summary:
    'Says that the caller has something open to change it, in one of their tabs, or with `leaving` that they closed it, and answers who else has it open. An editor says so every 20 seconds; one that says nothing for 90 is taken for closed.',
  body: z.object({ kind: z.enum(presenceKinds), id: Id, tab: Id, leaving: z.optional(z.boolean()) }),
  response: z.array(OtherAuthor),
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.update', 'course.update', 'content.creator'],
  offline: 'online-only',
});

export const contentPresenceEndpoints = [tellPresence] as const;
