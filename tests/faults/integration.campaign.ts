import { randomUUID } from 'node:crypto';
import type { ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { Author } from '#tests/faults/real/author.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { faultyLine } from '#tests/faults/real/faulty-line.ts';
import { type InjectServer, startInjectServer, truthOf } from '#tests/faults/real/inject-server.ts';
import { Office } from '#tests/faults/real/office.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';

/** The real store, engine, server and database under the faults of the simulation. */
let server: InjectServer;
let author: Author;
let office: Office;
/** The content as it was first published, and as a device has it that fetched it before the next one. */
let first: ContentDocument;
const content = demoId('content:fire-safety');

/** Another assessor makes a decision unknown to the device. */
const decideElsewhere = async (certificate: string, assessor: string, met: boolean): Promise<void> => {
  const { db } = server.database;
  const id = randomUUID();
  const counts = await db.one<{ id: string }>(
    sql`select d.id from criterion_decisions d where d.certificate_id = ${certificate} and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)`,
  );
  const outcome = met ? 'met' : 'not_yet_met';
  const record: ObservationRecord = {
    ...{ done_at: new Date().toISOString(), method: 'observation', setting: '', seen: 'Seen elsewhere', feedback: '' },
    criteria: [{ criterion: '1.1a', outcome, action: null, due: null }],
  };
  await db.run(
    sql`insert into observations (id, certificate_id, kind, record, assessor_id, at, received_at) values (${id}, ${certificate}, 'observation', ${JSON.stringify(record)}, ${assessor}, now(), now())`,
  );
  await db.run(sql`insert into criterion_decisions (id, certificate_id, criterion, outcome, observation_id, instead_of, decided_by, at, received_at)
    values (${randomUUID()}, ${certificate}, '1.1a', ${outcome}, ${id}, ${counts?.id ?? null}, ${assessor}, now(), now())`);
};

export const campaign: Campaign = {
  name: 'integration',
  runs: { ci: 50, demand: 10_000 },
  prepare: async () => {
    server = await startInjectServer();
    author = new Author(server.app);
    await author.signIn('super@lantern.test');
    office = new Office(server.app);
    await office.signIn('admin@willowbrook.test');
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const state = { bad: false };
    const device = new RealDevice(
      faultyLine(server.line, random, state, /\/(attempts|care-certificates|care-evidence|training-sessions|submissions|message|received)/),
    );
    const learner = await server.newLearner('trainer@willowbrook.test');
    const observed = await server.newLearner();
    const certificate = { id: randomUUID(), user: { name: 'Observed' } };
    await server.database.db.run(
      sql`insert into care_certificates (id, user_id, assigned_by, assigned_at) values (${certificate.id}, ${observed.id}, ${learner.id}, now())`,
    );
    const session = randomUUID();
    await server.database.db.run(sql`insert into training_sessions (id, entity_id, course_id, trainer_id, date, start_time, end_time, venue, room, aim, grading_method, created_by, created_at)
      select ${session}, primary_entity_id, ${demoId('course:Fire safety')}, id, current_date, '09:00', '12:00', 'Hall', '', '', 'attendance', id, now() from users where id = ${learner.id}`);
    const listed = randomUUID();
    await server.database.db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
      values (${listed}, ${session}, ${observed.id}, 'Observed', ${observed.id}, now()), (gen_random_uuid(), ${session}, ${demoId('user:learner@willowbrook.test')}, 'Amara', ${observed.id}, now())`);
    const person = await device.signIn(learner.email);
    await device.open(person);
    first ??= await device.document(content);
    // Half of the devices have not fetched what was published since.
    const document = random() < 0.5 ? first : await device.document(content);
    const topics = document.lessons.flatMap((l) => l.topics);
    const quiz = document.quizzes[0] as ContentDocument['quizzes'][number];
    const wrong: string[] = [];
    await device.begin(document);
    state.bad = true;
    let handedIn = 0;
    // If device and server both lose an entry, no witness remains, so only one of them does per history.
    const forgets = random() < 0.5;
    for (let i = 0; i < 22; i++) {
      const dice = random();
      const other = random();
      const extra = random();
      if (extra < 0.18) await device.note(session, other);
      // The office makes a change unknown to the device.
      else if (extra < 0.2)
        await server.database.db.run(sql`update session_delegates set removed_at = now(), removed_by = ${observed.id} where id = ${listed}`);
      else if (extra < 0.22)
        await server.database.db.run(
          sql`update training_sessions set cancelled_at = now(), cancelled_by = ${observed.id}, cancellation_notes = 'No' where id = ${session}`,
        );
      else if (extra < 0.24) await office.move(session, other);
      else if (extra < 0.25) await author.publish(first, other);
      else if (extra < 0.3)
        await device.submit({ id: demoId('course:Fire safety'), title: 'Fire safety' }, other < 0.3 ? Math.floor(other * 900_000) : 20);
      else if (extra < 0.32) await device.say(document);
      else if (dice < 0.1) await device.work(content, other < 0.3);
      else if (dice < 0.16) await device.play(content);
      else if (dice < 0.25) await device.observe(certificate, other < 0.5, other < 0.3 ? Math.floor(other * 900_000) : 0, random() < 0.4);
      else if (dice < 0.3) await device.write({ id: observed.id, name: 'Observed' });
      else if (dice < 0.34) await decideElsewhere(certificate.id, observed.id, other < 0.5);
      else if (dice < 0.62)
        await device.read(
          content,
          topics[Math.floor(random() * topics.length)] as { id: string; title: string },
          random() < 0.5,
          Math.floor(random() * 30),
        );
      else if (dice < 0.74)
        await device.answer(content, quiz.id, quiz.questions[Math.floor(random() * quiz.questions.length)]?.id as string, handedIn + 1);
      else if (dice < 0.8 && handedIn < 2) {
        await device.handIn(content, quiz, handedIn + 1);
        handedIn++;
      } else if (dice < 0.86) await device.restart(!forgets && random() < 0.5);
      else if (dice < 0.89) device.jar.clear();
      else if (dice < 0.92 && forgets)
        // The server is restored from a backup made before this person existed.
        await server.database.db.tx(async (tx) => {
          // Append-only tables: a backup lacks later rows.
          const lost = sql`user_id = ${learner.id} or delegate_id in (select id from session_delegates where session_id = ${session})`;
          await tx.run(sql`set local session_replication_role = replica`);
          await tx.run(sql`delete from result_versions where result_id in (select id from results where ${lost})`);
          await tx.run(sql`delete from results where ${lost}`);
          await tx.run(sql`update standings set cells = standing_of(user_id)`);
          await tx.run(sql`set local session_replication_role = origin`);
          await tx.run(sql`delete from submission_parts where submission_id in (select id from submissions where user_id = ${learner.id})`);
          await tx.run(sql`delete from submissions where user_id = ${learner.id}`);
          await tx.run(sql`delete from attempts where user_id = ${learner.id}`);
          await tx.run(sql`delete from ledger where user_id = ${learner.id}`);
          await tx.run(sql`delete from messages where sender_id = ${learner.id}`);
          await tx.run(sql`delete from feedback where user_id = ${learner.id}`);
          await tx.run(sql`set local session_replication_role = replica`);
          await tx.run(sql`delete from care_evidence_parts where certificate_id = ${certificate.id}`);
          await tx.run(sql`delete from care_evidence where certificate_id = ${certificate.id}`);
          await tx.run(sql`delete from observation_signatures where certificate_id = ${certificate.id}`);
          await tx.run(sql`delete from criterion_decisions where certificate_id = ${certificate.id}`);
          await tx.run(sql`delete from observations where certificate_id = ${certificate.id}`);
          await tx.run(sql`delete from certificate_chain where certificate_id = ${certificate.id}`);
          await tx.run(sql`delete from register_completions where session_id = ${session}`);
          await tx.run(sql`delete from register_signatures where session_id = ${session}`);
          await tx.run(sql`delete from register_marks where session_id = ${session}`);
          await tx.run(sql`delete from session_delegates where session_id = ${session} and added_by = ${learner.id}`);
        });
      else await device.send();
      if (random() < 0.3) await device.send();
    }
    state.bad = false;
    await device.signIn(learner.email);
    if (random() < 0.3) await device.restart(!forgets && random() < 0.5);
    await device.send();
    const left = await device.drain(40, () => random() < 0.5);
    if (left > 0) wrong.push(`${left} entries did not leave the device`);
    const truth = await truthOf(server.database, learner.id);
    wrong.push(...compare(device.saved, truth));
    // Somebody who has begun continues with the version that they began, whatever was published since.
    const stray = truth.versions.filter((v) => v !== document.version);
    if (stray.length > 0) wrong.push(`an attempt begun on version ${document.version} stands on ${stray.join(', ')}`);
    await device.forget();
    return wrong;
  },
  finish: () => server.close(),
};
