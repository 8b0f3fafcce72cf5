import type { InspectionDocument } from '#contract/entities/inspection.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';
import { dayIn } from '#contract/rules/days.ts';

type Policy = {
  content_id: string;
  course_id: string;
  title: string;
  version: number;
  published_at: string;
  block: string;
  text: string;
  page: string;
  blocks: number;
  /** The organisations whose people take it; null if all that have the course do. */
  taken_at: string[] | null;
};
type Signature = { content_id: string; block: string; user_id: string; version: number; at: string; name: string | null };
type Person = { id: string; name: string; place: { id: string; name: string } };

/**
 * The texts to read and sign in the courses, as published now, and who of the people has signed them: their latest signature, of any
 * version. People who must sign (`required`) and have not are listed without one; except those who have taken another content of the
 * course.
 */
export const policiesOf = async (
  tx: Db,
  people: readonly Person[],
  courses: readonly { id: string; title: string }[],
  required: (person: number, course: number) => boolean,
  zone: string,
  at: Date,
): Promise<NonNullable<InspectionDocument['policies']>> => {
  const places = new Map(courses.map(({ id }, c) => [id, c]));
  const policies = await tx.all<Policy>(sql`select c.id as content_id, c.course_id, v.document->>'title' as title, v.version,
      ${instant(sql`v.published_at`)} as published_at, b.block->>'id' as block, b.block->>'text' as text,
      g.page->>'title' as page, (count(*) over (partition by c.id))::int as blocks,
      case when c.entity_id <> k.entity_id then array(select e.below::text from entity_below e where e.above = c.entity_id) end as taken_at
    from contents c
    join course_titles k on k.id = c.course_id
    join content_versions v on v.content_id = c.id and v.version = c.current_version
    cross join lateral jsonb_array_elements(v.document->'design'->'pages') with ordinality g (page, place)
    cross join lateral jsonb_path_query(g.page, '$.rows[*].blocks[*] ? (@.kind == "acknowledgement")') with ordinality b (block, place)
    where c.designed and c.published and not c.admin_only and c.deleted_at is null and c.course_id = any(${courses.map((c) => c.id)}::uuid[])
    order by lower(v.document->>'title'), c.id, g.place, b.place`);
  const signatures =
    policies.length === 0
      ? []
      : await tx.all<Signature>(sql`select distinct on (w.content_id, w.block, a.user_id) w.content_id, w.block, a.user_id, a.content_version as version,
            ${instant(sql`p.completed_at`)} as at, (select d.answer->>'text' from draft_answers d
              where d.attempt_id = a.id and d.question_id = p.topic_id order by d.at desc limit 1) as name
          from unnest(${policies.map((p) => p.content_id)}::uuid[], ${policies.map((p) => p.block)}::uuid[]) as w (content_id, block)
          join attempts a on a.content_id = w.content_id and a.user_id = any(${people.map((p) => p.id)}::uuid[])
          join topic_progress p on p.attempt_id = a.id and p.topic_id = w.block and p.state = 'completed'
          order by w.content_id, w.block, a.user_id, p.completed_at desc nulls last, a.content_version desc`);
  /** The contents that somebody is taking, or has completed, by person and course: their choice among those of the course. */
  const taken = new Map(
    policies.length === 0
      ? []
      : (
          await tx.all<{ key: string; contents: string[] }>(sql`with w as (
              select c.id, c.course_id from contents c where c.course_id = any(${policies.map((p) => p.course_id)}::uuid[]) and c.published and not c.admin_only and c.deleted_at is null)
            select x.user_id || ' ' || w.course_id as key, array_agg(distinct w.id::text) as contents from w join (
                select a.user_id, a.content_id from attempts a where a.user_id = any(${people.map((p) => p.id)}::uuid[]) and a.state = 'open'
                union all select r.user_id, r.content_id from current_results r join users u on u.id = r.user_id
                where r.user_id = any(${people.map((p) => p.id)}::uuid[]) and (r.expires_at is null or not is_over(r.expires_at, ${at}, (select h.time_zone from entity_names h where h.id = u.primary_entity_id)))) x on x.content_id = w.id
            group by x.user_id, w.course_id`)
        ).map(({ key, contents }) => [key, contents]),
  );
  const signed = new Map(signatures.map((s) => [`${s.content_id} ${s.block} ${s.user_id}`, s]));
  return policies.map(({ content_id, block, course_id, title, page, blocks, taken_at, text, version, published_at }) => {
    const course = places.get(course_id) ?? 0;
    return {
      ...{
        title: blocks > 1 ? `${title}: ${page}` : title,
        text,
        version,
        course: courses[course]?.title ?? '',
        published_on: dayIn(published_at, zone),
      },
      people: people.flatMap((person, row) => {
        const signature = signed.get(`${content_id} ${block} ${person.id}`);
        const chosen = taken.get(`${person.id} ${course_id}`);
        const takesIt = (taken_at === null || taken_at.includes(person.place.id)) && (!chosen || chosen.includes(content_id));
        if (!signature && !(takesIt && required(row, course))) return [];
        return {
          ...{ person: person.name, service: person.place.name, signed_as: signature?.name || null },
          ...{ signed_on: signature ? dayIn(signature.at, zone) : null, version: signature?.version ?? null },
        };
      }),
    };
  });
};
