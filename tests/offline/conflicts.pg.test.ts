import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CareCertificate, ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import type { Delegate, MarkArgs, Register } from '#contract/entities/training-session.ts';
import type { Conversation, Message } from '#contract/entities/message.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { scormTotals } from '#contract/rules/merge-scorm.ts';
import { currentMark } from '#contract/rules/register.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { asideWith, explain, sidesOf } from '#src/offline/kinds/explain.ts';
import { amendObservation, dropCertificate, noteServerCertificate, recordObservation, signRecord } from '#src/offline/kinds/certificate/commands.ts';
import { markRead, noteServerMessages, sendMessage } from '#src/offline/kinds/messages/commands.ts';
import { addWalkIn, completeRegister, markDelegate, noteServerRegister, signMark } from '#src/offline/kinds/register/commands.ts';
import { commitScorm, recordH5p, scormToResume } from '#src/offline/kinds/attempt/package-commands.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { whenAsked } from '#src/offline/outbox/commit.ts';
import { askAgainWhereAgreed, keepMine, keepTheirs, setAside } from '#src/offline/outbox/resolve.ts';
import type { Entry } from '#src/offline/ports.ts';
import { lineTo } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/**
 * What happens when two devices, or two people, change the same thing: for each kind of thing that a device queues, with
 * the real store and engine on this device and the API as the other one. What is shown has no name of a field in it.
 */
const content = demoId('content:fire-safety');
const item = { id: 'sco-1', title: 'Moving and handling' };
const facts = (more: Partial<ScormFacts> = {}): ScormFacts => ({
  ticks: 1,
  seconds: 300,
  completion: 'incomplete',
  success: 'unknown',
  score: null,
  percent: 60,
  cmi: { 'cmi.suspend_data': 'here' },
  ...more,
});
const record = (more: Partial<ObservationRecord> = {}): ObservationRecord => ({
  done_at: '2026-11-21T09:00:00.000Z',
  method: 'observation',
  setting: 'Breakfast',
  seen: 'Offered a choice of drinks and wrote down what was taken.',
  feedback: '',
  criteria: [{ criterion: '8.1a', outcome: 'met', action: null, due: null }],
  ...more,
});
/** The text that the screen shows for an entry. */
const shown = (entry: Entry): string => {
  const sides = sidesOf(entry);
  return [explain(entry), sides?.mine, sides?.theirs, sides?.keepMine, sides?.keepTheirs].filter(Boolean).join('\n');
};
/** Words that a care worker does not use. */
const ours = /[a-z]_[a-z]|instead_of|\bcmi\b|session_id|\bid\b|rev\b|\bnull\b|undefined|409|[0-9a-f]{8}-[0-9a-f]{4}/i;

