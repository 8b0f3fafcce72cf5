import type { feedbackSummary, listFeedback } from '#contract/api/feedback.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import {
  type FeedbackKind,
  type FeedbackLine,
  type FeedbackSummary,
  fewestForAverage,
  type OwnFeedback,
  ratingMonths,
} from '#contract/entities/feedback.ts';
import type { TitleRef } from '#contract/entities/authored-parts.ts';
import { dayIn } from '#contract/rules/days.ts';
import { contains, pageOf } from '#server/db/rows.ts';
import { hasCourseHere } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { own, seen } from '#server/features/content-creator/contents.rows.ts';
import type { Actor } from '#server/actor.ts';

const written = sql`coalesce(f.written_at, f.created_at)`;
const columns = sql`f.id, f.content_id, f.kind, f.rating, f.what, f.message, f.place, f.version, f.state, ${instant(written)} as at, ${instant(sql`f.created_at`)} as received_at,
  coalesce((select json_agg(json_build_object('id', a.id, 'by', json_build_object('id', p.id, 'name', p.name), 'state', a.state, 'message', a.message,
      'mended_in', a.mended_in, 'at', ${instant(sql`a.at`)}) order by a.no)
    from feedback_answers a join person_names p on p.id = a.by_id where a.feedback_id = f.id), '[]'::json) as answers`;

/** The actor's own feedback on a content, newest first; or only this entry. */
export const ownFeedbackOf = (on: Db, actor: Actor, content: string, id?: string): Promise<OwnFeedback[]> =>
  on.all<OwnFeedback>(sql`select ${columns} from feedback f where f.content_id = ${content} and f.user_id = ${actor.user.uuid}
    and ${id === undefined ? sql`true` : sql`f.id = ${id}`} order by ${written} desc, f.id limit 200`);

/** Feedback `f` of the actor's people `u` on contents `c`: of nobody else, even where a content is shared. */
const source = (actor: Actor): Statement => sql`feedback f join contents c on c.id = f.content_id join course_titles k on k.id = c.course_id
  join users u on u.id = f.user_id and ${actor.seesAll ? sql`true` : sql`u.primary_entity_id = any(${[...actor.entityIds]}::uuid[])`}`;
const lineColumns = (
  actor: Actor,
) => sql`${columns}, json_build_object('id', u.id, 'name', u.name) as person, json_build_object('id', k.id, 'title', k.title) as course,
  json_build_object('id', c.id, 'title', c.title, 'type', c.type, 'designed', c.designed, 'version', c.current_version, 'editable', ${own(actor)} and c.deleted_at is null) as content,
  (select count(*)::int from feedback_answers a where a.feedback_id = f.id) as rev`;
const isOpen = sql`f.state in ('open', 'looked_at')`;
/** A rating without words is anonymous: it is only counted. */
const saysSomething = sql`(f.kind <> 'rating' or f.message <> '')`;
const subjectOf = ({ content_id, course_id }: QueryOf<typeof feedbackSummary>): Statement =>
  sql`${content_id ? sql`f.content_id = ${content_id}` : sql`true`} and ${course_id ? sql`c.course_id = ${course_id}` : sql`true`}`;

const standing = {
  open: isOpen,
  answered: sql`exists (select 1 from feedback_answers a where a.feedback_id = f.id) and not ${isOpen}`,
  unanswered: sql`f.state = 'received'`,
};
export const feedbackPage = (on: Db, actor: Actor, query: QueryOf<typeof listFeedback>) => {
  const { filter, kind, rating, search } = query;
  const where = sql`${saysSomething} and ${subjectOf(query)} and ${filter ? standing[filter] : sql`true`} and ${kind ? sql`f.kind = ${kind}` : sql`true`}
    and ${rating ? sql`f.rating = ${rating}` : sql`true`} and ${contains([sql`f.message`, sql`u.name`, sql`c.title`], search)}`;
  return pageOf<FeedbackLine>(on, '/learner-feedback', query, {
    columns: lineColumns(actor),
    from: source(actor),
    where,
    order: sql`${isOpen} desc, ${written} desc, f.id`,
  });
};
/** One person's feedback if they are one of the actor's people, or nothing. */
export const feedbackLine = (on: Db, actor: Actor, id: string): Promise<FeedbackLine | undefined> =>
  on.one<FeedbackLine>(sql`select ${lineColumns(actor)} from ${source(actor)} where f.id = ${id} and ${saysSomething}`);

/** How many of each kind wait for an author. */
export const openFeedback = async (on: Db, actor: Actor, which: Statement = sql`true`): Promise<FeedbackSummary['open']> => {
  const rows = await on.all<{ kind: Exclude<FeedbackKind, 'rating'>; n: number }>(
    sql`select f.kind, count(*)::int as n from ${source(actor)} where ${isOpen} and ${which} group by f.kind`,
  );
  return { question: 0, problem: 0, ...Object.fromEntries(rows.map(({ kind, n }) => [kind, n])) };
};

type Rated = { people: number; average: number; stars: number[] };
const rated = sql`count(distinct user_id)::int as people, round(avg(rating), 1)::float8 as average,
  array[count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3), count(*) filter (where rating = 4), count(*) filter (where rating = 5)]::int[] as stars`;
/** The last months, newest last. */
const monthsTo = (now: Date, zone: string): string[] => {
  const [year = 0, month = 1] = dayIn(now, zone).split('-').map(Number);
  return Array.from({ length: ratingMonths }, (_, i) => new Date(Date.UTC(year, month - ratingMonths + i, 1)).toISOString().slice(0, 7));
};
/** The ratings of contents by the actor's people; the newest rating of each person and content counts, in a month the newest of that month. */
export const feedbackSummaryOf = async (on: Db, actor: Actor, query: QueryOf<typeof feedbackSummary>, now: Date): Promise<FeedbackSummary> => {
  const zone = actor.user.time_zone;
  const months = monthsTo(now, zone);
  const ratingRows = sql`select f.id, f.user_id, f.content_id, f.rating, ${written} as at, to_char(${written} at time zone ${zone}, 'YYYY-MM') as month
    from ${source(actor)} where f.kind = 'rating' and ${subjectOf(query)}`;
  const newest = (each: Statement) => sql`(select distinct on (${each}) g.* from (${ratingRows}) g order by ${each}, g.at desc, g.id) newest`;
  const whole = await on.one<Rated>(sql`select ${rated} from ${newest(sql`g.user_id, g.content_id`)}`);
  const byMonth = new Map(
    (
      await on.all<Rated & { month: string }>(
        sql`select month, ${rated} from ${newest(sql`g.month, g.user_id, g.content_id`)} where month >= ${months[0] ?? ''} group by month`,
      )
    ).map((m) => [m.month, m]),
  );
  const enough = (rating: Rated | undefined) => (rating?.people ?? 0) >= fewestForAverage;
  const { content_id, course_id } = query;
  return {
    content:
      (content_id && (await on.one<TitleRef>(sql`select c.id, c.title from contents c where c.id = ${content_id} and ${seen(actor)}`))) || null,
    course:
      (course_id && (await on.one<TitleRef>(sql`select k.id, k.title from courses k where k.id = ${course_id} and ${hasCourseHere(actor)}`))) || null,
    people: whole?.people ?? 0,
    average: enough(whole) ? (whole?.average ?? null) : null,
    stars: enough(whole) ? (whole?.stars ?? null) : null,
    months: months.map((name) => {
      const found = byMonth.get(name);
      return { month: name, people: found?.people ?? 0, average: enough(found) ? (found?.average ?? null) : null };
    }),
    open: await openFeedback(on, actor, subjectOf(query)),
  };
};
