import { bookingReference } from '#contract/rules/booking-reference.ts';
import { addDays, dayIn, defaultTimeZone } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { type Db, sql } from '#server/db/sql.ts';

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

/** What a person costs on a session of each course, in pence without VAT. Of “Equality, diversity and human rights” nobody has said it yet. */
const prices: Readonly<Record<string, number>> = {
  'Moving and assisting people': 6500,
  'Health and safety awareness': 3500,
  'Basic life support': 4500,
  'Moving and handling objects': 4500,
  'Learning disability and autism': 5500,
  'Safeguarding children': 5000,
};

/** `silent`: of its people who has not answered yet. */
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

/** Brightpath Training runs three weeks of sessions, and Willowbrook books its people on them. */
export const fillBrightpath = async (tx: Db, now: Date): Promise<void> => {
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
  let number = 0;
  const book = async (session: string, people: readonly string[], confirmed: boolean, notes = '') => {
    number++;
    const id = demoId(`booking:${number}`);
    const reference = bookingReference('BP-', number);
    const by = confirmed ? booker : asker;
    await tx.run(sql`insert into bookings (id, provider_id, client_id, number, reference, notes, requested_by, requested_at, confirmed_by, confirmed_at, created_by, created_at)
      values (${id}, ${provider}, ${confirmed ? client : houses[0]}, ${number}, ${reference}, ${notes}, ${confirmed ? null : by}, ${confirmed ? null : made}, ${confirmed ? by : null}, ${confirmed ? made : null}, ${by}, ${made})`);
    for (const who of people)
      await tx.run(
        sql`insert into booking_places (id, booking_id, session_id, user_id) values (${demoId(`booking place:${session}:${who}`)}, ${id}, ${session}, ${person(who)})`,
      );
  };
  const waitsMs = 48 * 3_600_000;
  for (const [no, { days, course, people = [], silent, waiting = [], max = 12, min, cancelled }] of sessions.entries()) {
    const id = demoId(`session:brightpath:${days}`);
    const venue = venues[no % 2] ?? venues[0];
    const date = addDays(dayIn(now, defaultTimeZone), days);
    await tx.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, venue_id, room_id, aim, max_delegates, min_delegates,
        grading_method, available_to, cancelled_at, cancelled_by, cancellation_notes, created_by, created_at)
      values (${id}, ${provider}, ${demoId(`course:${course}`)}, ${trainer}, ${date}, ${no % 3 === 1 ? '13:30' : '09:30'}, ${no % 3 === 1 ? '16:30' : '12:30'}, ${venue.name}, 'Training room',
        ${demoId(`venue:${venue.key}`)}, ${demoId(`room:${venue.key}`)}, 'Wear flat shoes. Tea and coffee are there.', ${max}, ${min ?? null}, 'attendance', 'clients',
        ${cancelled ? now : null}, ${cancelled ? trainer : null}, ${cancelled ?? null}, ${trainer}, ${made})`);
    if (people.length + waiting.length > 0) await book(id, [...people, ...waiting], true, no === 0 ? 'Two of them come by bus from Canterbury.' : '');
    for (const who of people)
      await tx.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at, asked_at, accepts_at, accepted_at)
        select ${demoId(`delegate:brightpath:${days}:${who}`)}, ${id}, u.id, u.name, ${booker}, ${made}, ${who === silent ? now : made},
          ${new Date((who === silent ? now : made).getTime() + waitsMs)}, ${who === silent ? null : made}::timestamptz from users u where u.id = ${person(who)}`);
    for (const who of waiting)
      await tx.run(sql`insert into session_waiting (id, session_id, user_id, added_by, added_at)
        values (${demoId(`waiting:brightpath:${days}:${who}`)}, ${id}, ${person(who)}, ${booker}, ${made})`);
  }
  await book(demoId('session:brightpath:15'), ['sophie.turner', 'aisha.khan'], false, 'Both are due next month.');
};
