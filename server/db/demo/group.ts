import type { ContentDocument } from '#contract/entities/content.ts';
import { dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { hashPassword } from '#server/security/passwords.ts';

/**
 * A care group of the size of a real one, beside the small demo: forty homes of four kinds below Willowbrook Care Group, 3,000 people who work
 * there, leavers, 60 job roles, 200 courses, 60,000 results of three years, pathways, sessions with registers, two training companies. The same
 * numbers in every world of one size; dates are relative to `now`.
 */
export type GroupWorld = {
  /** How many people work there. Homes, sessions, bookings and orders grow with it. */
  people?: number;
  /** Says how far it has got. */
  say?: (words: string) => void;
};
/** The number of people of the world that a server can be filled with (`DEMO=group`). */
export const groupPeople = 3000;
/** Who can sign in there, besides the accounts of the small demo; `admin@willowbrook.test` sees all homes. */
export const groupAccounts = [
  { email: 'manager.1@willowbrook.test', who: 'manager of one of forty homes; manager.2 … manager.40 of the others' },
  { email: 'trainer.1@willowbrook.test', who: 'trainer of the group' },
  { email: 'admin@kestrel.test', who: 'administrator of another training company' },
] as const;

const kinds = [
  { kind: 'Residential', words: ['House', 'Lodge', 'Court'] },
  { kind: 'Nursing', words: ['Nursing Home', 'Manor', 'Grange'] },
  { kind: 'Home care', words: ['Home Care', 'Care at Home', 'Homecare Team'] },
  { kind: 'Supported living', words: ['Supported Living', 'Close', 'Mews'] },
] as const;
const places =
  'Ash Beech Birch Cedar Chestnut Elm Fern Hawthorn Hazel Heather Holly Ivy Juniper Larch Laurel Lilac Linden Maple Meadow Oak Orchard Pine Poplar Primrose Rowan Rose Rush Sorrel Spruce Sycamore Thorn Violet Walnut Willow Yew Brook Cliff Dale Harbour Mill'.split(
    ' ',
  );
const firstNames =
  'Amara Grace Liam Sophie Chidi Ewa Rhys Fatima Blessing Karolina Daniel Aisha Charlotte Mihai Nomvula Jade Siân Olu Joyce Rebecca Gurpreet Patrick Zofia Tariq Ben Precious Ivana Hannah Mohammed Eilidh Ruth Kwame Lucia Nia Samuel Olga Jacob Margaret Derek Yasmin Piotr Teresa Alisha Bogdan Oluwaseun Emily Noah Priyanka Tomas Leila'.split(
    ' ',
  );
const lastNames =
  'Okafor Patel Davies Murphy Evans Khan Nowak Begum Chukwu Osei Hughes Popescu Dlamini Robinson Griffiths Bakare Mensah Shaw Kaur O’Neill Wiśniewska Hussain Tchouameni Carter Sibanda Petrović Lewis Rahman MacDonald Abernathy Boateng Fernandes Thomas Ade Marchenko Varghese Sinclair Santos Holloway Aziz Lewandowski Baxter Gomes Grant Kamau Nguyễn Radu Featherstone Li Haddad Wright Ahmed Walker Green Baker Ali Hall Turner Cooper Ward Morgan Singh Clarke James Cook Moore Bell'.split(
    ' ',
  );
/** Each once for every kind of home, with how many of a hundred people have it. */
const roleBases: readonly [string, number][] = [
  ['Care assistant', 44],
  ['Night carer', 12],
  ['Senior carer', 10],
  ['Team leader', 5],
  ['Deputy manager', 2],
  ['Activities coordinator', 3],
  ['Support worker', 9],
  ['Housekeeper', 5],
  ['Laundry assistant', 2],
  ['Kitchen assistant', 3],
  ['Maintenance', 2],
  ['Receptionist', 2],
  ['Volunteer driver', 1],
];
/** A job role of nobody, of which nothing is required either. */
const roleOfNobody = 'Regional manager';
const topics =
  'Autism|Bed rails|Behaviour that challenges|Bereavement|Blood glucose|Bowel care|Catheter care|Choking|Consent|Continence|Covert medicines|Deaf awareness|Delirium|Depression|Deprivation of liberty|Diabetes|Dignity|Dysphagia|Eating and drinking|End of life|Epilepsy|Falls|First contact|Fluids|Frailty|Hoists|Incident reporting|Insulin|Learning disability|Legionella|Loneliness|Lone visits|Medicines in the home|Mental health|Mouth care|Observations|Oxygen|Pain|Parkinson’s|Pressure ulcers|Restraint|Sepsis|Sight loss|Stroke'.split(
    '|',
  );
const forms = ['an introduction', 'in practice', 'refresher', 'for those who lead'] as const;
const months = [12, 24, 36, 12, 36, 24] as const;

/** The titles of the courses of the small demo that everybody has to do. */
const everybodys = [
  ...['Infection prevention and control', 'Fire safety', 'Safeguarding adults', 'Health and safety awareness', 'Moving and handling objects'],
  ...['Learning disability and autism', 'Equality, diversity and human rights', 'Data protection'],
];
const perHome = 75;
const daysOfHistory = 1095;
const peopleAtOnce = 5000;
/** People whose results are made in one statement. */
const resultsOf = 500;

/** An id that is always the same for the same text, made by the database. */
const idOf = (text: Statement): Statement => sql`overlay(overlay(md5('lantern-group:' || ${text}) placing '4' from 13) placing 'a' from 17)::uuid`;
/** A number from 0 up to 1 that is always the same for the same text, made by the database. */
const luckOf = (text: Statement): Statement => sql`(('x' || substr(md5(${text}), 1, 7))::bit(28)::int / 268435456.0)`;
const luck = (text: string) => Number.parseInt(demoId(`group:${text}`).slice(0, 8), 16) / 0x1_0000_0000;
const pick = <T>(all: readonly T[], at: number): T => all[Math.floor(at * all.length) % all.length] as T;
const rowsFrom = (rows: readonly object[]): Statement => sql`${JSON.stringify(rows)}::jsonb`;
/** The last second of a day in the organisation's time zone. */
const dayEnd = (day: Statement): Statement => sql`((${day} + 1)::timestamp at time zone ${defaultTimeZone}::text - interval '1 second')`;

/** A course of one page, as its authors would publish it. */
const pageOf = (id: string, course: { id: string; title: string }): ContentDocument => ({
  ...{
    id,
    version: 1,
    title: course.title,
    type: 'elearning',
    course: { ...course, short_title: course.title },
    aims: `What matters about ${course.title}.`,
  },
  ...{ outcomes: [], image: null, estimated_duration: 20, cpd_accredited: false, accepts_late_progress: true, quizzes: [], prerequisites: [] },
  lessons: [
    {
      ...{ id: demoId(`group lesson:${course.id}`), title: course.title, question_qty: 0 },
      topics: [
        {
          ...{ id: demoId(`group topic:${course.id}`), title: course.title, hidden: false, skippable: false, is_child: false, parent_id: null },
          blocks: [
            {
              kind: 'text',
              doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: `What you need to know: ${course.title}.` }] }] },
            },
          ],
        },
      ],
    },
  ],
});

