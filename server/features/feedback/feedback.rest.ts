import type { feedbackEndpoints } from '#contract/api/feedback.ts';
import { feedbackPage, feedbackSummaryOf, ownFeedbackOf } from '#server/features/feedback/feedback.rows.ts';
import { feedbackOf, takeFeedback } from '#server/features/feedback/feedback.service.ts';
import { keyOf } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const feedbackHandlers = (services: Services): HandlersOf<typeof feedbackEndpoints> => {
  const { db, now } = services;
  const feedback = feedbackOf(services);
  return {
    sendFeedback: async ({ params, body, actor, request, reply }) => {
      const version = await feedback.version(actor, params.id);
      const change = { id: keyOf(request), version: 1, at: now().toISOString(), command: 'feedback.rate', args: { ...body, version } } as const;
      await receive(services, { actor, request, reply }, [change], () => takeFeedback(db, actor, params.id, [change], now()));
      return { data: { message: 'Thank you. Your feedback has been received.' } };
    },
    giveFeedback: async ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => takeFeedback(db, actor, params.id, body.changes, now())),
    ownFeedback: async ({ params, actor }) => ({ data: await ownFeedbackOf(db, actor, params.id) }),
    listFeedback: ({ query, actor }) => feedbackPage(db, actor, query),
    feedbackSummary: async ({ query, actor }) => ({ data: await feedbackSummaryOf(db, actor, query, now()) }),
    answerFeedback: async ({ params, body, actor }) => ({ data: await feedback.answer(actor, params.id, body) }),
  };
};