describe('a conflict', () => {
  let server: TestApp;
  let tablet: RealDevice;
  let other: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    tablet = new RealDevice(lineTo(server.app));
    other = server.client();
  });
  afterEach(() => tablet.forget());
  const needs = async (): Promise<Entry[]> => (await tablet.db.outbox.toArray()).filter((e) => e.state === 'needs-person').map(entryToShow);
  const newPerson = async (like: string, name: string): Promise<{ email: string; id: string }> => {
    const id = randomUUID();
    const email = `${id}@willowbrook.test`;
    await server.database.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, ${name}, ${email}, password_hash, now(), primary_entity_id, role_id, type_id from users where email = ${like}`);
    return { email, id };
  };

  describe('over a package', () => {
    let attempt: { id: string; user_id: string };
    const elsewhere = async (session: string, more: Partial<ScormFacts>, instead_of: string | null) => {
      const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: '2026-11-20T10:00:00.000Z', command, args });
      const answer = await other.json<{ data: Attempt }>('PATCH', `/attempts/${attempt.id}`, {
        changes: [
          change('attempt.start', { content_id: content, content_version: 1 }),
          change('attempt.scorm_commit', { item_id: item.id, session_id: session, ...facts(more) }),
          change('attempt.scorm_resume', { item_id: item.id, session_id: session, instead_of }),
        ],
      });
      expect(answer.status).toBe(200);
      return answer.body.data;
    };
    beforeEach(async () => {
      const person = await newPerson('learner@willowbrook.test', 'Two Devices');
      await other.signIn(person.email);
      await tablet.open(await tablet.signIn(person.email));
      await tablet.begin(await tablet.document(content));
      attempt = { id: tablet.attemptId(content), user_id: person.id };
    });
    const here = () => ({ attempt, item });
    const truth = async () => (await other.json<{ data: Attempt }>('GET', `/attempts/${attempt.id}`)).body.data.scorm[0];

    it('asks where to go on, in words; what was done on both counts either way', async () => {
      const theirs = randomUUID();
      await elsewhere(theirs, { percent: 75, seconds: 600, completion: 'completed', success: 'passed', score: 90 }, null);
      const mine = randomUUID();
      await commitScorm(tablet.db, here(), mine, facts());
      await tablet.send();
      const [entry, ...more] = await needs();
      expect(more).toEqual([]);
      expect(entry?.trouble?.code).toBe('resume_elsewhere');
      expect(sidesOf(entry as Entry)).toMatchObject({
        keepMine: 'Go on at 60 % (this device)',
        keepTheirs: 'Go on at 75 % (the other device)',
      });
      expect(shown(entry as Entry)).not.toMatch(ours);
      // Only that entry waits: the pages after it are sent.
      await tablet.read(content, (await tablet.document(content)).lessons[0]?.topics[0] as { id: string; title: string }, true, 10);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(1);
      expect(scormTotals((await truth())?.sessions ?? [])).toEqual({ completion: 'completed', success: 'passed', score: 90, seconds: 900 });

      await keepMine(tablet.db, entry as Entry);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(await truth()).toMatchObject({ resume: mine });
      expect((await truth())?.sessions.map((s) => s.session_id).sort()).toEqual([mine, theirs].sort());
      expect((await scormToResume(tablet.db, attempt.id, item.id))?.session_id).toBe(mine);
    });

    it('goes on from the other device where the person says so, also instead of what was begun meanwhile', async () => {
      const theirs = randomUUID();
      await elsewhere(theirs, { percent: 75, cmi: { 'cmi.suspend_data': 'there' } }, null);
      await commitScorm(tablet.db, here(), randomUUID(), facts());
      await tablet.send();
      const later = randomUUID();
      await commitScorm(tablet.db, here(), later, facts({ percent: 80 }));
      const [asked] = (await needs()) as [Entry];
      expect(sidesOf(asked, (await tablet.db.outbox.toArray()).map(entryToShow))).toMatchObject({ keepMine: 'Go on where you are on this device' });
      await keepTheirs(tablet.db, asked);
      expect((await scormToResume(tablet.db, attempt.id, item.id))?.session_id).toBe(theirs);
      await tablet.send();
      // What was done in the later session is kept; the package resumes where the choice says.
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await truth())?.resume).toBe(theirs);
      expect((await truth())?.sessions).toHaveLength(3);
    });

    it('does not arise where one device goes on after the other, and the ticks of a session are one entry', async () => {
      const first = randomUUID();
      await elsewhere(first, { cmi: { 'cmi.suspend_data': 'there' } }, null);
      await tablet.send();
      expect((await scormToResume(tablet.db, attempt.id, item.id))?.cmi).toEqual({ 'cmi.suspend_data': 'there' });
      const second = randomUUID();
      for (let tick = 1; tick <= 5; tick++) await commitScorm(tablet.db, here(), second, facts({ ticks: tick, seconds: tick * 10, percent: tick }));
      expect(await tablet.db.outbox.count()).toBe(2);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await truth())?.resume).toBe(second);
      expect((await truth())?.sessions.find((s) => s.session_id === second)).toMatchObject({ ticks: 5, seconds: 50, percent: 5 });
    });

    it('does not arise for an H5P activity: every statement is kept once, the last place wins', async () => {
      const statement = (id: string) => ({ id, at: '2026-11-21T09:00:00.000Z', verb: 'answered', statement: { result: { score: { raw: 1 } } } });
      const [a, b] = [randomUUID(), randomUUID()];
      await recordH5p(tablet.db, here(), [statement(a)], 'place 1');
      await recordH5p(tablet.db, here(), [statement(a), statement(b)], 'place 2');
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const { h5p } = (await other.json<{ data: Attempt }>('GET', `/attempts/${attempt.id}`)).body.data;
      expect(h5p).toEqual([{ item_id: item.id, state: 'place 2', statements: 2, completed: true, score: null }]);
    });
  });

  describe('over a care certificate', () => {
    let certificate: CareCertificate;
    let me: { uuid: string; name: string; email: string };
    const path = () => `/care-certificates/${certificate.id}`;
    const get = async () => (await other.json<{ data: CareCertificate }>('GET', path())).body.data;
    /** The other assessor decides online. */
    const decideElsewhere = async (outcome: string, instead_of: string | null) => {
      const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: '2026-11-21T09:30:00.000Z', command, args });
      const observed = change('observation.record', record({ seen: 'Left the jug out of reach.' }));
      const decided = change('observation.decide', { criterion: '8.1a', outcome, observation_id: observed.id, instead_of });
      const answer = await other.json('PATCH', path(), { changes: [observed, decided] });
      expect(answer.status).toBe(200);
      return decided.id;
    };
    beforeEach(async () => {
      const learner = await newPerson('learner@willowbrook.test', 'Nia Observed');
      const assessor = await newPerson('trainer@willowbrook.test', 'Assessor One');
      const second = await newPerson('trainer@willowbrook.test', 'Assessor Two');
      await other.signIn(second.email);
      const assigned = await other.json<{ data: CareCertificate }>('POST', '/care-certificates', { user_id: learner.id });
      expect(assigned.status).toBe(201);
      certificate = assigned.body.data;
      me = { ...(await tablet.signIn(assessor.email)), name: 'Assessor One', email: assessor.email };
      await tablet.open(me);
      await noteServerCertificate(tablet.db, certificate);
    });

    it('keeps both records and asks which decision counts, in words', async () => {
      await recordObservation(tablet.db, me, certificate, record());
      await decideElsewhere('not_yet_met', null);
      await tablet.send();
      const [entry, ...more] = await needs();
      expect(more).toEqual([]);
      expect((await get()).observations).toHaveLength(2);
      expect(sidesOf(entry as Entry)).toMatchObject({ keepMine: 'Mine counts: met', keepTheirs: 'Theirs counts: not yet met' });
      expect(shown(entry as Entry)).toContain('Assessor Two');
      expect(shown(entry as Entry)).toContain('Left the jug out of reach.');
      expect(shown(entry as Entry)).not.toMatch(ours);
      await keepMine(tablet.db, entry as Entry);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const after = await get();
      expect(after.decisions).toMatchObject([{ criterion: '8.1a', outcome: 'met', by: { name: 'Assessor One' } }]);
      expect(after.observations).toHaveLength(2);
      expect(await tablet.db.decisions.toArray()).toMatchObject([{ outcome: 'met', id: after.decisions[0]?.id }]);
    });

    it('lets the other decision count, also instead of what was decided after it on this device', async () => {
      await recordObservation(tablet.db, me, certificate, record());
      await decideElsewhere('not_yet_met', null);
      await tablet.send();
      await recordObservation(
        tablet.db,
        me,
        certificate,
        record({ seen: 'Seen again.', criteria: [{ criterion: '8.1a', outcome: 'met', action: null, due: null }] }),
      );
      await keepTheirs(tablet.db, (await needs())[0] as Entry);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const after = await get();
      expect(after.observations).toHaveLength(3);
      expect(after.decisions).toMatchObject([{ outcome: 'not_yet_met', by: { name: 'Assessor Two' } }]);
    });

    it('is not asked where the last that was decided here agrees, and names the last where it does not', async () => {
      await recordObservation(tablet.db, me, certificate, record());
      await recordObservation(
        tablet.db,
        me,
        certificate,
        record({ criteria: [{ criterion: '8.1a', outcome: 'not_yet_met', action: null, due: null }] }),
      );
      const theirs = await decideElsewhere('not_yet_met', null);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await get()).decisions).toMatchObject([{ id: theirs }]);
      await recordObservation(tablet.db, me, certificate, record());
      await decideElsewhere('met', theirs);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await get()).observations).toHaveLength(5);
    });

    it('is not asked any more once the same was decided here, and lets theirs count', async () => {
      await recordObservation(tablet.db, me, certificate, record());
      const theirs = await decideElsewhere('not_yet_met', null);
      await tablet.send();
      expect(await needs()).toHaveLength(1);
      const agreeing = record({ criteria: [{ criterion: '8.1a', outcome: 'not_yet_met', action: null, due: null }] });
      await recordObservation(tablet.db, me, certificate, agreeing);
      expect(await needs()).toEqual([]);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await get()).decisions).toMatchObject([{ id: theirs }]);
      expect((await get()).observations).toHaveLength(3);
      expect(await tablet.db.decisions.toArray()).toMatchObject([{ id: theirs, outcome: 'not_yet_met' }]);
    });

    it('takes the signature of a refused correction with it', async () => {
      const id = await recordObservation(tablet.db, me, certificate, record());
      await tablet.send();
      const corrected = await amendObservation(tablet.db, me, certificate, id, 'The time was wrong', record({ setting: 'Lunch' }));
      const again = await amendObservation(tablet.db, me, certificate, corrected, 'Once more', record({ setting: 'Supper' }));
      const content = await contentHash(record({ setting: 'Supper' }));
      const signed = { signer: 'assessor', method: 'drawn', drawing: 'M10 10L20 20', content, agrees: null, comment: '' } as const;
      await signRecord(tablet.db, me, certificate, { about: again, ...signed });
      const trouble = {
        code: 'not_competent',
        message: '',
        resolution: ['keep_theirs', 'ask_manager'],
        current: null,
        at: new Date().toISOString(),
      } as const;
      await tablet.db.outbox
        .where('id')
        .equals(corrected)
        .modify({ state: 'needs-person', trouble: { ...trouble, resolution: [...trouble.resolution] } });
      await keepTheirs(tablet.db, (await needs())[0] as Entry);
      expect(await tablet.db.outbox.count()).toBe(0);
    });

    it('does not arise where both say the same, nor over another criterion', async () => {
      await recordObservation(
        tablet.db,
        me,
        certificate,
        record({
          criteria: [
            { criterion: '8.1a', outcome: 'met', action: null, due: null },
            { criterion: '8.2b', outcome: 'not_yet_met', action: 'Write it down', due: '2026-12-01T00:00:00.000Z' },
          ],
        }),
      );
      const first = await decideElsewhere('met', null);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await get()).decisions.map((d) => [d.criterion, d.id === first])).toEqual([
        ['8.1a', true],
        ['8.2b', false],
      ]);
    });

    it('sets a record aside with its decisions where the assessor may no longer observe; the archive keeps both', async () => {
      await recordObservation(tablet.db, me, certificate, record());
      await server.database.db.run(
        sql`update users set type_id = (select type_id from users where email = 'learner@willowbrook.test') where id = ${me.uuid}`,
      );
      // What a session may is remembered for two seconds.
      server.clock.now = new Date(server.clock.now.getTime() + 3000);
      await tablet.send();
      const [entry, ...more] = await needs();
      expect(more).toEqual([]);
      expect(entry?.command).toBe('observation.record');
      expect(shown(entry as Entry)).not.toMatch(ours);
      await keepTheirs(tablet.db, entry as Entry);
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(await tablet.db.observations.count()).toBe(0);
      expect(await tablet.db.decisions.count()).toBe(0);
      expect((await tablet.db.settled.toArray()).map((e) => [e.command, e.outcome]).sort()).toEqual([
        ['observation.decide', 'discarded'],
        ['observation.record', 'discarded'],
      ]);
    });

    it('leaves the device when it is no longer open to the assessor, and with unsent work it stays', async () => {
      await recordObservation(tablet.db, me, certificate, record());
      expect(await dropCertificate(tablet.db, certificate.id)).toBe(false);
      await tablet.send();
      expect(await dropCertificate(tablet.db, certificate.id)).toBe(true);
      expect([await tablet.db.certificates.count(), await tablet.db.observations.count(), await tablet.db.decisions.count()]).toEqual([0, 0, 0]);
    });

    it('says of a record that the clock jumped before the device was connected again', async () => {
      const id = await recordObservation(tablet.db, me, certificate, record());
      // The device believed in a clock that turned out to be 26 hours behind.
      const jumped = 26 * 3_600_000;
      server.clock.now = new Date(Date.now() + jumped);
      await tablet.signIn(me.email);
      await other.signIn(me.email);
      await tablet.send();
      await recordObservation(tablet.db, me, certificate, record());
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const [before, after] = (await get()).observations;
      expect(before?.id).toBe(id);
      expect(Math.round((before?.clock_off_ms ?? 0) / 3_600_000)).toBe(26);
      // What is done from then on has a corrected time.
      expect(after).toMatchObject({ clock_off_ms: null });
      expect(Math.round((after?.skew_ms ?? 0) / 3_600_000)).toBe(26);
      server.clock.now = new Date();
      await tablet.signIn(me.email);
      await tablet.send();
    });

    it('adds a correction, of one’s own only, and a withdrawal, and changes nothing that stands', async () => {
      const id = await recordObservation(tablet.db, me, certificate, record());
      const corrected = await amendObservation(tablet.db, me, certificate, id, 'The time was wrong', record({ setting: 'Lunch' }));
      await amendObservation(tablet.db, me, certificate, id, 'It was somebody else', null);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const after = await get();
      expect(after.observations.map((o) => [o.kind, o.about])).toEqual([
        ['observation', null],
        ['correction', id],
        ['withdrawal', id],
      ]);
      expect((await tablet.db.observations.get(corrected))?.received_at).not.toBeNull();
      const { status } = await other.json('PATCH', path(), {
        changes: [
          {
            id: randomUUID(),
            version: 1,
            at: '2026-11-21T10:00:00.000Z',
            command: 'observation.correct',
            args: { about: id, reason: 'Not mine', record: record() },
          },
        ],
      });
      expect(status).toBe(404);
      const { db } = server.database;
      await expect(db.run(sql`update observations set reason = 'x' where id = ${id}`)).rejects.toThrow('only ever added');
      await expect(db.run(sql`delete from criterion_decisions where certificate_id = ${certificate.id}`)).rejects.toThrow('only ever added');
    });
  });

  describe('over a message', () => {
    let me: { id: string; name: string };
    let colleague: { id: string; name: string; email: string };
    beforeEach(async () => {
      const writer = await newPerson('learner@willowbrook.test', 'Writer');
      me = { id: writer.id, name: 'Writer' };
      colleague = { ...(await newPerson('learner@willowbrook.test', 'Colleague')), name: 'Colleague' };
      await other.signIn(colleague.email);
      await tablet.open(await tablet.signIn(writer.email));
    });
    const received = async () => (await other.json<{ data: Message[] }>('GET', `/users/${colleague.id}/received/messages`)).body.data;

    it('arrives once and in order, with the time it was written', async () => {
      for (const text of ['One', 'Two', 'Three']) await sendMessage(tablet.db, me, colleague, text);
      expect(await tablet.db.outbox.count()).toBe(3);
      for (let i = 0; i < 3; i++) await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const messages = await received();
      expect(messages.map((m) => m.message).sort()).toEqual(['One', 'Three', 'Two']);
      const { body } = await other.json<{ data: Conversation[] }>('GET', `/users/${colleague.id}/conversations`);
      expect(body.data).toMatchObject([{ person: { name: 'Writer' }, unread_message_count: 3 }]);
      // The recipient gets an e-mail for each, without its text.
      const mails = await server.database.db.all<{ body: string }>(sql`select body from outgoing_mail where recipient = ${colleague.email}`);
      expect(mails).toHaveLength(3);
      expect(mails[0]?.body).not.toContain('One');
      const own = await tablet.db.messages.toArray();
      expect(own.every((m) => m.received_at !== null && messages.some((r) => r.id === m.id && r.sent_at === m.sent_at))).toBe(true);
    });

    it('to somebody who has left is kept and explained, and can be set aside', async () => {
      await sendMessage(tablet.db, me, colleague, 'Can you cover on Sunday?');
      await sendMessage(tablet.db, me, colleague, 'It would be a great help.');
      await server.database.db.run(sql`update users set disabled_at = now() where id = ${colleague.id}`);
      await tablet.send();
      const [entry] = await needs();
      expect(entry?.trouble?.code).toBe('recipient_gone');
      expect(shown(entry as Entry)).not.toMatch(ours);
      expect(await tablet.drain()).toBe(0);
      expect(await tablet.db.messages.count()).toBe(0);
      expect((await tablet.db.settled.toArray()).map((e) => (e.args as { message: string }).message).sort()).toEqual([
        'Can you cover on Sunday?',
        'It would be a great help.',
      ]);
    });

    it('that was read here stays read, whatever another device says', async () => {
      const sent = await other.json<{ data: Message }>('POST', `/users/${me.id}/message`, {
        message: 'Hello',
        messageTypes: ['mail'],
        recipient: me.id,
      });
      expect(sent.status).toBe(200);
      await noteServerMessages(tablet.db, [sent.body.data], new Set());
      await markRead(tablet.db, await tablet.db.messages.toArray());
      await noteServerMessages(tablet.db, [sent.body.data], new Set([sent.body.data.id]));
      expect((await tablet.db.messages.get(sent.body.data.id))?.read_at).not.toBeNull();
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const { body } = await other.json<{ data: Message[] }>('GET', `/users/${colleague.id}/sent/messages`);
      expect(body.data[0]?.read_at).not.toBeNull();
    });

    it('is nobody else’s to read, and goes to nobody of another organisation', async () => {
      await sendMessage(tablet.db, me, colleague, 'Between us');
      await tablet.send();
      const boss = server.client();
      await boss.signIn('admin@willowbrook.test');
      expect((await boss.json('GET', `/users/${colleague.id}/received/messages`)).status).toBe(404);
      const stranger = server.client();
      await stranger.signIn('learner@harbourview.test');
      expect((await stranger.json('POST', `/users/${me.id}/message`, { message: 'Hello' })).status).toBe(404);
    });
  });

  describe('over a register', () => {
    const session = demoId('session:moving');
    const drawn = { method: 'drawn', drawing: 'M10 10L90 40' } as const;
    const here = (more: Partial<MarkArgs> = {}): MarkArgs => ({ presence: 'present', arrived: null, left: null, outcome: null, note: '', ...more });
    let me: { uuid: string; name: string };
    let place = '';
    const read = async () => (await other.json<{ data: Register }>('GET', `/training-sessions/${place}`)).body.data;
    const kept = async () => (await tablet.db.registers.get(place)) as Register;
    const of = (register: Register, name: string) => register.delegates.find((d) => d.name === name) as Delegate;
    const markElsewhere = async (name: string, mark: MarkArgs) => {
      const id = randomUUID();
      const { delegate_id, instead_of } = { delegate_id: of(await read(), name).id, instead_of: null };
      const answer = await other.json('PATCH', `/training-sessions/${place}/register`, {
        changes: [{ id, version: 1, at: '2026-11-21T10:00:00.000Z', command: 'register.mark', args: { delegate_id, instead_of, ...mark } }],
      });
      expect(answer.status).toBe(200);
      return id;
    };
    beforeEach(async () => {
      const trainer = await newPerson('trainer@willowbrook.test', 'Trainer One');
      const colleague = await newPerson('admin@willowbrook.test', 'Colleague Two');
      place = randomUUID();
      const { db } = server.database;
      await db.run(sql`insert into training_sessions select ${place}, entity_id, course_id, ${trainer.id}, date, start_time, end_time, venue, room, aim, max_delegates, grading_method, null, null, null, null, 1, created_by, created_at
        from training_sessions where id = ${session}`);
      await db.run(sql`insert into session_delegates (id, session_id, user_id, name, added_by, added_at)
        select gen_random_uuid(), ${place}, user_id, name, added_by, added_at from session_delegates where session_id = ${session}`);
      await other.signIn(colleague.email);
      await tablet.open(await tablet.signIn(trainer.email));
      me = { uuid: trainer.id, name: 'Trainer One' };
      await noteServerRegister(tablet.db, await read());
    });

    it('asks what counts of one person, in words, and holds up nobody else', async () => {
      const register = await kept();
      await markDelegate(tablet.db, me, register, of(register, 'Grace Adeyemi'), here());
      await signMark(tablet.db, me, register, of(await kept(), 'Grace Adeyemi'), {
        mark_id: of(await kept(), 'Grace Adeyemi').marks.at(-1)?.id as string,
        ...drawn,
      });
      await markDelegate(tablet.db, me, register, of(register, 'Liam Murphy'), here({ outcome: 'passed' }));
      await completeRegister(tablet.db, me, await kept(), { note: '', ...drawn });
      const theirs = await markElsewhere('Grace Adeyemi', here({ presence: 'absent' }));
      await tablet.send();
      const [entry, ...more] = await needs();
      expect(more).toEqual([]);
      expect(entry?.trouble?.code).toBe('marked_elsewhere');
      expect(shown(entry as Entry)).not.toMatch(ours);
      expect(shown(entry as Entry)).toContain('Colleague Two');
      const between = await read();
      expect(between.completed).not.toBeNull();
      expect(of(between, 'Liam Murphy').recorded).toBe(true);
      // The signature of the mark is set aside with it.
      await keepMine(tablet.db, entry as Entry);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const after = of(await read(), 'Grace Adeyemi');
      expect(after.marks.map((m) => [m.presence, m.by.name, m.id === theirs])).toEqual([
        ['absent', 'Colleague Two', true],
        ['present', 'Trainer One', false],
      ]);
      expect(after.signature?.mark_id).toBe(after.marks.at(-1)?.id);
      expect(of(await kept(), 'Grace Adeyemi')).toEqual(after);
    });

    it('lets what the other noted count, also instead of what is noted after it on this device', async () => {
      const register = await kept();
      await markDelegate(tablet.db, me, register, of(register, 'Grace Adeyemi'), here());
      await markElsewhere('Grace Adeyemi', here({ presence: 'absent' }));
      await tablet.send();
      await markDelegate(tablet.db, me, register, of(await kept(), 'Grace Adeyemi'), here({ arrived: '10:00' }));
      const [asked] = (await needs()) as [Entry];
      const all = (await tablet.db.outbox.toArray()).map(entryToShow);
      expect(sidesOf(asked, all)).toMatchObject({ keepMine: 'Mine counts: was there from 10:00', keepTheirs: 'Theirs counts: was not there' });
      expect(asideWith(asked, all)).toContain('“Noted Grace Adeyemi as present at');
      await keepTheirs(tablet.db, asked);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(of(await read(), 'Grace Adeyemi').marks.map((m) => [m.presence, m.arrived])).toEqual([['absent', null]]);
      expect(of(await kept(), 'Grace Adeyemi').marks.map((m) => m.presence)).toEqual(['absent']);
      expect((await tablet.db.settled.toArray()).filter((e) => e.outcome === 'discarded')).toHaveLength(2);
    });

    it('does not arise over what says less, and “not yet” is asked about before it replaces “passed”', async () => {
      const register = await kept();
      const grace = of(register, 'Grace Adeyemi');
      await markDelegate(tablet.db, me, register, grace, here());
      await markDelegate(tablet.db, me, register, grace, here({ outcome: 'not_yet' }));
      await completeRegister(tablet.db, me, await kept(), { note: '', ...drawn });
      const theirs = await markElsewhere('Grace Adeyemi', here({ outcome: 'passed' }));
      await tablet.send();
      const [asked, ...more] = (await needs()) as [Entry];
      expect(more).toEqual([]);
      expect(sidesOf(asked)).toMatchObject({
        keepMine: 'Mine counts: was there, practical not yet',
        keepTheirs: 'Theirs counts: was there, practical passed',
      });
      expect(of(await read(), 'Grace Adeyemi')).toMatchObject({ recorded: true, marks: [{ outcome: null }, { id: theirs, outcome: 'passed' }] });
      await keepTheirs(tablet.db, asked);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(of(await read(), 'Grace Adeyemi')).toMatchObject({ recorded: true, marks: [{ outcome: null }, { id: theirs, outcome: 'passed' }] });
    });

    it('is one mark where both say what the other does not, and is not asked where the last that one says agrees', async () => {
      const register = await kept();
      await markDelegate(tablet.db, me, register, of(register, 'Grace Adeyemi'), here({ note: 'Good with the hoist' }));
      await markDelegate(tablet.db, me, register, of(register, 'Liam Murphy'), here({ presence: 'absent' }));
      // Taken back here, and said by the other: that counts.
      await markDelegate(tablet.db, me, register, of(register, 'Liam Murphy'), here({ outcome: 'passed' }));
      await markDelegate(tablet.db, me, register, of(register, 'Liam Murphy'), here());
      await markElsewhere('Grace Adeyemi', here({ outcome: 'passed' }));
      await markElsewhere('Liam Murphy', here({ outcome: 'passed' }));
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const after = await read();
      expect(of(after, 'Grace Adeyemi').marks.at(-1)).toMatchObject({ presence: 'present', outcome: 'passed', note: 'Good with the hoist' });
      expect(of(after, 'Grace Adeyemi').marks).toHaveLength(3);
      expect(of(after, 'Liam Murphy').marks.at(-1)).toMatchObject({ presence: 'present', outcome: 'passed' });
      expect(of(after, 'Liam Murphy').marks).toHaveLength(4);
    });

    it('is not asked any more once what is noted here agrees; the first mark and its signature are kept behind theirs', async () => {
      const register = await kept();
      const mine = await markDelegate(tablet.db, me, register, of(register, 'Grace Adeyemi'), here());
      await signMark(tablet.db, me, register, of(await kept(), 'Grace Adeyemi'), { mark_id: mine, ...drawn });
      await completeRegister(tablet.db, me, await kept(), { note: '', ...drawn });
      await markElsewhere('Grace Adeyemi', here({ presence: 'absent' }));
      await tablet.send();
      expect(await needs()).toHaveLength(1);
      await markDelegate(tablet.db, me, register, of(await kept(), 'Grace Adeyemi'), here({ presence: 'absent', note: 'Rang in sick' }));
      expect(await needs()).toEqual([]);
      expect(currentMark(of(await kept(), 'Grace Adeyemi'))).toMatchObject({ presence: 'absent', note: 'Rang in sick' });
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(of(await read(), 'Grace Adeyemi').marks.map((m) => [m.presence, m.note])).toEqual([
        ['present', ''],
        ['absent', ''],
        ['absent', 'Rang in sick'],
      ]);
      const signed = sql`select s.id from register_signatures s join register_marks m on m.id = s.mark_id where m.session_id = ${place} and m.presence = 'present'`;
      expect(await server.database.db.all(signed)).toHaveLength(1);
    });

    it('is not asked where the refusal arrives after something that agrees was noted', async () => {
      const register = await kept();
      const stop = whenAsked(askAgainWhereAgreed);
      await markDelegate(tablet.db, me, register, of(register, 'Grace Adeyemi'), here());
      await markElsewhere('Grace Adeyemi', here({ presence: 'absent' }));
      const { line } = tablet;
      tablet.line = async (path, init) => {
        const answer = await line(path, init);
        if (path.includes('/register')) {
          tablet.line = line;
          await markDelegate(tablet.db, me, register, of(await kept(), 'Grace Adeyemi'), here({ presence: 'absent' }));
        }
        return answer;
      };
      await tablet.send();
      expect(await needs()).toEqual([]);
      await tablet.send();
      stop();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(of(await read(), 'Grace Adeyemi').marks.map((m) => m.presence)).toEqual(['present', 'absent', 'absent']);
    });

    it('takes a refused walk-in’s mark and its signature with it, and an unsent completion no longer names them', async () => {
      const register = await kept();
      const id = await addWalkIn(tablet.db, me, register, { user_id: null, name: 'Sunny', note: '' });
      const mark = of(await kept(), 'Sunny').marks.at(-1)?.id as string;
      await signMark(tablet.db, me, register, of(await kept(), 'Sunny'), { mark_id: mark, ...drawn });
      await completeRegister(tablet.db, me, await kept(), { note: '', ...drawn });
      const refused = { code: 'forbidden', message: '', resolution: [], current: null, at: new Date().toISOString() } as const;
      await tablet.db.outbox
        .where('id')
        .equals(id)
        .modify({ state: 'needs-person', trouble: { ...refused, resolution: [] } });
      const [asked] = (await needs()) as [Entry];
      expect(asideWith(asked, (await tablet.db.outbox.toArray()).map(entryToShow))).toContain('“The signature of Sunny for');
      await setAside(tablet.db, asked);
      const left = await tablet.db.outbox.toArray();
      expect(left.map((e) => e.command)).toEqual(['register.complete']);
      expect(((left[0] as Entry).args as { marks: string[] }).marks).not.toContain(mark);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
    });

    it('lets mine count, and what was noted after it on this device stand on mine', async () => {
      const register = await kept();
      await markDelegate(tablet.db, me, register, of(register, 'Grace Adeyemi'), here());
      await markElsewhere('Grace Adeyemi', here({ presence: 'absent' }));
      await tablet.send();
      // The page is opened again: it shows theirs until it has been chosen.
      await noteServerRegister(tablet.db, await read());
      await markDelegate(tablet.db, me, register, of(await kept(), 'Grace Adeyemi'), here({ arrived: '10:00' }));
      await keepMine(tablet.db, (await needs())[0] as Entry);
      await tablet.send();
      expect(await needs()).toEqual([]);
      expect(of(await read(), 'Grace Adeyemi').marks.map((m) => [m.presence, m.arrived])).toEqual([
        ['absent', null],
        ['present', null],
        ['present', '10:00'],
      ]);
    });

    it('does not arise with oneself: a second tap before the first is shown stands on the first', async () => {
      const register = await kept();
      const grace = of(register, 'Grace Adeyemi');
      await Promise.all([
        markDelegate(tablet.db, me, register, grace, here()),
        markDelegate(tablet.db, me, register, grace, here({ presence: 'absent' })),
      ]);
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      expect(of(await read(), 'Grace Adeyemi').marks.map((m) => m.presence)).toEqual(['present', 'absent']);
    });

    it('does not arise over somebody who was put on the list meanwhile: both are the same person', async () => {
      const register = await kept();
      const jade = demoId('user:jade.robinson@willowbrook.test');
      await addWalkIn(tablet.db, me, register, { user_id: jade, name: 'Jade Robinson', note: '' });
      await addWalkIn(tablet.db, me, register, { user_id: null, name: 'Sunny', note: 'agency' });
      expect((await other.json('POST', `/training-sessions/${place}/delegates`, { user_ids: [jade] })).status).toBe(201);
      await tablet.send();
      const listed = of(await kept(), 'Jade Robinson');
      expect((await kept()).delegates.filter((d) => d.name === 'Jade Robinson')).toHaveLength(1);
      await markDelegate(tablet.db, me, register, listed, here({ outcome: 'passed' }));
      await completeRegister(tablet.db, me, await kept(), { note: '', ...drawn });
      await tablet.send();
      expect(await tablet.db.outbox.count()).toBe(0);
      const after = await read();
      expect(of(after, 'Jade Robinson')).toMatchObject({ recorded: true, walk_in: false, marks: [{ outcome: null }, { outcome: 'passed' }] });
      expect(of(after, 'Sunny')).toMatchObject({ walk_in: true, note: 'agency', recorded: false });
    });

    it('keeps what was noted where the trainer may no longer take registers, and sets it aside whole', async () => {
      const register = await kept();
      await addWalkIn(tablet.db, me, register, { user_id: null, name: 'Sunny', note: '' });
      await server.database.db.run(
        sql`update users set type_id = (select type_id from users where email = 'learner@willowbrook.test') where id = ${me.uuid}`,
      );
      server.clock.now = new Date(server.clock.now.getTime() + 3000);
      await tablet.send();
      const [entry] = await needs();
      expect(entry?.command).toBe('register.walk_in');
      expect(shown(entry as Entry)).not.toMatch(ours);
      expect(of(await kept(), 'Sunny').marks).toHaveLength(1);
      await keepTheirs(tablet.db, entry as Entry);
      expect(await tablet.db.outbox.count()).toBe(0);
      expect((await tablet.db.settled.toArray()).map((e) => [e.command, e.outcome]).sort()).toEqual([
        ['register.mark', 'discarded'],
        ['register.walk_in', 'discarded'],
      ]);
    });
  });
});