type Home = { id: string; no: number; kind: number; name: string; size: number };
const homesOf = (people: number): Home[] => {
  const count = Math.max(kinds.length, Math.round(people / perHome));
  const weights = Array.from({ length: count }, (_, h) => 0.4 + 1.2 * luck(`size:${h}`));
  const sum = weights.reduce((a, b) => a + b, 0);
  let given = 0;
  return weights.map((weight, h) => {
    const size = h === count - 1 ? people - given : Math.max(1, Math.round((people * weight) / sum));
    given += size;
    const round = Math.floor(h / places.length);
    const { words } = kinds[h % kinds.length] as (typeof kinds)[number];
    const name = `${places[h % places.length]} ${words[Math.floor(h / kinds.length) % words.length]}${round > 0 ? ` ${round + 1}` : ''}`;
    return { id: demoId(`group home:${h}`), no: h + 1, kind: h % kinds.length, name, size };
  });
};
const slugOf = (name: string, no: number) => `${name.toLowerCase().replace(/[^a-z]+/g, '-')}-${no}`;

const group = demoId('entity:group');
const typeId = (key: string) => demoId(`type:group:${key}`);
const roleId = (base: string, kind: number) => demoId(`group role:${base}:${kind}`);
const trainersOf = (people: number) => Math.max(2, Math.round(people / 500));
const trainerId = (n: number) => demoId(`group trainer:${n}`);
const companies = [
  { id: demoId('entity:brightpath'), person: demoId('user:admin@brightpath.test'), prefix: 'BP-G' },
  { id: demoId('entity:kestrel'), person: demoId('user:admin@kestrel.test'), prefix: 'KT-' },
] as const;

