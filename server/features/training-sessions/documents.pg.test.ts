import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSessionDocuments } from '#contract/api/session-documents.ts';
import { type ContentFile, contentFileLimits } from '#contract/entities/content-file.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import { documentLimits, type SessionDocument } from '#contract/entities/session-document.ts';
import type { Register } from '#contract/entities/training-session.ts';
import type { CompanySettings } from '#contract/entities/training-company.ts';
import { addDays, dayIn, dayWords } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { sendNotices } from '#server/features/training-sessions/session-notices.service.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { readConfig } from '#server/config.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer<T> = { data: T; code?: string; message?: string; errors?: Record<string, string[]> };
const userOf = (who: string) => demoId(`user:${who.includes('@') ? who : `${who}@willowbrook.test`}`);
const provider = 'admin@brightpath.test';
const course_id = demoId('course:Moving and assisting people');
const slides = Buffer.from('%PDF-1.7\n% Slides of the day');

describe('documents of a training session', () => {
  let server: TestApp;
  const clients = new Map<string, TestClient>();
  const as = (who: string) => clients.get(who) as TestClient;
  const send = <T = SessionDocument[]>(who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    as(who).json<Answer<T>>(method, path, body);
  let next = 40;
  const planned = async (who = 'admin', more: object = {}): Promise<string> => {
    const date = addDays(dayIn(server.clock.now, 'Europe/London'), next++);
    const plan = {
      date,
      startTime: '18:30',
      endTime: '20:30',
      venue: 'Mill Lane',
      room: '',
      aim: '',
      grading_method: 'attendance',
      maxDelegates: 12,
    };
    const trainer_id = who === provider ? userOf(provider) : userOf('trainer');
    const made = await send<Register>(who, 'POST', '/training-sessions', { ...plan, course_id, trainer_id, availableTo: 'clients', ...more });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data.id;
  };
  /** A complete upload; returns the id by which it is added. */
  const sent = async (bytes: Buffer = slides, name = 'slides.pdf', who = 'admin'): Promise<string> => {
    const begun = await send<ContentFile>(who, 'POST', '/content/files', { kind: 'document', name, bytes: bytes.length });
    expect(begun.status, JSON.stringify(begun.body)).toBe(201);
    const { id } = begun.body.data;
    const { pieceBytes } = contentFileLimits;
    for (let no = 0; no * pieceBytes < bytes.length; no++)
      await as(who).json('POST', `/content/files/${id}/pieces/${no}`, bytes.subarray(no * pieceBytes, (no + 1) * pieceBytes), {
        'content-type': 'application/octet-stream',
      });
    return id;
  };
  const add = async (session: string, more: object = {}, who = 'admin') =>
    send(who, 'POST', `/training-sessions/${session}/documents`, {
      ...{ name: 'Slides', audience: 'delegates', upload_id: await sent(slides, 'slides.pdf', who) },
      ...more,
    });
  const list = async (session: string, who = 'admin') => (await send(who, 'GET', `/training-sessions/${session}/documents`)).body.data;
  const names = async (session: string, who = 'admin') => (await list(session, who)).map((d) => d.name);
  const put = (session: string, who: string, by = 'admin') =>
    send(by, 'POST', `/training-sessions/${session}/delegates`, { user_ids: [userOf(who)] });
  const own = async (session: string, who = 'learner') =>
    (await send<OwnBooking[]>(who, 'GET', '/bookings/own')).body.data.find((b) => b.session_id === session) as OwnBooking;
  const ownFile = (booking: OwnBooking, document: string, who = 'learner') =>
    as(who).send('GET', `/bookings/own/${booking.id}/documents/${document}/file`);
  const file = (session: string, document: string, who = 'admin') => as(who).send('GET', `/training-sessions/${session}/documents/${document}/file`);

  beforeAll(async () => {
    server = await startTestApp();
    // May change bookings, and create no contents.
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id) values (${userOf('learner@harbourview.test')}, 11)`);
    for (const who of ['admin', 'trainer', 'learner', 'manager', provider, 'learner@harbourview.test']) {
      const client = server.client();
      await client.signIn(who.includes('@') ? who : `${who}@willowbrook.test`);
      clients.set(who, client);
    }
  });
  afterAll(() => server.close());

  it('are added, listed by name, renamed, opened and removed by its planners, and read by its trainer', async () => {
    const session = await planned();
    expect(await list(session)).toEqual([]);
    await add(session, { name: 'slides of the day' });
    const added = await add(session, { name: 'Risk assessment', audience: 'trainers' });
    expect(added.status).toBe(201);
    expect(listSessionDocuments.response.safeParse(added.body.data).error).toBeUndefined();
    expect(added.body.data).toMatchObject([
      { name: 'Risk assessment', audience: 'trainers', ending: 'pdf', bytes: slides.length, in_following: false },
      { name: 'slides of the day', audience: 'delegates' },
    ]);
    const [risk] = added.body.data as [SessionDocument];
    const changed = await send('admin', 'PATCH', `/training-sessions/${session}/documents/${risk.id}`, { name: 'Zones of risk' });
    expect(changed.body.data.map((d) => [d.name, d.audience])).toEqual([
      ['slides of the day', 'delegates'],
      ['Zones of risk', 'trainers'],
    ]);
    expect((await send('admin', 'PATCH', `/training-sessions/${session}/documents/${risk.id}`, { name: ' ' })).body.errors).toHaveProperty('name');
    for (const who of ['admin', 'trainer']) {
      const opened = await file(session, risk.id, who);
      expect([opened.statusCode, opened.headers['content-type'], opened.rawPayload.equals(slides)]).toEqual([200, 'application/pdf', true]);
      expect(opened.headers['content-disposition']).toContain('filename="Zones of risk.pdf"');
    }
    // The trainer reads, and changes nothing.
    expect((await send('trainer', 'DELETE', `/training-sessions/${session}/documents/${risk.id}`)).status).toBe(403);
    expect((await send('admin', 'DELETE', `/training-sessions/${session}/documents/${risk.id}`)).body.data.map((d) => d.name)).toEqual([
      'slides of the day',
    ]);
    expect((await file(session, risk.id)).statusCode).toBe(404);
    const log = await server.database.db.all<{ after: object }>(
      sql`select after from audit_log where subject_id = ${session} and action = 'updated' order by no`,
    );
    expect(log.map((l) => l.after)).toEqual([
      { document_added: 'slides of the day, for delegates' },
      { document_added: 'Risk assessment, for trainers only' },
      { document_changed: 'Zones of risk, for trainers only' },
      { document_removed: 'Zones of risk' },
    ]);
  });

  it('for delegates are read by those on the list, for as long as they are on it; those for trainers never', async () => {
    const session = await planned();
    await add(session, { name: 'Joining instructions' });
    await add(session, { name: 'Answers of the test', audience: 'trainers' });
    const [answers, joining] = (await list(session)) as [SessionDocument, SessionDocument];
    await put(session, 'learner');
    const booking = await own(session);
    expect(booking.documents).toEqual([{ id: joining.id, name: 'Joining instructions', ending: 'pdf', bytes: slides.length }]);
    const opened = await ownFile(booking, joining.id);
    expect([opened.statusCode, opened.rawPayload.equals(slides), opened.headers['cache-control']]).toEqual([200, true, 'private, no-store']);
    expect((await ownFile(booking, answers.id)).statusCode).toBe(404);
    // Not by somebody else's booking, and not by the office's call.
    expect((await ownFile(booking, joining.id, 'manager')).statusCode).toBe(404);
    expect((await file(session, joining.id, 'learner')).statusCode).toBe(403);
    const delegate = (await send<Register>('admin', 'GET', `/training-sessions/${session}`)).body.data.delegates[0];
    await send('admin', 'DELETE', `/training-sessions/${session}/delegates/${delegate?.id}`);
    expect((await own(session)).documents).toEqual([]);
    expect((await ownFile(booking, joining.id)).statusCode).toBe(404);
    // People on the waiting list have none.
    await send('admin', 'PATCH', `/training-sessions/${session}`, { maxDelegates: 1 });
    await put(session, 'manager');
    await send('admin', 'POST', `/training-sessions/${session}/waiting`, { user_ids: [userOf('learner')] });
    expect((await own(session)).documents).toEqual([]);
  });

  it('of a provider are read by a client’s delegate, and not by the client’s office', async () => {
    const session = await planned(provider);
    await add(session, {}, provider);
    const [document] = (await list(session, provider)) as [SessionDocument];
    await server.database.db.run(sql`insert into session_delegates (id, session_id, user_id, name, note, added_by, added_at)
      values (gen_random_uuid(), ${session}, ${userOf('learner')}, 'Amara', '', ${userOf(provider)}, now())`);
    const booking = await own(session);
    expect(booking.documents?.map((d) => d.name)).toEqual(['Slides']);
    expect((await ownFile(booking, document.id)).rawPayload.equals(slides)).toBe(true);
    for (const answer of [
      await send('admin', 'GET', `/training-sessions/${session}/documents`),
      await send('admin', 'PATCH', `/training-sessions/${session}/documents/${document.id}`, { name: 'Ours' }),
      await send('admin', 'DELETE', `/training-sessions/${session}/documents/${document.id}`),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await file(session, document.id)).statusCode).toBe(404);
    const other = await planned();
    // A document is found in its own session only.
    expect((await file(other, document.id)).statusCode).toBe(404);
    expect(await names(session, provider)).toEqual(['Slides']);
  });

  it('come into the sessions of a series that follow, and are renamed and removed there as well where that is asked', async () => {
    const first = await planned('admin', { repeat: { every_weeks: 1, times: 3 } });
    next += 21;
    const series = (
      await server.database.db.all<{ id: string }>(
        sql`select t.id from training_sessions f join training_sessions t on t.series_id = f.series_id where f.id = ${first} order by t.date`,
      )
    ).map((row) => row.id) as [string, string, string];
    const [, second, third] = series;
    await add(second, { name: 'Handout', following: true });
    expect(await Promise.all(series.map((id) => names(id)))).toEqual([[], ['Handout'], ['Handout']]);
    const [handout] = (await list(second)) as [SessionDocument];
    expect([handout.in_following, (await list(third))[0]?.in_following]).toEqual([true, false]);
    const path = `/training-sessions/${second}/documents/${handout.id}`;
    await send('admin', 'PATCH', path, { name: 'Handout of May' });
    expect(await names(third)).toEqual(['Handout']);
    await send('admin', 'PATCH', path, { audience: 'trainers', following: true });
    expect((await list(third))[0]).toMatchObject({ name: 'Handout', audience: 'trainers' });
    await send('admin', 'DELETE', `${path}?following=true`);
    expect([await names(second), await names(third)]).toEqual([[], []]);
  });

  it('are of the declared type, small enough, not too many, and sent by planners', async () => {
    const session = await planned();
    const refused = await add(session, { upload_id: await sent(Buffer.from('MZ\0\0a program'), 'slides.pdf') });
    expect([refused.status, refused.body.errors]).toEqual([422, { upload_id: ['This is not a .pdf file: it may be damaged, or named wrongly.'] }]);
    expect((await add(session, { upload_id: await sent(slides, 'slides.exe') })).body.errors?.upload_id?.[0]).toMatch(
      /^Files of this kind cannot be/,
    );
    const large = { kind: 'document', name: 'film.pdf', bytes: documentLimits.bytes + 1 };
    expect((await send('admin', 'POST', '/content/files', large)).body.errors?.bytes).toEqual(['This file is too large: 50 MB at most.']);
    expect((await send('trainer', 'POST', '/content/files', { ...large, bytes: 10 })).status).toBe(403);
    // Files sent by somebody else, or as a part of a content, are not documents; and each is added once.
    expect((await add(session, { upload_id: await sent(slides, 'slides.pdf', provider) })).status).toBe(404);
    const upload_id = await sent();
    expect((await send('admin', 'POST', `/content/files/${upload_id}/finish`)).body.errors).toHaveProperty('file');
    expect((await add(session, { upload_id })).status).toBe(404);
    const once = await sent();
    expect([(await add(session, { upload_id: once })).status, (await add(session, { upload_id: once })).status]).toEqual([201, 404]);
    await server.database.db.run(sql`insert into session_documents (id, session_id, shared_id, name, ending, type, bytes, hash, audience, added_by, added_at)
      select gen_random_uuid(), session_id, gen_random_uuid(), name, ending, type, bytes, hash, audience, added_by, added_at
      from session_documents, generate_series(2, ${documentLimits.perSession}) where session_id = ${session}`);
    expect((await add(session)).body.errors?.upload_id).toEqual(['This session has 30 documents, which is the most. Remove one first.']);
    await send('admin', 'POST', `/training-sessions/${session}/cancellation`, { notes: 'Ill.' });
    expect((await add(session)).body).toMatchObject({ code: 'session_over', message: 'This session is cancelled.' });
    // People who may only plan cannot upload files of contents.
    const video = { kind: 'video', name: 'film.mp4', bytes: 10 };
    expect((await send('learner@harbourview.test', 'POST', '/content/files', video)).status).toBe(403);
    expect((await send('learner@harbourview.test', 'POST', '/content/files', { ...video, kind: 'document', name: 'a.pdf' })).status).toBe(201);
  });

  describe('are announced', () => {
    const minutes = (n: number) => {
      server.clock.now = new Date(server.clock.now.getTime() + n * 60_000);
    };
    const look = async () => {
      const { db } = server.database;
      const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
      return sendNotices({ db, config, mail: createMailer(config, db, brandOfAddress), now: () => server.clock.now, log: server.app.log });
    };
    const noticesTo = async (who: string) =>
      (
        await server.database.db.all<{ message: string }>(
          sql`select message from messages where recipient_id = ${userOf(who)} and message like 'New documents%' order by sent_at, message`,
        )
      ).map((m) => m.message);
    const mails = (who: string) =>
      server.database.db.all<{ body: string }>(
        sql`select body from outgoing_mail where recipient = ${`${who}@willowbrook.test`} and subject like 'New documents%' order by at`,
      );
    const dayOf = async (session: string) => (await send<Register>('admin', 'GET', `/training-sessions/${session}`)).body.data.date;

    it('once, together, ten minutes after the last of them: those on the list of what is for them, the trainer of what is for trainers', async () => {
      // Added by the other tests here.
      minutes(20);
      await look();
      await server.database.db.run(sql`delete from messages where message like 'New documents%'`);
      await server.database.db.run(sql`delete from outgoing_mail where subject like 'New documents%'`);
      const session = await planned();
      await put(session, 'learner');
      const date = dayWords(await dayOf(session));
      await add(session, { name: 'Slides of the day' });
      minutes(5);
      await add(session, { name: 'Joining instructions' });
      await add(session, { name: 'Risk assessment', audience: 'trainers' });
      const gone = (await add(session, { name: 'By mistake' })).body.data.find((d) => d.name === 'By mistake');
      minutes(6);
      await look();
      expect(await noticesTo('learner')).toEqual([]);
      await send('admin', 'DELETE', `/training-sessions/${session}/documents/${gone?.id}`);
      minutes(5);
      await Promise.all([look(), look()]);
      await look();
      const text = `New documents for your training.\n“Moving and assisting people” on ${date}: Joining instructions, Slides of the day.\nYou find them under Your bookings.`;
      expect(await noticesTo('learner')).toEqual([text]);
      expect(await mails('learner')).toEqual([{ body: expect.stringContaining(`${text}\n\nhttp`) }]);
      expect((await mails('learner'))[0]?.body).toContain('/your-bookings');
      expect(await noticesTo('trainer')).toEqual([expect.stringContaining(`on ${date}: Risk assessment.`)]);
      expect((await mails('trainer'))[0]?.body).toContain(`/training-sessions/${session}`);
      // Nobody else, and not the person who added them.
      for (const who of ['admin', 'manager', provider]) expect([who, await noticesTo(who)]).toEqual([who, []]);
    });

    it('where they are made to be for others; what only changes its name, is removed, or is of a cancelled session tells nobody', async () => {
      const before = await noticesTo('learner');
      const session = await planned();
      await put(session, 'learner');
      const [document] = (await add(session, { name: 'Notes', audience: 'trainers' })).body.data;
      minutes(11);
      await look();
      expect(await noticesTo('learner')).toEqual(before);
      const path = `/training-sessions/${session}/documents/${document?.id}`;
      await send('admin', 'PATCH', path, { name: 'Notes of the day', audience: 'trainers' });
      minutes(11);
      await look();
      expect(await noticesTo('learner')).toEqual(before);
      await send('admin', 'PATCH', path, { audience: 'delegates' });
      await look();
      expect(await noticesTo('learner')).toHaveLength(before.length + 1);
      await send('admin', 'DELETE', path);
      await add(session, { name: 'Too late' });
      await send('admin', 'POST', `/training-sessions/${session}/cancellation`, { notes: 'The hall is flooded.' });
      minutes(11);
      await look();
      expect(await noticesTo('learner')).toHaveLength(before.length + 1);
    });

    it('in the words of who provides the session, and without an e-mail where it sends none; trainers as ever', async () => {
      const session = await planned();
      await put(session, 'learner');
      const { entity, startTime } = (await send<Register>('admin', 'GET', `/training-sessions/${session}`)).body.data;
      const settings = `/entities/${entity.slug}/training-company`;
      const text = 'New documents, {name}: {documents} for {course} at {start} by {provider}.';
      const preferences = async (documents: object[]) => {
        const { rev } = (await send<CompanySettings>('admin', 'GET', settings)).body.data;
        return send('admin', 'PATCH', settings, { rev, communication_preferences_json: documents });
      };
      expect((await preferences([{ kind: 'documents', email: false, text: 'New: {reason}' }])).status).toBe(422);
      expect((await preferences([{ kind: 'documents', email: false, text }])).status).toBe(200);
      const before = {
        messages: (await noticesTo('learner')).length,
        mails: (await mails('learner')).length,
        trainer: (await mails('trainer')).length,
      };
      await add(session, { name: 'Map' });
      await add(session, { name: 'Answers', audience: 'trainers' });
      minutes(11);
      await look();
      const messages = await noticesTo('learner');
      expect(messages).toHaveLength(before.messages + 1);
      expect(messages.at(-1)).toMatch(new RegExp(`^New documents, .+: Map for Moving and assisting people at ${startTime} by ${entity.name}\\.$`));
      expect(await mails('learner')).toHaveLength(before.mails);
      expect(await mails('trainer')).toHaveLength(before.trainer + 1);
      expect((await noticesTo('trainer')).at(-1)).toContain('Answers.\nYou find them on the page of the session.');
      await preferences([]);
    });

    it('once for the sessions of a series, to who is on several and who gives them', async () => {
      const before = { learner: (await noticesTo('learner')).length, trainer: (await noticesTo('trainer')).length };
      const date = addDays(dayIn(server.clock.now, 'Europe/London'), 400);
      const session = await planned('admin', { date, repeat: { every_weeks: 1, times: 3 } });
      const { db } = server.database;
      const all = await db.all<{ id: string }>(
        sql`select id from training_sessions where series_id = (select series_id from training_sessions where id = ${session}) order by date`,
      );
      for (const { id } of all) await put(id, 'learner');
      await add(session, { name: 'Workbook', following: true });
      await add(session, { name: 'Answers', audience: 'trainers', following: true });
      minutes(11);
      await look();
      const [learner, trainer] = [await noticesTo('learner'), await noticesTo('trainer')];
      expect([learner.length, trainer.length]).toEqual([before.learner + 1, before.trainer + 1]);
      expect(learner.at(-1)?.match(/: Workbook\./g)).toHaveLength(all.length);
      expect(trainer.at(-1)?.match(/: Answers\./g)).toHaveLength(all.length);
    });
  });
});
