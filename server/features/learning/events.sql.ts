import { type Db, sql } from '#server/db/sql.ts';

/** One course on a person's home page: something to do, or something done. Times are ISO strings in UTC. */
export type LearnerEvent = {
  id: string;
  user_id: string;
  course_id: string;
  course_title: string;
  content_id: string | null;
  estimated_duration: number | null;
  delivery: string;
  compliance_type: 'primary' | 'secondary' | null;
  status: 'current' | 'overdue' | 'completed';
  due_at: string | null;
  completed_at: string | null;
  expires_at: string | null;
  score: number | null;
  result_id: string | null;
  attempt_id: string | null;
  percent: number;
  image: string | null;
};

/** What somebody has begun is what they go on with. */
const begun = sql`select 1 from attempts a where a.user_id = w.user_id and a.content_id = co.id and a.closed_at is null`;

/**
 * What some people have to do and have done. A course is *completed* while its latest result is in date and not about to
 * expire, *overdue* once its date has passed (the end of the starter period, or the expiry of the last result), and
 * *current* in between, or when somebody has begun it without having to.
 */
export const eventsOf = async (db: Db, userIds: readonly string[], now: Date): Promise<LearnerEvent[]> =>
  db.all<LearnerEvent>(sql`
    with people as (select u.id, u.role_id, u.started_on, u.primary_entity_id, e.starter_period_days, e.expiry_warning_days from users u join entities e on e.id = u.primary_entity_id where u.id = any(${[...userIds]}::uuid[])),
    places as (select distinct primary_entity_id, array(select entity_and_above(primary_entity_id)) as above from people),
    wanted as (
      select p.id as user_id, k.course_id, k.type as compliance_type from people p join compliance k on k.role_id = p.role_id
      union select p.id, c.course_id, null from people p join attempts a on a.user_id = p.id join contents c on c.id = a.content_id
        where not exists (select 1 from compliance k where k.role_id = p.role_id and k.course_id = c.course_id)
      union select p.id, r.course_id, null from people p join results r on r.user_id = p.id
        where not exists (select 1 from compliance k where k.role_id = p.role_id and k.course_id = r.course_id)),
    facts as (
      select w.user_id, w.course_id, w.compliance_type, c.title as course_title, c.delivery, p.expiry_warning_days,
        ct.id as content_id, (v.document ->> 'estimated_duration')::int as estimated_duration, v.document -> 'image' ->> 'url' as image,
        r.id as result_id, r.completed_at, r.expires_at, r.score, a.id as attempt_id, coalesce(a.percent, 0) as percent, a.state as attempt_state,
        coalesce(r.expires_at, case when r.id is null and w.compliance_type is not null then (p.started_on + p.starter_period_days)::timestamptz end) as due_at
      from wanted w join people p on p.id = w.user_id join courses c on c.id = w.course_id
      join places on places.primary_entity_id = p.primary_entity_id
      left join lateral (select co.id, co.current_version from contents co
        where co.course_id = c.id and co.type in ('elearning', 'scorm') and (
          co.published and co.deleted_at is null and (co.entity_id = c.entity_id or co.entity_id = any(places.above)) or exists (${begun}))
        order by exists (${begun}) desc, co.entity_id = any(places.above) desc, co.created_at desc, co.id limit 1) ct on true
      left join content_versions v on v.content_id = ct.id and v.version = ct.current_version
      left join lateral (select id, completed_at, expires_at, score from results where user_id = w.user_id and course_id = c.id order by completed_at desc limit 1) r on true
      left join lateral (select id, percent, state from attempts where user_id = w.user_id and content_id = ct.id and closed_at is null order by try_no desc limit 1) a on true)
    select course_id as id, user_id, course_id, course_title, content_id, estimated_duration, delivery, compliance_type,
      case when due_at is not null and due_at <= ${now} then 'overdue'
           when result_id is not null and (expires_at is null or expires_at > ${now}::timestamptz + make_interval(days => expiry_warning_days)) then 'completed'
           else 'current' end as status,
      due_at, completed_at, expires_at, score, result_id, attempt_id, percent, image
    from facts order by (due_at is null), due_at, course_title`);

/** How many courses of each kind, for some people at once. */
export const eventCountsOf = async (db: Db, userIds: readonly string[], now: Date) => {
  const counts = new Map<string, { current: number; overdue: number; completed: number }>();
  if (userIds.length === 0) return counts;
  for (const event of await eventsOf(db, userIds, now)) {
    const of = counts.get(event.user_id) ?? { current: 0, overdue: 0, completed: 0 };
    of[event.status]++;
    counts.set(event.user_id, of);
  }
  return counts;
};