const fillPlaces = async (tx: Db, now: Date, homes: readonly Home[], password: string): Promise<void> => {
  await tx.run(sql`insert into entities (id, name, slug, level, parent_id, email, created_at)
    select h.id, h.name, h.slug, 'B', ${group}, 'hello@' || h.slug || '.test', ${now}::timestamptz - make_interval(days => ${daysOfHistory})
    from jsonb_to_recordset(${rowsFrom(homes.map(({ id, name, no }) => ({ id, name, slug: slugOf(name, no) })))}) h (id uuid, name text, slug text)`);
  const kindTags = kinds.map(({ kind }, k) => ({ id: demoId(`group tag:${k}`), name: kind }));
  await tx.run(
    sql`insert into tags (id, entity_id, name) select t.id, ${group}, t.name from jsonb_to_recordset(${rowsFrom(kindTags)}) t (id uuid, name text)`,
  );
  await tx.run(sql`insert into tag_entities (tag_id, entity_id) select x.tag, x.home
    from jsonb_to_recordset(${rowsFrom(homes.map((h) => ({ home: h.id, tag: kindTags[h.kind]?.id })))}) x (home uuid, tag uuid)`);
  const roles = roleBases.flatMap(([base]) => kinds.map(({ kind }, k) => ({ id: roleId(base, k), name: `${base}, ${kind.toLowerCase()}` })));
  await tx.run(sql`insert into roles (id, entity_id, name) select r.id, ${group}, r.name
    from jsonb_to_recordset(${rowsFrom([...roles, { id: demoId(`group role:${roleOfNobody}`), name: roleOfNobody }])}) r (id uuid, name text)`);
  // The second training company, with somebody to sign in there.
  const [, kestrel] = companies;
  await tx.run(sql`insert into entities (id, name, slug, level, email, is_training_company, can_view_external_bookings, can_manage_bookings)
    values (${kestrel.id}, 'Kestrel Training', 'kestrel', 'A', 'hello@kestrel.test', true, true, true)`);
  await tx.run(sql`insert into types (id, entity_id, name) values (${demoId('type:kestrel:administrator')}, ${kestrel.id}, 'Administrator')`);
  await tx.run(sql`insert into type_permissions (type_id, permission_id) select ${demoId('type:kestrel:administrator')}, permission_id
    from type_permissions where type_id = ${demoId('type:brightpath:administrator')}`);
  await tx.run(sql`insert into users (id, name, email, password_hash, email_verified_at, is_trainer, primary_entity_id, type_id, started_on)
    values (${kestrel.person}, 'Marcus Bell', 'admin@kestrel.test', ${password}, ${now}, true, ${kestrel.id}, ${demoId('type:kestrel:administrator')}, ${now}::timestamptz::date - 900)`);
  await tx.run(sql`insert into training_company_settings (entity_id, delegate_auto_accept_period, delegate_removal_cutoff_hours, bookings_organiser_reference_prefix, updated_at, updated_by)
    values (${kestrel.id}, 48, 24, 'KT-', ${now}, ${kestrel.person})`);
  await tx.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
    values (${demoId('group client:kestrel')}, ${kestrel.id}, ${group}, ${kestrel.person}, ${now}::timestamptz - interval '700 days')`);
};

const fillCourses = async (tx: Db, now: Date): Promise<void> => {
  const made = forms.flatMap((form, f) =>
    topics.map((topic, t) => {
      const title = `${topic}: ${form}`;
      const n = f * topics.length + t;
      return { id: demoId(`group course:${title}`), title, months: months[n % months.length], delivery: n % 2 === 0 ? 'face2face' : 'elearning' };
    }),
  );
  await tx.run(sql`insert into courses (id, title, short_title, renewal_months, entity_id, delivery)
    select c.id, c.title, left(c.title, 40), c.months, ${group}, c.delivery
    from jsonb_to_recordset(${rowsFrom(made)}) c (id uuid, title text, months integer, delivery text) order by c.title`);
  await tx.run(sql`insert into entity_courses (entity_id, course_id) select x.entity, c.id
    from jsonb_to_recordset(${rowsFrom(made)}) c (id uuid) cross join unnest(${[group, companies[1].id]}::uuid[]) x (entity)`);
  await tx.run(sql`insert into entity_courses (entity_id, course_id) select ${companies[1].id}, e.course_id from entity_courses e
    where e.entity_id = ${companies[0].id} on conflict do nothing`);
  const contents = made.map((c) => ({ ...c, content: demoId(`group content:${c.title}`) }));
  await tx.run(sql`insert into contents (id, course_id, type, title, entity_id) select c.content, c.id, c.delivery, c.title, ${group}
    from jsonb_to_recordset(${rowsFrom(contents)}) c (id uuid, content uuid, title text, delivery text)`);
  const pages = contents.filter((c) => c.delivery === 'elearning').map((c) => ({ content: c.content, document: pageOf(c.content, c) }));
  await tx.run(sql`insert into content_versions (content_id, version, document, answer_keys, published_at)
    select c.content, 1, c.document, '{}', ${now} from jsonb_to_recordset(${rowsFrom(pages)}) c (content uuid, document jsonb)`);
  await tx.run(sql`select take_content_apart(c.content) from jsonb_to_recordset(${rowsFrom(pages)}) c (content uuid)`);
  // Eight courses of everybody, and of the others about six for each job role, a third of them secondary.
  const roles = roleBases.flatMap(([base]) => kinds.map((_, k) => ({ id: roleId(base, k) })));
  await tx.run(sql`insert into compliance (id, role_id, course_id, type, required_since)
    select ${idOf(sql`'rule:' || r.id || c.id`)}, r.id, c.id, case when c.entity_id = ${group} and ${luckOf(sql`'type:' || r.id || c.title`)} < 0.33 then 'secondary' else 'primary' end,
      ${now}::timestamptz::date - ${daysOfHistory}::int
    from jsonb_to_recordset(${rowsFrom(roles)}) r (id uuid) cross join courses c
    where c.title = any(${everybodys}) or (c.entity_id = ${group} and c.id = any(${made.map((c) => c.id)}::uuid[]) and ${luckOf(sql`'asks:' || r.id || c.title`)} < 0.036)`);
  for (const [k, { kind }] of kinds.entries()) {
    const pathway = demoId(`group pathway:${k}`);
    const begun = new Date(now.getTime() - 400 * 86_400_000);
    await tx.run(sql`insert into pathways (id, entity_id, name, description, created_at, updated_at)
      values (${pathway}, ${group}, ${`First months, ${kind.toLowerCase()}`}, 'What a new colleague goes through first.', ${begun}, ${begun})`);
    await tx.run(sql`insert into pathway_steps (pathway_id, place, course_id, within_days)
      select ${pathway}, s.place - 1, c.id, 14 * s.place from unnest(${everybodys.slice(0, 6)}::text[]) with ordinality s (title, place) join courses c on c.title = s.title`);
    await tx.run(sql`insert into pathway_allocations (id, pathway_id, role_id, allocated_on, allocated_by)
      values (${demoId(`group pathway role:${k}`)}, ${pathway}, ${roleId('Care assistant', k)}, ${begun.toISOString().slice(0, 10)}, ${demoId('user:admin@willowbrook.test')})`);
  }
};

/** People of the homes: a manager each, new starters, and one in thirteen who has left besides those who work there. */
const fillPeople = async (tx: Db, now: Date, homes: readonly Home[], password: string, say: (words: string) => void): Promise<void> => {
  const today = dayIn(now, defaultTimeZone);
  const dayBefore = (days: number) => new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
  const shares = roleBases.flatMap(([base, share]) => Array.from({ length: share }, () => base));
  await tx.run(sql`create temporary table group_people (no serial primary key, id uuid not null, home uuid not null, role_id uuid not null, started_on date not null,
    disabled_at timestamptz) on commit drop`);
  let rows: object[] = [];
  let people = 0;
  const write = async () => {
    await tx.run(sql`insert into users (id, name, email, password_hash, email_verified_at, is_trainer, primary_entity_id, role_id, type_id, started_on, disabled_at, created_at)
      select p.id, p.name, p.email, ${password}, ${now}, false, p.home, p.role_id, p.type_id, p.started_on, p.left_at, p.started_on
      from jsonb_to_recordset(${rowsFrom(rows)}) p (id uuid, name text, email text, home uuid, role_id uuid, type_id uuid, started_on date, left_at timestamptz)`);
    await tx.run(sql`insert into group_people (id, home, role_id, started_on, disabled_at) select p.id, p.home, p.role_id, p.started_on, p.left_at
      from jsonb_to_recordset(${rowsFrom(rows)}) p (id uuid, home uuid, role_id uuid, started_on date, left_at timestamptz, email text) order by p.email`);
    people += rows.length;
    rows = [];
    say(`${people.toLocaleString('en-GB')} people`);
  };
  for (const home of homes) {
    for (let p = 0; p < home.size + Math.floor(home.size / 13); p++) {
      const key = `${home.no}:${p}`;
      const hasLeft = p >= home.size;
      const isManager = p === 0;
      const name = `${pick(firstNames, luck(`first:${key}`))} ${pick(lastNames, luck(`last:${key}`))}`;
      const isNew = !isManager && !hasLeft && luck(`new:${key}`) < 0.06;
      const days = isNew ? Math.floor(luck(`start:${key}`) * 80) : 90 + Math.floor(luck(`start:${key}`) * 2400);
      rows.push({
        ...{ id: demoId(`group person:${key}`), name, home: home.id, started_on: dayBefore(days) },
        email: isManager ? `manager.${home.no}@willowbrook.test` : `p${home.no}.${p}@willowbrook.test`,
        role_id: isManager ? demoId('role:group:manager') : roleId(pick(shares, luck(`role:${key}`)), home.kind),
        type_id: typeId(isManager ? 'manager' : 'learner'),
        left_at: hasLeft ? `${dayBefore(Math.floor(luck(`left:${key}`) * Math.min(days, daysOfHistory)))}T17:00:00Z` : null,
      });
      if (rows.length === peopleAtOnce) await write();
    }
  }
  await write();
  const trainers = Array.from({ length: trainersOf(people) }, (_, n) => ({
    ...{ id: trainerId(n), name: `${pick(firstNames, luck(`trainer:${n}`))} ${pick(lastNames, luck(`trainer of:${n}`))}` },
    email: `trainer.${n + 1}@willowbrook.test`,
  }));
  await tx.run(sql`insert into users (id, name, email, password_hash, email_verified_at, is_trainer, primary_entity_id, role_id, type_id, started_on)
    select t.id, t.name, t.email, ${password}, ${now}, true, ${group}, ${demoId('role:group:office')}, ${typeId('trainer')}, ${now}::timestamptz::date - 1500
    from jsonb_to_recordset(${rowsFrom(trainers)}) t (id uuid, name text, email text)`);
  await tx.run(sql`insert into auth_events (user_id, at, kind, way, device, address)
    select p.id, ${now}::timestamptz - make_interval(mins => (${luckOf(sql`'seen:' || p.no || ':' || n`)} * 40320)::int), 'signed_in', 'password', 'Chrome on Android', ''
    from group_people p cross join generate_series(1, 3) n where p.disabled_at is null and ${luckOf(sql`'sees:' || p.no`)} < 0.85 order by p.no, n`);
  await tx.run(sql`analyze group_people`);
};

/** The latest result of each person in each course of theirs, and those before it: one in twenty is missing, one in twelve has run out. */
const fillResults = async (tx: Db, now: Date, say: (words: string) => void): Promise<void> => {
  const all = (await tx.one<{ n: number }>(sql`select max(no) as n from group_people`))?.n ?? 0;
  let made = 0;
  for (let from = 1; from <= all; from += resultsOf) {
    made +=
      await tx.run(sql`insert into results (id, user_id, course_id, content_id, type, origin, completed_at, expires_at, score, created_at, changed_at)
      select ${idOf(sql`'result:' || f.no || ':' || f.course_id || ':' || f.turn`)}, f.user_id, f.course_id, f.content_id, f.delivery, 'import', f.at,
        ${dayEnd(sql`((f.at at time zone ${defaultTimeZone}::text)::date + make_interval(months => f.months))::date`)},
        case when f.delivery = 'elearning' then 70 + (f.luck * 30)::int end, f.at, f.at
      from (select p.no, p.id as user_id, c.id as course_id, t.id as content_id, c.delivery, m.months, l.luck, k as turn, p.started_on, p.disabled_at,
          date_trunc('second', ${now}::timestamptz - make_interval(secs => m.months * 2626560.0 * (k + case when l.luck < 0.05 then null when l.luck < 0.12 then 1.01 + l.luck when l.luck < 0.2 then 0.96 else l.luck * 0.9 end))) as at
        from group_people p join compliance q on q.role_id = p.role_id join courses c on c.id = q.course_id
          join lateral (select t.id from contents t where t.course_id = c.id and t.type <> 'historical' order by t.id limit 1) t on true
          cross join lateral (select coalesce(c.renewal_months, 36) as months) m
          cross join lateral (select ${luckOf(sql`'result:' || p.no || ':' || c.title`)} as luck) l
          cross join generate_series(0, 2) k
        where p.no >= ${from} and p.no < ${from + resultsOf}) f
      where f.at is not null and f.at > ${now}::timestamptz - make_interval(days => ${daysOfHistory}) and f.at::date >= f.started_on and (f.disabled_at is null or f.at < f.disabled_at)
      order by f.no, f.course_id, f.at`);
    say(`${made.toLocaleString('en-GB')} results`);
  }
};

/** Thirty sessions a month for 3,000 people, over three years and two months to come, with the registers of those that were held. */
const fillSessions = async (tx: Db, now: Date, people: number): Promise<void> => {
  const today = dayIn(now, defaultTimeZone);
  const eachMonth = Math.max(2, Math.round(people / 100));
  const admin = demoId('user:admin@willowbrook.test');
  const trainers = Array.from({ length: trainersOf(people) }, (_, n) => trainerId(n));
  await tx.run(sql`create temporary table group_sessions on commit drop as
    select ${idOf(sql`'session:' || m || ':' || n`)} as id, (row_number() over (order by m, n))::int as no,
      (date_trunc('month', ${today}::date) + make_interval(months => m))::date + (${luckOf(sql`'day:' || m || ':' || n`)} * 28)::int as date,
      c.id as course_id, c.content_id, coalesce(c.renewal_months, 36) as months,
      (${trainers}::uuid[])[1 + (${luckOf(sql`'trains:' || m || ':' || n`)} * ${trainers.length})::int % ${trainers.length}] as trainer_id,
      n % 2 = 0 as afternoon, ${luckOf(sql`'cancelled:' || m || ':' || n`)} < 0.04 as cancelled
    from generate_series(-35, 2) m cross join generate_series(1, ${eachMonth}::int) n
      join (select c.id, c.renewal_months, min(t.id::text)::uuid as content_id, (row_number() over (order by c.title)) - 1 as no, count(*) over () as courses
        from courses c join contents t on t.course_id = c.id
        where c.delivery = 'face2face' and (c.entity_id = ${group} or c.title = any(${everybodys})) group by c.id) c
        on c.no = (${luckOf(sql`'taught:' || m || ':' || n`)} * c.courses)::int % c.courses`);
  await tx.run(sql`insert into training_sessions (id, entity_id, course_id, content_id, trainer_id, date, start_time, end_time, venue, room, venue_id, aim, max_delegates, grading_method, cancelled_at, cancelled_by,
      cancellation_notes, created_by, created_at)
    select s.id, ${group}, s.course_id, s.content_id, s.trainer_id, s.date, case when s.afternoon then '13:30' else '09:30' end::time, case when s.afternoon then '16:30' else '12:30' end::time,
      'Training room, head office', 'Training room', ${demoId('venue:head office')}, '', 14, 'practical', case when s.cancelled then least(s.date - 2, ${today}::date)::timestamptz end, case when s.cancelled then ${admin}::uuid end,
      case when s.cancelled then 'The trainer is ill.' end, ${admin}, s.date - 40 from group_sessions s order by s.no`);
  await tx.run(sql`create temporary table group_delegates on commit drop as
    select distinct on (s.id, p.id) ${idOf(sql`'delegate:' || s.id || p.id`)} as id, s.id as session_id, p.id as user_id, s.no as session_no, k as place, s.date, s.course_id, s.content_id, s.months, s.trainer_id, s.cancelled
    from group_sessions s cross join generate_series(1, 9) k
      join group_people p on p.no = 1 + (${luckOf(sql`'comes:' || s.no || ':' || k`)} * (select max(no) from group_people))::int % (select max(no) from group_people)
    where p.started_on < s.date and (p.disabled_at is null or p.disabled_at > s.date)`);
  await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
    select d.id, d.session_id, d.user_id, u.name, ${admin}, d.date - 20 from group_delegates d join users u on u.id = d.user_id order by d.session_no, d.place`);
  const held = sql`d.date < ${today}::date and not d.cancelled`;
  const isAbsent = sql`${luckOf(sql`'absent:' || d.session_no || ':' || d.place`)} < 0.1`;
  const failed = sql`${luckOf(sql`'failed:' || d.session_no || ':' || d.place`)} < 0.04`;
  const end = sql`(d.date + time '16:30') at time zone ${defaultTimeZone}::text`;
  await tx.run(sql`insert into register_marks (id, session_id, delegate_id, presence, outcome, note, by_id, at, received_at, seq)
    select ${idOf(sql`'mark:' || d.id`)}, d.session_id, d.id, case when ${isAbsent} then 'absent' else 'present' end, case when ${isAbsent} then null when ${failed} then 'not_yet' else 'passed' end, '', d.trainer_id, ${end}, ${end}, d.place
    from group_delegates d where ${held} order by d.session_no, d.place`);
  await tx.run(sql`insert into register_completions (id, session_id, marks, note, method, drawing, by_id, at, received_at)
    select ${idOf(sql`'completion:' || d.session_id`)}, d.session_id, array_agg(${idOf(sql`'mark:' || d.id`)} order by d.place), '', 'drawn', 'M60 90L120 60L180 100L260 70L330 95', d.trainer_id, ${end}, ${end}
    from group_delegates d where ${held} group by d.session_id, d.trainer_id, d.date order by d.session_id`);
  await tx.run(sql`insert into results (id, user_id, course_id, content_id, type, completed_at, expires_at, origin, delegate_id, recorded_by, created_at, changed_at)
    select ${idOf(sql`'attended:' || d.id`)}, d.user_id, d.course_id, d.content_id, 'face2face', (d.date + time '12:00') at time zone 'UTC',
      ${dayEnd(sql`(d.date + make_interval(months => d.months))::date`)}, 'register', d.id, d.trainer_id, ${end}, ${end}
    from group_delegates d where ${held} and not (${isAbsent}) and not (${failed}) order by d.session_no, d.place`);
};

