import type { attemptEndpoints } from '#contract/api/attempts.ts';
import type { AttemptChange } from '#contract/commands/attempt-commands.ts';
import type { QuizSubmission } from '#contract/entities/attempt.ts';
import { existing } from '#server/db/rows.ts';
import { attemptText, currentAttemptOf } from '#server/features/learning/attempts.rows.ts';
import { attemptActionsOf } from '#server/features/learning/attempts.service.ts';
import { attemptQueued } from '#server/features/learning/queued.ts';
import { refusalsOf } from '#server/features/learning/refusals.service.ts';
import { keyOf, requireActor } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const attemptHandlers = (services: Services): HandlersOf<typeof attemptEndpoints> => {
  const { db, now } = services;
  const take = attemptQueued(services);
  const attempts = attemptActionsOf(services);
  const refusals = refusalsOf(services);
  const etag = (rev: number) => ({ ETag: `"${rev}"` });

  return {
    listAttempts: async ({ params, query, actor }) => ({ data: await attempts.list(actor, params.id, query.content_id) }),
    createAttempt: async ({ params, body, actor, request, reply }) => {
      requireActor(request, actor);
      existing(params.id === actor.user.uuid);
      const { id, version } = await attempts.toStart(actor, body.content_id);
      const change: AttemptChange = {
        id: keyOf(request),
        version: 1,
        at: now().toISOString(),
        command: 'attempt.start',
        args: { content_id: body.content_id, content_version: version },
      };
      const { data, headers } = await receive(services, { actor, request, reply }, [change], () => take(actor, id, [change]));
      return { data, headers };
    },
    retakeAttempt: async ({ params, actor }) => {
      const attempt = await attempts.retake(actor, params.id);
      return { data: attempt, headers: etag(attempt.rev) };
    },
    currentAttempt: async ({ actor }) => ({ data: await currentAttemptOf(db, actor) }),
    getAttempt: async ({ params, actor, request }) => {
      const found = existing(await attemptText(db, actor, params.id));
      const headers = etag(found.rev);
      return request.headers['if-none-match'] === headers.ETag ? { text: '', headers, status: 304 } : { text: found.text, headers };
    },
    updateAttempt: async ({ params, body, actor, request, reply }) => {
      const at = now().toISOString();
      const changes: AttemptChange[] =
        'changes' in body
          ? body.changes
          : [
              {
                id: keyOf(request),
                version: 1,
                at,
                base_rev: body.base_rev,
                command: 'attempt.progress',
                args: {
                  topic_id: body.topic_id,
                  state: body.state,
                  percent: body.percent ?? (body.state === 'completed' ? 100 : 0),
                  seconds: body.seconds ?? {},
                },
              },
            ];
      return receive(services, { actor, request, reply }, changes, () => take(actor, params.id, changes));
    },
    deleteAttempt: ({ params, actor }) => attempts.remove(actor, params.id),
    takeQuiz: async ({ body, actor, request, reply }) => {
      requireActor(request, actor);
      const attempt = await attempts.own(actor, body.attempt_id);
      const id = keyOf(request);
      const change: AttemptChange = {
        id,
        version: 1,
        at: now().toISOString(),
        command: 'attempt.submit_quiz',
        args: { quiz_id: body.quiz_id, try_no: body.try_no, content_version: attempt.content_version, answers: body.answers },
      };
      const { data } = await receive(services, { actor, request, reply }, [change], () => take(actor, attempt.id, [change]));
      return { data: data.submissions.find((s) => s.id === id) as QuizSubmission };
    },
    listRefusals: async ({ params, actor }) => ({ data: await refusals.of(actor, params.id) }),
  };
};
