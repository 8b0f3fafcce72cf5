import { authoredTypes, type ContentOverview, type ContentType } from '#contract/entities/authored-content.ts';
import { countOf } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { composed } from '#server/features/content-creator/compose.rows.ts';
import { publishedVersion, sameForLearners, seen } from '#server/features/content-creator/contents.rows.ts';
import { courseOf } from '#server/features/content-creator/courses.rows.ts';
import { type PartKind, partSource } from '#server/features/content-creator/parts.rows.ts';
import { openFeedback } from '#server/features/feedback/feedback.rows.ts';
import type { Actor } from '#server/actor.ts';

/** Unpublished changes are looked for only where something was edited since publishing: the maximum number of contents assembled for it. */
const mostCompared = 100;
/** How many of everything there are, and which of the organisation's own e-learning has unpublished changes. */
export const contentOverviewOf = async (on: Db, actor: Actor): Promise<ContentOverview> => {
  const types = await on.all<{ type: ContentType; n: number }>(
    sql`select c.type, count(*)::int as n from contents c join course_titles k on k.id = c.course_id where ${seen(actor)} group by c.type`,
  );
  const parts = (kind: PartKind) => {
    const { from, where } = partSource(kind, actor);
    return countOf(on, sql`${from} where ${where}`);
  };
  const ownCourses = sql`c.deleted_at is null and c.type = 'elearning' and c.entity_id = ${actor.place.id}`;
  const touched = await on.all<ContentOverview['changed'][number]>(sql`select c.id, c.title, c.designed from contents c
    join content_versions v on v.content_id = c.id and v.version = c.current_version
    cross join lateral (select greatest(c.updated_at,
      (select max(l.updated_at) from content_lessons x join lessons l on l.id = x.lesson_id where x.content_id = c.id),
      (select max(t.updated_at) from content_lessons x join lesson_topics y on y.lesson_id = x.lesson_id join topics t on t.id = y.topic_id where x.content_id = c.id),
      (select max(q.updated_at) from content_quizzes x join quizzes q on q.id = x.quiz_id where x.content_id = c.id)) as at) last
    where ${ownCourses} and c.published and last.at > v.published_at order by last.at desc, c.id limit ${mostCompared}`);
  const changed: ContentOverview['changed'] = [];
  for (const content of touched) {
    const working = await composed(on, content.id);
    if (working && !sameForLearners(working, await publishedVersion(on, content.id))) changed.push(content);
  }
  return {
    courses: await countOf(on, sql`courses k where ${courseOf(actor)}`),
    contents: Object.fromEntries(authoredTypes.map((type) => [type, types.find((t) => t.type === type)?.n ?? 0])) as ContentOverview['contents'],
    ...{ lessons: await parts('lesson'), topics: await parts('topic'), quizzes: await parts('quiz') },
    h5ps: await countOf(on, sql`h5ps h where ${actor.seesAll ? sql`true` : sql`h.entity_id = ${actor.place.id}`}`),
    drafts: await countOf(on, sql`contents c where ${ownCourses} and not c.published and c.current_version = 0`),
    changed,
    feedback: await openFeedback(on, actor),
  };
};