/** What the two training companies run for the group: sessions with bookings, and orders of the homes in each state. */
const fillCompanies = async (tx: Db, now: Date, homes: readonly Home[]): Promise<void> => {
  const today = dayIn(now, defaultTimeZone);
  const [admin, made] = [demoId('user:admin@willowbrook.test'), new Date(now.getTime() - 30 * 86_400_000)];
  const [, kestrel] = companies;
  await tx.run(sql`insert into marketplace_items (id, entity_id, type, course_id, title, description, price_pence, vat_rate, seats, licence_months, platform_share, published, available_to, created_by, created_at, changed_at)
    select ${demoId('group item:kestrel')}, ${kestrel.id}, 'face2face', c.id, 'Health and safety, half a day', 'In your home, for groups of up to twelve.', 6200, 20, 1, null, 15, true, 'all', ${kestrel.person}, ${made}, ${made}
    from courses c where c.title = 'Health and safety awareness'`);
  await tx.run(sql`update training_budgets set amount_pence = 50000000 where entity_id = ${group}`);
  const items = [demoId('item:life-support'), demoId('group item:kestrel')];
  for (const [c, company] of companies.entries()) {
    await tx.run(sql`create temporary table company_sessions on commit drop as
      select ${idOf(sql`'company session:' || ${c}::int || ':' || n`)} as id, n, ${today}::date - 150 + n * 7 as date, c.id as course_id
      from generate_series(1, 30) n join (select id, row_number() over (order by title) - 1 as no from courses where title = any(${['Basic life support', 'Health and safety awareness', 'Moving and handling objects']})) c on c.no = n % 3`);
    await tx.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, available_to, created_by, created_at)
      select s.id, ${company.id}, s.course_id, ${company.person}, s.date, '10:00', '13:00', 'Training centre', 'Room 1', '', 12, 'attendance', 'clients', ${company.person}, s.date - 60 from company_sessions s order by s.n`);
    await tx.run(sql`insert into bookings (id, provider_id, client_id, number, reference, requested_by, requested_at, confirmed_by, confirmed_at, created_by, created_at)
      select ${idOf(sql`'booking:' || s.id`)}, ${company.id}, ${group}, 1000 + s.n, ${company.prefix}::text || (1000 + s.n), null, null, ${admin}, s.date - 30, ${admin}, s.date - 30 from company_sessions s order by s.n`);
    await tx.run(sql`create temporary table company_places on commit drop as
      select distinct on (s.id, p.id) s.id as session_id, p.id as user_id, s.date, s.n, k as place from company_sessions s cross join generate_series(1, 6) k
        join group_people p on p.no = 1 + (${luckOf(sql`'books:' || ${c}::int || ':' || s.n || ':' || k`)} * (select max(no) from group_people))::int % (select max(no) from group_people)
      where p.disabled_at is null and p.started_on < s.date - 30`);
    await tx.run(sql`insert into booking_places (id, booking_id, session_id, user_id)
      select ${idOf(sql`'place:' || p.session_id || p.user_id`)}, ${idOf(sql`'booking:' || p.session_id`)}, p.session_id, p.user_id from company_places p order by p.n, p.place`);
    await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at, asked_at, accepts_at, accepted_at)
      select ${idOf(sql`'delegate:' || p.session_id || p.user_id`)}, p.session_id, p.user_id, u.name, ${admin}, p.date - 30, p.date - 30, p.date - 28, p.date - 29 from company_places p join users u on u.id = p.user_id order by p.n, p.place`);
    await tx.run(sql`drop table company_sessions, company_places`);
    const states = ['submitted', 'approved', 'fulfilled', 'cancelled', 'declined'] as const;
    const orders = homes.map((home) => ({
      ...{
        home: home.id,
        id: demoId(`group order:${c}:${home.no}`),
        by: demoId(`group person:${home.no}:0`),
        days: 3 + Math.floor(luck(`order:${c}:${home.no}`) * 300),
      },
      ...{ quantity: 1 + (home.no % 8), state: states[(home.no + c) % states.length] },
    }));
    await tx.run(sql`insert into training_orders (id, entity_id, provider_id, state, reference, created_by, created_at, submitted_at, approved_at, gross_pence, budget_entity_id, budget_year)
      select o.id, o.home, ${company.id}, o.state, '', o.by, a.at, a.at, case when o.state in ('approved', 'fulfilled', 'cancelled') then a.at + interval '1 day' end, round(o.quantity * i.price_pence * 1.2)::int, ${group}, extract(year from a.at)::int
      from jsonb_to_recordset(${rowsFrom(orders)}) o (id uuid, home uuid, by uuid, days integer, quantity integer, state text) join marketplace_items i on i.id = ${items[c] as string}
        cross join lateral (select ${now}::timestamptz - make_interval(days => o.days) as at) a order by a.at`);
    await tx.run(sql`insert into training_order_lines (id, order_id, item_id, place, quantity, title, type, course_id, price_pence, vat_rate, seats, licence_months, platform_share)
      select ${idOf(sql`'line:' || o.id`)}, o.id, i.id, 0, o.quantity, i.title, i.type, i.course_id, i.price_pence, i.vat_rate, i.seats, i.licence_months, i.platform_share
      from jsonb_to_recordset(${rowsFrom(orders)}) o (id uuid, quantity integer) join marketplace_items i on i.id = ${items[c] as string}`);
    await tx.run(sql`insert into training_order_steps (id, order_id, step, reason, by_id, at)
      select ${idOf(sql`'step:' || o.id || s.step`)}, o.id, s.step, case when s.step in ('decline', 'cancel') then 'No longer needed.' else '' end, case when s.step = 'submit' then o.by else ${admin} end,
        ${now}::timestamptz - make_interval(days => o.days) + make_interval(days => s.after)
      from jsonb_to_recordset(${rowsFrom(orders)}) o (id uuid, by uuid, days integer, state text)
        join (values ('submit', 0, array['submitted', 'approved', 'fulfilled', 'cancelled', 'declined']), ('approve', 1, array['approved', 'fulfilled', 'cancelled']),
          ('decline', 1, array['declined']), ('fulfil', 2, array['fulfilled']), ('cancel', 2, array['cancelled'])) s (step, after, states) on o.state = any(s.states) order by o.id, s.after`);
  }
};

