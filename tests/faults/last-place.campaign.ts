import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Booking } from '#contract/entities/booking.ts';
import type { Register, WaitingPerson } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { signedIn } from '#tests/support/signed-in.ts';

/**
 * Fifty bookings at once for the last places of a session, some of them sent twice, while people are taken off its list and places are
 * added; on the embedded database, and on PostgreSQL over two servers. Nobody is booked beyond the places, nobody twice, every answer is
 * true, and no place stays empty while somebody waits for it.
 */
const crowd = 50;
let embedded: RealServer;
let first: RealServer;
let second: RealServer;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let people: string[];
let bookings = 0;

type Answer<T> = { status: number; body: { data?: T; errors?: Record<string, string[]> } };
type Desk = <T>(method: string, path: string, body?: unknown) => Promise<Answer<T>>;
const desks = new Map<RealServer, Desk>();
const deskAt = async (server: RealServer): Promise<Desk> => {
  const known = desks.get(server);
  if (known) return known;
  const headers = { ...(await signedIn(server, 'admin@willowbrook.test')), 'Content-Type': 'application/json' };
  const desk: Desk = async (method, path, body) => {
    const answer = await fetch(`${server.url}/api${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  };
  desks.set(server, desk);
  return desk;
};

/** On days on which the trainer gives no other session. */
let day = 30;
const plan = async (desk: Desk, places: number): Promise<string> => {
  const date = addDays(dayIn(new Date(), 'Europe/London'), day++);
  const about = { venue: 'Mill Lane', room: '', aim: '', grading_method: 'attendance', course_id: demoId('course:Moving and assisting people') };
  const when = { date, startTime: '00:05', endTime: '23:50', trainer_id: demoId('user:trainer@willowbrook.test') };
  const { status, body } = await desk<Register>('POST', '/training-sessions', { ...about, ...when, maxDelegates: places });
  if (!body.data) throw new Error(`the session was answered with ${status} ${JSON.stringify(body)}`);
  return body.data.id;
};

export const campaign: Campaign = {
  name: 'last-place',
  runs: { ci: 4, demand: 200 },
  prepare: async () => {
    postgres = await startPostgres(['-c fsync=off']);
    const folder = join(tmpdir(), `lantern-faults-${process.pid}`);
    const { db, pool, close } = await openDatabase({ DATA_DIR: folder, DATABASE_URL: postgres.url });
    await migrate(pool);
    await fillWithDemoData(db, createFileStore(`${folder}/files`), new Date());
    const homes = [demoId('entity:home'), demoId('entity:branch')];
    const found = await db.all<{ id: string }>(
      sql`select id from users where primary_entity_id = any(${homes}::uuid[]) and disabled_at is null order by id limit ${crowd}`,
    );
    people = found.map((u) => u.id);
    await close();
    embedded = await RealServer.create();
    first = await RealServer.create({ DATABASE_URL: postgres.url });
    second = await first.beside();
    await second.start();
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const upTo = (n: number) => Math.floor(random() * n);
    const servers = seed % 2 === 0 ? [embedded] : [first, second];
    const [office, ...others] = await Promise.all(servers.map(deskAt));
    if (!office) throw new Error('no server');
    const anyDesk = () => [office, ...others][upTo(1 + others.length)] as Desk;
    const wrong: string[] = [];
    const before = 1 + upTo(5);
    const more = upTo(3);
    const id = await plan(office, before);
    const listed = async () => {
      const { delegates = [] } = (await office<Register>('GET', `/training-sessions/${id}`)).body.data ?? {};
      return delegates.filter((d) => d.removed === null);
    };

    const book = async (person: string, waiting: boolean) => ({
      person,
      waiting,
      answer: await anyDesk()<Booking>('POST', '/bookings', { session_ids: [id], user_ids: [person], notes: '', waiting }),
    });
    // Who is taken off had a place: some of the booked, as soon as there are any.
    const takenOff: string[] = [];
    const takeOff = async () => {
      const [one] = await listed();
      if (!one) return;
      if ((await anyDesk()('DELETE', `/training-sessions/${id}/delegates/${one.id}`)).status < 300) takenOff.push(one.user?.id ?? '');
    };
    const asked = people.flatMap((person) => {
      const waiting = random() < 0.5;
      return Array.from({ length: random() < 0.2 ? 2 : 1 }, () => book(person, waiting));
    });
    const [answers] = await Promise.all([
      Promise.all(asked),
      takeOff(),
      more > 0 && anyDesk()('PATCH', `/training-sessions/${id}`, { maxDelegates: before + more }),
    ]);
    bookings += answers.length;

    for (const { person, answer } of answers) {
      if (![201, 422].includes(answer.status)) wrong.push(`a booking of ${person} was answered with ${answer.status}`);
      if (answer.status === 422 && !answer.body.errors) wrong.push(`a booking of ${person} was refused without a reason`);
    }
    const accepted = answers.filter((a) => a.answer.status === 201);
    for (const [person, of] of Map.groupBy(accepted, (a) => a.person))
      if (of.length > 1 + takenOff.filter((off) => off === person).length) wrong.push(`${person} was booked ${of.length} times`);
    const references = accepted.map((a) => a.answer.body.data?.reference);
    if (new Set(references).size !== references.length) wrong.push('two bookings have one reference');

    const places = before + more;
    const booked = (await listed()).map((d) => d.user?.id ?? '');
    const waits = ((await office<WaitingPerson[]>('GET', `/training-sessions/${id}/waiting`)).body.data ?? []).map((w) => w.user.id);
    if (booked.length > places) wrong.push(`${booked.length} people have a place, of ${places}`);
    if (booked.length < places && waits.length > 0) wrong.push(`${waits.length} people wait, and ${places - booked.length} places are empty`);
    if (new Set([...booked, ...waits]).size !== booked.length + waits.length) wrong.push('somebody is on the lists twice');
    if (accepted.length !== booked.length + waits.length + takenOff.length)
      wrong.push(`${accepted.length} bookings were accepted; ${booked.length} have a place, ${waits.length} wait, ${takenOff.length} were taken off`);
    for (const { person, waiting, answer } of accepted) {
      const said = answer.body.data?.sessions[0]?.places[0]?.state;
      if (said === 'waiting' && !waiting) wrong.push(`${person} waits and had not asked to`);
      // Who waited and moved up meanwhile is asked to accept the place.
      if (said !== 'waiting' && said !== 'booked' && !(waiting && said === 'asked')) wrong.push(`a booking of ${person} was answered as ${said}`);
      // Who was taken off and asked for again may wait: the first answer was true.
      if (said !== 'waiting' && waits.includes(person) && !takenOff.includes(person)) wrong.push(`${person} was told of a place, and waits`);
    }
    return wrong;
  },
  facts: () => `${bookings} bookings were asked for`,
  finish: async () => {
    for (const server of [embedded, first, second]) await server.close();
    postgres.stop();
  },
};
