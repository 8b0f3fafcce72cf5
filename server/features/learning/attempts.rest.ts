import type { attemptEndpoints } from '#contract/api/attempts.ts';
import type { Attempt, QuizSubmission } from '#contract/entities/attempt.ts';
import type { AttemptChange } from '#contract/commands/attempt-commands.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { existing } from '#server/db/rows.ts';
import { sql } from '#server/db/sql.ts';
import { attemptById, attemptsOf, attemptText, currentAttemptOf, nextTryOf } from '#server/features/learning/attempts.rows.ts';
import { contentDocumentOf, prerequisitesMet } from '#server/features/learning/contents.rows.ts';
import { attemptQueued } from '#server/features/learning/queued.ts';
import { refusalsOf } from '#server/features/learning/refusals.service.ts';
import { personAt } from '#server/db/seen.ts';
import { ProductError } from '#server/product-error.ts';
import { keyOf, requireActor } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const attemptHandlers = (services: Services): HandlersOf<typeof attemptEndpoints> => {
  const { db, now } = services;
  const take = attemptQueued(services);
  const etag = (rev: number) => ({ ETag: `"${rev}"` });

  return {
    listAttempts: async ({ params, query, actor }) => {
      await personAt(db, actor, params.id);
      return { data: await attemptsOf(db, actor, params.id, query.content_id) };
    },
    createAttempt: async ({ params, body, actor, request, reply }) => {
      requireActor(request, actor);
      existing(params.id === actor.user.uuid);
      const document = existing(await contentDocumentOf(db, actor, body.content_id));
      const open = await db.one<{ id: string }>(
        sql`select id from attempts where user_id = ${params.id} and content_id = ${body.content_id} and closed_at is null order by try_no desc limit 1`,
      );
      const id = open?.id ?? (await attemptIdOf(params.id, body.content_id, await nextTryOf(db, params.id, body.content_id)));
      const change: AttemptChange = {
        id: keyOf(request),
        version: 1,
        at: now().toISOString(),
        command: 'attempt.start',
        args: { content_id: body.content_id, content_version: document.version },
      };
      const { data, headers } = await receive(services, { actor, request, reply }, [change], () => take(actor, id, [change]));
      return { data, headers };
    },
    retakeAttempt: async ({ params, actor }) =>
      db.tx(async (tx) => {
        await lockEntity(tx, params.id);
        const before = existing(
          await tx.one<{ content_id: string; try_no: number; closed_at: string | null }>(
            sql`select content_id, try_no, closed_at from attempts where id = ${params.id} and user_id = ${actor.user.uuid}`,
          ),
        );
        if (before.closed_at !== null) throw new ProductError('attempt_closed');
        const document = existing(await contentDocumentOf(tx, actor, before.content_id));
        if (!prerequisitesMet(document.prerequisites)) throw new ProductError('prerequisite_missing');
        const tryNo = await nextTryOf(tx, actor.user.uuid, before.content_id);
        const id = await attemptIdOf(actor.user.uuid, before.content_id, tryNo);
        await tx.run(sql`update attempts set closed_at = ${now()}, rev = rev + 1 where id = ${params.id}`);
        await tx.run(
          sql`insert into attempts (id, user_id, content_id, content_version, try_no, started_at) values (${id}, ${actor.user.uuid}, ${before.content_id}, ${document.version}, ${tryNo}, ${now()})`,
        );
        const attempt = (await attemptById(tx, actor, id)) as Attempt;
        return { data: attempt, headers: etag(attempt.rev) };
      }),
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
    deleteAttempt: async ({ params, actor }) => {
      const attempt = existing(await attemptById(db, actor, params.id));
      if (attempt.result) throw new ProductError('attempt_closed', { message: 'This attempt has a result. Delete the training record first.' });
      await db.tx(async (tx) => {
        await tx.run(sql`insert into removed_tries (user_id, content_id, highest) values (${attempt.user_id}, ${attempt.content_id}, ${attempt.try_no})
          on conflict (user_id, content_id) do update set highest = greatest(removed_tries.highest, excluded.highest)`);
        await tx.run(sql`delete from attempts where id = ${params.id}`);
      });
    },
    takeQuiz: async ({ body, actor, request, reply }) => {
      requireActor(request, actor);
      const attempt = await attemptById(db, actor, body.attempt_id);
      if (!attempt || attempt.user_id !== actor.user.uuid) throw new ProductError('not_found');
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
    listRefusals: async ({ params, actor }) => {
      await personAt(db, actor, params.id);
      return { data: await refusalsOf(services).of(params.id) };
    },
  };
};