/** Care certificates that were begun, with what was seen; and what people write to their manager. */
const fillWork = async (tx: Db, now: Date, people: number): Promise<void> => {
  const observed = sql`group_people p where p.disabled_at is null and p.started_on > ${now}::timestamptz::date - 400 and p.role_id = any(${kinds.map((_, k) => roleId('Care assistant', k))}::uuid[]) order by p.no limit ${Math.ceil(people / 50)}`;
  await tx.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at, rev)
    select ${idOf(sql`'certificate:' || w.id`)}, w.id, ${demoId('user:admin@willowbrook.test')}, w.started_on + 7, 0 from (select p.id, p.started_on from ${observed}) w`);
  await tx.run(sql`insert into observations (id, certificate_id, kind, record, assessor_id, at, received_at)
    select ${idOf(sql`'observation:' || w.id || n`)}, ${idOf(sql`'certificate:' || w.id`)}, 'observation',
      jsonb_build_object('done_at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'method', 'questioning', 'setting', 'Office', 'seen', 'Talked it through with examples from the last shifts.', 'feedback', '',
        'criteria', jsonb_build_array(jsonb_build_object('criterion', n || '.1a', 'outcome', 'met', 'action', null, 'due', null))), ${trainerId(0)}, a.at, a.at
    from (select p.id, p.started_on from ${observed}) w cross join generate_series(1, 3) n
      cross join lateral (select least(${now}::timestamptz, date_trunc('second', (w.started_on + 10 + n * 5)::timestamptz)) as at) a order by w.id, n`);
  await tx.run(sql`insert into messages (id, sender_id, recipient_id, message, sent_at, received_at, read_at)
    select ${idOf(sql`'message:' || p.no`)}, p.id, m.id, 'Can I swap my place on the session next week?', a.at, a.at, case when p.no % 3 > 0 then a.at end
    from group_people p join users m on m.primary_entity_id = p.home and m.type_id = ${typeId('manager')} and m.id <> p.id
      cross join lateral (select ${now}::timestamptz - make_interval(hours => 5 + p.no % 900) as at) a where p.disabled_at is null and p.no % 20 = 0`);
};

/** Adds a care group of a real size to a database with the demo data, in one transaction: all of it, or none. */
export const fillWithGroup = (db: Db, now: Date, { people = groupPeople, say = () => undefined }: GroupWorld = {}): Promise<void> =>
  db.tx(async (tx) => {
    const password = await hashPassword(demoPassword);
    const homes = homesOf(people);
    await fillPlaces(tx, now, homes, password);
    say(`${homes.length} homes`);
    await fillCourses(tx, now);
    await fillPeople(tx, now, homes, password, say);
    await fillResults(tx, now, say);
    await fillSessions(tx, now, people);
    say('sessions and registers');
    await fillCompanies(tx, now, homes);
    await fillWork(tx, now, people);
    await tx.run(sql`analyze`);
    say('bookings, orders, observations and messages');
  });
