import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery } from '#contract/api/paging.ts';
import { ActiveUser, metricPeriods, SignInMetrics } from '#contract/entities/active-user.ts';
import { Instant } from '#contract/entities/fields.ts';
import { Broadcast, MessageText } from '#contract/entities/message.ts';

/** True: the organisation and all below it; false: only people who belong to it itself. */
const deepOrNot = z.enum(['0', '1']);
const Slugged = z.string().check(z.maxLength(63));

export const activeUsers = endpoint({
  ...{ id: 'activeUsers', method: 'GET', path: '/auth-events/active', access: ['dashboard.active_users'], offline: 'online-only' },
  query: z.object({
    ...pageQuery,
    entityIds: z.optional(Ids),
    actingAs: z.optional(Slugged),
    deep: z._default(deepOrNot, '1'),
    /** Our addition: those who have never signed in instead. */
    state: z._default(z.enum(['active', 'never']), 'active'),
  }),
  ...{ response: z.array(ActiveUser), errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary:
    'Lists the people who have used the product in the last 24 hours, most recent first, in pages; of some organisations, or of all that the caller can see.',
});
export const signInMetrics = endpoint({
  ...{ id: 'signInMetrics', method: 'POST', path: '/auth-events/{entity}/metrics', access: ['dashboard.active_users'], offline: 'online-only' },
  params: z.object({ entity: Slugged }),
  body: z.object({
    entity: z.optional(Slugged),
    ...{ fromDate: Instant, toDate: Instant },
    period: z._default(z.enum(metricPeriods), 'h'),
    deep: z._default(
      z.union([
        z.boolean(),
        z.pipe(
          deepOrNot,
          z.transform((deep) => deep === '1'),
        ),
        z.pipe(
          z.literal([0, 1]),
          z.transform((deep) => deep === 1),
        ),
      ]),
      true,
    ),
  }),
  ...{ response: SignInMetrics, errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary:
    'Returns the sign-ins of an organisation between two times, divided into hours, days, weeks or months. A person is counted once, in however many organisations and on however many days they signed in.',
});
export const messageActive = endpoint({
  ...{ id: 'messageActive', method: 'POST', path: '/system/message/{id}', access: ['message.active_users'], offline: 'online-only' },
  params: z.object({ id: Slugged }),
  body: z.object({ message: MessageText, deep: z._default(z.literal([0, 1]), 1), messageTypes: z.optional(z.array(z.literal('mail'))) }),
  ...{ response: Broadcast, status: 201 },
  errors: ['invalid_input', 'not_found', 'idempotency_mismatch', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Sends a message to the people of an organisation who have used the product in the last 24 hours, once per Idempotency-Key; with `deep` 1 also to those below it.',
});
export const authEventEndpoints = [activeUsers, signInMetrics, messageActive] as const;
