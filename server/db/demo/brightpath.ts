import { bookingReference } from '#contract/rules/booking-reference.ts';
import { addDays, addMonths, dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { stepsPage } from '#server/db/demo/spill-card.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { FileStore } from '#server/files/file-store.ts';

const provider = demoId('entity:brightpath');
const client = demoId('entity:group');
const houses = [demoId('entity:home'), demoId('entity:branch')] as const;
const trainer = demoId('user:admin@brightpath.test');
const booker = demoId('user:admin@willowbrook.test');
const asker = demoId('user:manager@willowbrook.test');
const person = (who: string) => demoId(`user:${who}@willowbrook.test`);

const venues = [
  {
    key: 'brightpath:ashford',
    name: 'Brightpath Centre, Ashford',
    address: '8 Elwick Road, Ashford TN23 1NN',
    notes: 'Ring the bell at the side door.',
  },
  {
    key: 'brightpath:canterbury',
    name: 'Brightpath Rooms, Canterbury',
    address: '21 Castle Street, Canterbury CT1 2PX',
    notes: 'The lift is behind the desk.',
  },
] as const;

/** What a person costs on a session of each course, in pence without VAT. “Equality, diversity and human rights” has no price yet. */
const prices: Readonly<Record<string, number>> = {
  'Moving and assisting people': 6500,
  'Health and safety awareness': 3500,
  'Basic life support': 4500,
  'Moving and handling objects': 4500,
  'Learning disability and autism': 5500,
  'Safeguarding children': 5000,
};

/** `silent`: the booked person who has not answered yet. */
type Session = {
  days: number;
  course: string;
  people?: string[];
  silent?: string;
  waiting?: string[];
  max?: number;
  min?: number;
  cancelled?: string;
};
/** Three weeks: one full with a waiting list, one with too few people, one cancelled, one today. */
const sessions: Session[] = [
  { days: 0, course: 'Moving and assisting people', people: ['karolina.nowak', 'mihai.popescu', 'ewa.kowalczyk', 'chidi.nwosu'] },
  { days: 1, course: 'Health and safety awareness', people: ['charlotte.hughes'] },
  {
    days: 4,
    course: 'Basic life support',
    max: 4,
    people: ['karolina.nowak', 'nomvula.dlamini', 'shabnam.begum', 'blessing.chukwu'],
    waiting: ['thandiwe.moyo', 'ana.maria.ionescu'],
  },
  { days: 5, course: 'Moving and handling objects', people: ['mihai.popescu', 'fatima.al.sayed'], silent: 'fatima.al.sayed' },
  { days: 7, course: 'Learning disability and autism', min: 4, people: ['ewa.kowalczyk'] },
  { days: 8, course: 'Moving and assisting people', people: ['charlotte.hughes', 'thandiwe.moyo'] },
  { days: 9, course: 'Safeguarding children', people: ['shabnam.begum'], cancelled: 'The trainer is ill.' },
  { days: 11, course: 'Basic life support' },
  { days: 12, course: 'Equality, diversity and human rights', people: ['chidi.nwosu'] },
  { days: 14, course: 'Health and safety awareness' },
  { days: 15, course: 'Moving and assisting people' },
  { days: 18, course: 'Basic life support', people: ['ana.maria.ionescu'] },
  { days: 19, course: 'Learning disability and autism' },
  { days: 20, course: 'Moving and handling objects' },
];

/** Held last week: who came, who did not, and the feedback of two of them. No job role requires it of them. */
const held = {
  ...{ days: -7, course: 'Basic life support', absent: 'bogdan.radu' },
  people: ['derek.holloway', 'yasmin.aziz', 'doreen.baxter', 'teresa.gomes', 'bogdan.radu'],
  said: [
    ['derek.holloway', 5, 5, 'The manikins made all the difference. I would know what to do now.'],
    ['yasmin.aziz', 4, 5, ''],
  ] as [string, number, number, string][],
};
/** The documents of a session to come. */
const documents = [
  {
    ...{ key: 'joining', name: 'Joining instructions.pdf', audience: 'delegates', heading: 'Before you come' },
    steps: ['Wear flat shoes and something you can kneel in.', 'Be there ten minutes early.', 'Tell us of a bad back: there is another way.'],
  },
  {
    ...{ key: 'order', name: 'Running order.pdf', audience: 'trainers', heading: 'The morning' },
    steps: ['Welcome, and who has a bad back.', 'The hoist, in pairs.', 'Slide sheets, everybody once.', 'Questions, then the register.'],
  },
] as const;

/** The register of the session that was held, its results and its feedback. */
const finish = async (tx: Db, now: Date): Promise<void> => {
  const session = demoId(`session:brightpath:${held.days}`);
  const at = new Date(now.getTime() + held.days * 86_400_000);
  const day = addDays(dayIn(now, defaultTimeZone), held.days);
  const marks: string[] = [];
  for (const [n, who] of held.people.entries()) {
    const [mark, delegate] = [demoId(`mark:brightpath:${who}`), demoId(`delegate:brightpath:${held.days}:${who}`)];
    const absent = who === held.absent;
    marks.push(mark);
    await tx.run(sql`insert into register_marks (id, session_id, delegate_id, presence, outcome, note, by_id, at, received_at, seq)
      values (${mark}, ${session}, ${delegate}, ${absent ? 'absent' : 'present'}, null, '', ${trainer}, ${at}, ${at}, ${n + 1})`);
    if (!absent)
      await tx.run(sql`insert into results (id, user_id, course_id, content_id, type, completed_at, expires_at, origin, delegate_id)
        values (${demoId(`result:brightpath:${who}`)}, ${person(who)}, ${demoId(`course:${held.course}`)}, ${demoId(`content:${held.course}`)}, 'face2face', ${`${day}T12:00:00.000Z`},
          ${addMonths(`${day}T12:00:00.000Z`, 12, defaultTimeZone)}, 'register', ${delegate})`);
  }
  await tx.run(sql`insert into register_completions (id, session_id, marks, note, method, drawing, by_id, at, received_at)
    values (${demoId('completion:brightpath')}, ${session}, ${marks}, '', 'drawn', 'M60 90L120 60L180 100L260 70L330 95', ${trainer}, ${at}, ${at})`);
  for (const [who, course, trained, message] of held.said)
    await tx.run(sql`insert into session_evaluations (session_id, user_id, course_rating, trainer_rating, message, written_at, received_at)
      values (${session}, ${person(who)}, ${course}, ${trained}, ${message}, ${at}, ${at})`);
};

/** Brightpath Training runs three weeks of sessions, and Willowbrook books its people on them. */
export const fillBrightpath = async (tx: Db, files: FileStore, now: Date): Promise<void> => {
  const made = new Date(now.getTime() - 10 * 86_400_000);
  await tx.run(sql`update entities set can_view_external_bookings = true, can_manage_bookings = (id = ${provider})
    where id = any(${[provider, client, ...houses]}::uuid[])`);
  await tx.run(sql`insert into training_clients (id, provider_id, client_id, added_by, added_at)
    values (${demoId('training client')}, ${provider}, ${client}, ${trainer}, ${made})`);
  await tx.run(sql`insert into training_company_settings (entity_id, delegate_auto_accept_period, delegate_removal_cutoff_hours, bookings_organiser_reference_prefix, updated_at, updated_by)
    values (${provider}, 48, 24, 'BP-', ${made}, ${trainer})`);
  for (const [course, pence] of Object.entries(prices))
    await tx.run(sql`insert into training_prices (id, entity_id, course_id, per_person_pence, vat_rate, valid_from)
      values (${demoId(`price:${course}`)}, ${provider}, ${demoId(`course:${course}`)}, ${pence}, 20, ${`${dayIn(now, defaultTimeZone).slice(0, 4)}-01-01`}::date)`);
  for (const { key, name, address, notes } of venues) {
    await tx.run(sql`insert into venues (id, entity_id, name, address, step_free, hearing_loop, parking, access_notes)
      values (${demoId(`venue:${key}`)}, ${provider}, ${name}, ${address}, true, ${key.endsWith('ashford')}, true, ${notes})`);
    await tx.run(
      sql`insert into venue_rooms (id, venue_id, name, capacity, place) values (${demoId(`room:${key}`)}, ${demoId(`venue:${key}`)}, 'Training room', 12, 0)`,
    );
  }
  await tx.run(sql`update users set is_trainer = true where id = ${trainer}`);
  await tx.run(sql`insert into trainers (user_id, home_base, hours, away, rev, updated_at, updated_by)
    values (${trainer}, 'Ashford', '[]', '[]', 1, ${made}, ${trainer})`);
  for (const course of new Set([...sessions.map((s) => s.course), held.course]))
    await tx.run(sql`insert into trainer_courses (user_id, course_id) values (${trainer}, ${demoId(`course:${course}`)})`);
  let number = 0;
  const book = async (session: string, people: readonly string[], confirmed: boolean, notes = '') => {
    number++;
    const id = demoId(`booking:${number}`);
    const reference = bookingReference('BP-', number);
    const decider = confirmed ? booker : asker;
    await tx.run(sql`insert into bookings (id, provider_id, client_id, number, reference, notes, requested_by, requested_at, confirmed_by, confirmed_at, created_by, created_at)
      values (${id}, ${provider}, ${confirmed ? client : houses[0]}, ${number}, ${reference}, ${notes}, ${confirmed ? null : decider}, ${confirmed ? null : made}, ${confirmed ? decider : null}, ${confirmed ? made : null}, ${decider}, ${made})`);
    for (const who of people)
      await tx.run(
        sql`insert into booking_places (id, booking_id, session_id, user_id) values (${demoId(`booking place:${session}:${who}`)}, ${id}, ${session}, ${person(who)})`,
      );
  };
  const waitsMs = 48 * 3_600_000;
  const plan = async (no: number, { days, course, people = [], silent, waiting = [], max = 12, min, cancelled }: Session) => {
    const id = demoId(`session:brightpath:${days}`);
    const venue = venues[no % 2] ?? venues[0];
    const date = addDays(dayIn(now, defaultTimeZone), days);
    await tx.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, venue_id, room_id, aim, bring, max_delegates, min_delegates,
        grading_method, available_to, cancelled_at, cancelled_by, cancellation_notes, created_by, created_at)
      values (${id}, ${provider}, ${demoId(`course:${course}`)}, ${trainer}, ${date}, ${no % 3 === 1 ? '13:30' : '09:30'}, ${no % 3 === 1 ? '16:30' : '12:30'}, ${venue.name}, 'Training room',
        ${demoId(`venue:${venue.key}`)}, ${demoId(`room:${venue.key}`)}, '', 'Wear flat shoes. Tea and coffee are there.', ${max}, ${min ?? null}, 'attendance', 'clients',
        ${cancelled ? now : null}, ${cancelled ? trainer : null}, ${cancelled ?? null}, ${trainer}, ${made})`);
    if (people.length + waiting.length > 0) await book(id, [...people, ...waiting], true, no === 0 ? 'Two of them come by bus from Canterbury.' : '');
    for (const who of people)
      await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at, asked_at, accepts_at, accepted_at)
        select ${demoId(`delegate:brightpath:${days}:${who}`)}, ${id}, u.id, u.name, ${booker}, ${made}, ${who === silent ? now : made},
          ${new Date((who === silent ? now : made).getTime() + waitsMs)}, ${who === silent ? null : made}::timestamptz from users u where u.id = ${person(who)}`);
    for (const who of waiting)
      await tx.run(sql`insert into session_waiting (id, session_id, user_id, added_by, added_at)
        values (${demoId(`waiting:brightpath:${days}:${who}`)}, ${id}, ${person(who)}, ${booker}, ${made})`);
  };
  for (const [no, session] of sessions.entries()) await plan(no, session);
  await book(demoId('session:brightpath:15'), ['sophie.turner', 'aisha.khan'], false, 'Both are due next month.');
  await plan(0, held);
  await finish(tx, now);
  for (const { key, name, audience, heading, steps } of documents) {
    const page = await stepsPage(name.replace('.pdf', ''), heading, [...steps]);
    await tx.run(sql`insert into session_documents (id, session_id, shared_id, name, ending, type, bytes, hash, audience, added_by, added_at)
      values (${demoId(`document:${key}`)}, ${demoId('session:brightpath:8')}, ${demoId(`document shared:${key}`)}, ${name}, 'pdf', 'application/pdf', ${page.length}, ${await files.put(page)}, ${audience}, ${trainer}, ${made})`);
  }
};
