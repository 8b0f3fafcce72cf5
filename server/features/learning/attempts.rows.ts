import type { Attempt } from '#contract/entities/attempt.ts';
import { type Db, instant, often, sql } from '#server/db/sql.ts';
import { visiblePerson } from '#server/db/seen.ts';
import type { Actor } from '#server/actor.ts';
import { isCertified } from '#server/features/results/results.rows.ts';

/** The number of sessions of a package, besides the current one, that are returned with their data. */
const sessionsWithData = 3;
const scormJson = sql`coalesce((select json_agg(json_build_object('item_id', i.item_id, 'resume', i.resume, 'sessions', i.sessions)) from (
  select s.item_id, r.session_id as resume, json_agg(json_build_object('session_id', s.session_id, 'at', ${instant(sql`s.at`)}, 'ticks', s.ticks, 'ended', s.ended, 'seconds', s.seconds,
    'completion', s.completion, 'success', s.success, 'score', s.score, 'percent', s.percent,
    'cmi', case when s.nth <= ${sessionsWithData} or s.session_id = r.session_id then s.cmi else '{}' end) order by s.nth) as sessions
  from (select *, row_number() over (partition by item_id order by at desc) as nth from scorm_sessions where attempt_id = a.id) s
  left join scorm_resumes r on r.attempt_id = a.id and r.item_id = s.item_id group by s.item_id, r.session_id) i), '[]')`;
const h5pJson = sql`coalesce((select json_agg(json_build_object('item_id', i.item_id, 'state', t.state, 'statements', i.statements, 'completed', coalesce(f.completed, false), 'score', f.score)) from (
  select item_id, sum(n)::int as statements from (select item_id, 1 as n from h5p_statements where attempt_id = a.id union all select item_id, 0 from h5p_states where attempt_id = a.id) told group by item_id) i
  left join h5p_states t on t.attempt_id = a.id and t.item_id = i.item_id left join h5p_facts f on f.attempt_id = a.id and f.item_id = i.item_id), '[]')`;

/** An attempt in the contract's shape, built by the database in one statement because it is the most frequent read. */
const attemptJson = sql`json_build_object(
  'id', a.id, 'user_id', a.user_id, 'content_id', a.content_id, 'content_version', a.content_version, 'content_title', c.title,
  'course_id', k.id, 'course_title', k.title, 'try_no', a.try_no, 'state', a.state, 'closed', a.closed_at is not null,
  'percent', a.percent, 'score', a.score, 'passed', a.passed, 'started_at', ${instant(sql`a.started_at`)}, 'completed_at', ${instant(sql`a.completed_at`)},
  'last_topic_id', a.last_topic_id, 'rev', a.rev,
  'progress', coalesce((select json_agg(json_build_object('topic_id', p.topic_id, 'state', p.state, 'percent', p.percent, 'completed_at', ${instant(sql`p.completed_at`)}, 'seconds', p.seconds)) from topic_progress p where p.attempt_id = a.id), '[]'),
  'submissions', coalesce((select json_agg(json_build_object('id', s.id, 'quiz_id', s.quiz_id, 'try_no', s.try_no, 'score', s.score, 'passed', s.passed, 'submitted_at', ${instant(sql`s.submitted_at`)}, 'received_at', ${instant(sql`s.received_at`)}, 'outcomes', s.outcomes) order by s.quiz_id, s.try_no) from quiz_submissions s where s.attempt_id = a.id), '[]'),
  'answers', coalesce((select json_agg(json_build_object('quiz_id', d.quiz_id, 'try_no', d.try_no, 'question_id', d.question_id, 'answer', d.answer)) from draft_answers d where d.attempt_id = a.id
    and not exists (select 1 from quiz_submissions s where s.attempt_id = d.attempt_id and s.quiz_id = d.quiz_id and s.try_no = d.try_no)), '[]'),
  'scorm', ${scormJson}, 'h5p', ${h5pJson},
  'result', (select json_build_object('id', r.id, 'completed_at', ${instant(sql`r.completed_at`)}, 'expires_at', ${instant(sql`r.expires_at`)}, 'score', r.score, 'certificate', ${isCertified}) from results r where r.status = 'approved' and r.attempt_id = a.id)
)`;
const source = sql`attempts a join content_titles c on c.id = a.content_id join course_titles k on k.id = c.course_id join users u on u.id = a.user_id`;

/** An attempt visible to the actor, as JSON text from the database, or undefined. */
export const attemptText = async (db: Db, actor: Actor, id: string): Promise<{ text: string; rev: number } | undefined> =>
  db.one<{ text: string; rev: number }>(
    often(sql`select ${attemptJson}::text as text, a.rev from ${source} where a.id = ${id} and ${visiblePerson(actor)}`),
  );

export const attemptById = async (db: Db, actor: Actor, id: string): Promise<Attempt | undefined> =>
  (await db.one<{ attempt: Attempt }>(often(sql`select ${attemptJson} as attempt from ${source} where a.id = ${id} and ${visiblePerson(actor)}`)))
    ?.attempt;

export const attemptsOf = async (db: Db, actor: Actor, userId: string, contentId: string | undefined): Promise<Attempt[]> =>
  (
    await db.all<{ attempt: Attempt }>(sql`select ${attemptJson} as attempt from ${source}
    where a.user_id = ${userId} and ${visiblePerson(actor)} and ${contentId ? sql`a.content_id = ${contentId}` : sql`true`} order by a.started_at desc, a.try_no desc limit 200`)
  ).map((r) => r.attempt);

export const currentAttemptOf = async (db: Db, actor: Actor): Promise<Attempt | null> =>
  (
    await db.one<{ attempt: Attempt }>(
      sql`select ${attemptJson} as attempt from ${source} where a.user_id = ${actor.user.uuid} and a.state = 'open' and a.closed_at is null order by a.updated_at desc limit 1`,
    )
  )?.attempt ?? null;

/** The number of a person's next try at a content: above all existing and removed ones. */
export const nextTryOf = async (db: Db, userId: string, contentId: string): Promise<number> =>
  (
    await db.one<{ next: number }>(sql`select 1 + greatest(
      coalesce((select max(try_no) from attempts where user_id = ${userId} and content_id = ${contentId}), 0),
      coalesce((select highest from removed_tries where user_id = ${userId} and content_id = ${contentId}), 0)) as next`)
  )?.next ?? 1;
