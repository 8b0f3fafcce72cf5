import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceReport, SealedWork } from '#contract/entities/device.ts';
import { protocol } from '#contract/protocol.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { forgetOldAnswers } from '#server/jobs/retention.ts';
import { fromBase64, toBase64 } from '#contract/rules/bytes.ts';
import { hashOfDataKey, hashOfSealedEntry, newSigningKey, signStatement } from '#contract/rules/sealed-copy-signature.ts';
import { wrapForOrganisation } from '#src/offline/keys/lock-keys.ts';
import { newDataKey } from '#contract/rules/seal.ts';
import { sealRow } from '#src/offline/store/sealed-rows.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Key = { kid: string; jwk: JsonWebKey };
const report = (more: Partial<DeviceReport> = {}): DeviceReport => ({
  device_id: 'ab12cd34',
  app_version: '1.0.0',
  waiting: 2,
  needs_person: 1,
  oldest_waiting_at: '2026-01-01T00:00:00.000Z',
  storage_used: 95,
  storage_quota: 100,
  persisted: true,
  clock_behind_ms: -3000,
  locked_by: ['pin'],
  incidents: [],
  ...more,
});

describe('devices', () => {
  let server: TestApp;
  let learner: TestClient;
  let admin: TestClient;
  let me: { uuid: string };
  let content: { id: string; current_version: number };
  let topic: string;
  beforeAll(async () => {
    server = await startTestApp();
    learner = server.client();
    me = await learner.signIn('liam.murphy@willowbrook.test');
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    content = (await server.database.db.one(sql`select id, current_version from contents where title ilike '%fire%' limit 1`)) as typeof content;
    const version = await server.database.db.one<{ document: { lessons: { topics: { id: string }[] }[] } }>(
      sql`select document from content_versions where content_id = ${content.id} order by version desc limit 1`,
    );
    topic = version?.document.lessons[0]?.topics[0]?.id as string;
  });
  afterAll(() => server.close());

  const checkIn = async (client: TestClient, witnesses: string[] = [], more: Partial<DeviceReport> = {}) =>
    (
      await client.json<{ data: { epoch: string; unknown: string[]; organisation_key: Key } }>('POST', '/devices/check-in', {
        report: report(more),
        witnesses,
      })
    ).body.data;

  it('answers the roll-call to those who may see the people, with what waited and whose storage is nearly full', async () => {
    await checkIn(learner);
    await checkIn(learner, [], { incidents: [{ at: '2026-01-02T00:00:00.000Z', kind: 'store-lost', recovered: 3, data_loss: 'total' }] });
    const { body } = await admin.json<{
      data: { device_id: string; user: { id: string }; waiting: number; storage_nearly_full: boolean; incidents: object[] }[];
    }>('GET', '/devices');
    expect(body.data).toMatchObject([{ device_id: 'ab12cd34', user: { id: me.uuid }, waiting: 2, needs_person: 1, storage_nearly_full: true }]);
    expect(body.data[0]?.incidents).toHaveLength(1);
    const stranger = server.client();
    await stranger.signIn('admin@brightpath.test');
    expect((await stranger.json<{ data: unknown[] }>('GET', '/devices')).body.data).toEqual([]);
    expect((await learner.json('GET', '/devices')).status).toBe(403);
  });

  it('notices what a device reported as waiting and never sent, and tells the device and the manager', async () => {
    const attempt = await attemptIdOf(me.uuid, content.id, 1);
    const tick = change('attempt.progress', { topic_id: topic, state: 'started', percent: 10, seconds: { d: 1 } });
    const [lost, aside] = [randomUUID(), randomUUID()];
    const say = async (unsent: { ids: string[]; complete: boolean }, more: object = {}) =>
      (
        await learner.json<{ data: { missing: { id: string; reported_at: string }[] } }>('POST', '/devices/check-in', {
          ...{ report: report({ device_id: 'dd00dd00', waiting: unsent.ids.length, needs_person: 0 }), witnesses: [], unsent },
          ...more,
        })
      ).body.data.missing.map(({ id }) => id);
    const seen = async () =>
      (await admin.json<{ data: { device_id: string; missing: number; missing_reported_at: string | null }[] }>('GET', '/devices')).body.data.find(
        ({ device_id }) => device_id === 'dd00dd00',
      );
    expect(await say({ ids: [tick.id, lost, aside], complete: true })).toEqual([]);
    expect(await seen()).toMatchObject({ missing: 0, missing_reported_at: null });
    // Only a part of what waits is named: nothing is said about the rest.
    expect(await say({ ids: [], complete: false })).toEqual([]);
    await learner.json('PATCH', `/attempts/${attempt}`, {
      changes: [change('attempt.start', { content_id: content.id, content_version: content.current_version }), tick],
    });
    expect((await say({ ids: [], complete: true })).sort()).toEqual([lost, aside].sort());
    expect(await seen()).toMatchObject({ missing: 2 });
    expect(await say({ ids: [], complete: true }, { accounted: [aside] })).toEqual([lost]);
    expect(await seen()).toMatchObject({ missing: 1, missing_reported_at: expect.any(String) });
    // It was found on the device after all.
    expect(await say({ ids: [lost], complete: true })).toEqual([]);
    expect(await seen()).toMatchObject({ missing: 0 });
  });

  it('tells a device which acknowledged changes the server no longer knows', async () => {
    const attempt = await attemptIdOf(me.uuid, content.id, 1);
    const start = change('attempt.start', { content_id: content.id, content_version: content.current_version });
    expect((await learner.json('PATCH', `/attempts/${attempt}`, { changes: [start] })).status).toBe(200);
    const lost = randomUUID();
    expect((await checkIn(learner, [start.id, lost])).unknown).toEqual([lost]);
  });

  it('forgets answers after 90 days and ids after 400, and does nothing twice in between', async () => {
    const attempt = await attemptIdOf(me.uuid, content.id, 1);
    const tick = change('attempt.progress', { topic_id: topic, state: 'started', percent: 30, seconds: { d: 10 } });
    const send = () => learner.json<{ data: { rev: number }; meta: { outcomes: object[] } }>('PATCH', `/attempts/${attempt}`, { changes: [tick] });
    const first = await send();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    expect((await forgetOldAnswers(server.database.db, inDays(protocol.ledgerAnswerDays - 1))).answers).toBe(0);
    expect((await forgetOldAnswers(server.database.db, inDays(protocol.ledgerAnswerDays + 1))).answers).toBeGreaterThan(0);
    const again = await send();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.meta.outcomes).toEqual([{ id: tick.id, outcome: 'applied' }]);
    expect(again.body.data.rev).toBe(first.body.data.rev);
    expect((await forgetOldAnswers(server.database.db, inDays(protocol.ledgerIdDays - 1))).ids).toBe(0);
    expect((await forgetOldAnswers(server.database.db, inDays(protocol.ledgerIdDays + 1))).ids).toBeGreaterThan(0);
  });

  describe('sealed', () => {
    const key = newDataKey();
    const kid = randomUUID();
    let pair: Awaited<ReturnType<typeof newSigningKey>>;
    let organisation: Key;
    beforeAll(async () => {
      pair = await newSigningKey();
      const copy_key = { kid, jwk: pair.jwk, data_key_hash: await hashOfDataKey(me.uuid, key) };
      const { body } = await learner.json<{ data: { organisation_key: Key } }>('POST', '/devices/check-in', {
        report: report(),
        witnesses: [],
        copy_key,
      });
      organisation = body.data.organisation_key;
    });
    const entry = (command: string, args: object, sentence: string) => ({
      n: 1,
      id: randomUUID(),
      lane: '',
      command,
      version: 1,
      actor: me.uuid,
      actingAs: null,
      dependsOn: [],
      baseRev: null,
      at: new Date().toISOString(),
      skewMs: 0,
      state: 'waiting',
      tries: 0,
      nextAt: 0,
      args,
      sentence,
      mergeKey: null,
      trouble: null,
    });
    const copyOf = async (made: ReturnType<typeof entry>[], by = pair.key, sealedWith = key): Promise<SealedWork> => {
      const lane = `attempt:${await attemptIdOf(me.uuid, content.id, 1)}`;
      const about = { person_id: me.uuid, device_id: 'ab12cd34', made_at: new Date().toISOString() };
      const entries = made.map((e) => {
        const row = sealRow(sealedWith, 'outbox', { ...e, lane });
        return { ...row, id: e.id, sealed: toBase64(row.sealed as Uint8Array) };
      });
      const signed = await signStatement(kid, by, { ...about, entries: await Promise.all(entries.map(hashOfSealedEntry)) });
      const recovery = await wrapForOrganisation(organisation, me.uuid, sealedWith);
      return { format: 'lantern-sealed-work', version: 1, ...about, recovery, entries, signed };
    };
    type Answer = {
      data: { signed: { device_id: string; made_at: string; entries: number } | null; entries: { outcome: string; sentence: string }[] };
    };
    const handIn = async (copy: SealedWork) => (await admin.json<Answer>('POST', '/sealed-work', copy)).body.data;
    const outcomes = (answer: Answer['data']) => answer.entries.map((e) => e.outcome);
    const progress = (percent: number) =>
      entry('attempt.progress', { topic_id: topic, state: 'started', percent, seconds: { d: 20 } }, 'Reading “Fire”');

    it('gives a forgotten key back for one’s own password, and to nobody else', async () => {
      const recovery = await wrapForOrganisation(organisation, me.uuid, key);
      const ask = (client: TestClient, id: string, password: string) =>
        client.json<{ data: { key: string }; code: string }>('POST', `/users/${id}/recover-key`, { recovery, password });
      expect((await ask(learner, me.uuid, 'wrong')).body.code).toBe('wrong_credentials');
      const { body } = await ask(learner, me.uuid, 'Lantern-demo-1');
      expect(fromBase64(body.data.key)).toEqual(key);
      const adminId = demoId('user:admin@willowbrook.test');
      expect((await ask(admin, me.uuid, 'Lantern-demo-1')).status).toBe(404);
      // A colleague’s wrapped key in one’s own name does not open.
      expect((await ask(admin, adminId, 'Lantern-demo-1')).status).toBe(404);
    });

    it('is applied once, in its own name, and shown line by line', async () => {
      const copy = await copyOf([progress(40), progress(55)]);
      const damaged = { ...copy.entries[1], id: randomUUID() } as SealedWork['entries'][number];
      const send = () =>
        admin.json<{ data: { entries: { outcome: string; sentence: string }[] } }>('POST', '/sealed-work', {
          ...copy,
          entries: [...copy.entries, damaged],
        });
      const first = await send();
      expect(first.body.data.entries.map((e) => [e.outcome, e.sentence])).toEqual([
        ['applied', 'Reading “Fire”'],
        ['applied', 'Reading “Fire”'],
        ['unreadable', ''],
      ]);
      const noted = await server.database.db.all<{ actor: string; entries: number }>(
        sql`select u.email as actor, (a.after ->> 'entries')::int as entries from audit_log a join users u on u.id = a.actor_id where a.subject_kind = 'sealed_work' and a.subject_id = ${me.uuid}`,
      );
      expect(noted).toEqual([{ actor: 'admin@willowbrook.test', entries: 3 }]);
      expect((first.body.data as Answer['data']).signed).toMatchObject({ device_id: 'ab12cd34', made_at: copy.made_at, entries: 2 });
      const attempt = await attemptIdOf(me.uuid, content.id, 1);
      const rev = async () => (await server.database.db.one<{ rev: number }>(sql`select rev from attempts where id = ${attempt}`))?.rev;
      const before = await rev();
      expect((await send()).body.data.entries.map((e) => e.outcome)).toEqual(['applied', 'applied', 'unreadable']);
      expect(await rev()).toBe(before);
      const stranger = server.client();
      await stranger.signIn('admin@brightpath.test');
      expect((await stranger.json('POST', '/sealed-work', copy)).status).toBe(404);
      expect((await learner.json('POST', '/sealed-work', copy)).status).toBe(403);
    });

    it('refuses a copy whose lines were moved to another time, lane or person', async () => {
      const copy = await copyOf([progress(60)]);
      for (const change of [
        { at: '2020-01-01T00:00:00.000Z' },
        { lane: `attempt:${randomUUID()}` },
        { actor: demoId('user:admin@willowbrook.test') },
      ]) {
        const { body } = await admin.json<{ data: { entries: { outcome: string }[] } }>('POST', '/sealed-work', {
          ...copy,
          entries: [{ ...copy.entries[0], ...change }],
        });
        expect(body.data.entries.map((e) => e.outcome)).toEqual(['unreadable']);
      }
      expect(
        (await admin.json<{ code: string }>('POST', '/sealed-work', { ...copy, recovery: { ...copy.recovery, kid: randomUUID() } })).body.code,
      ).toBe('sealed_copy_unreadable');
    });

    it('takes nothing from what its person’s own device has not signed: it is shown, and known who brought it', async () => {
      const percent = async () =>
        (
          await server.database.db.one<{ percent: number }>(
            sql`select percent from topic_progress where attempt_id = ${await attemptIdOf(me.uuid, content.id, 1)} and topic_id = ${topic}`,
          )
        )?.percent;
      const unproved = async () =>
        (await server.database.db.all(sql`select 1 from audit_log where subject_kind = 'sealed_work' and after ->> 'proved' = '0'`)).length;
      const [before, earlier] = [await percent(), await unproved()];
      const { signed, ...unsigned } = await copyOf([progress(66)]);
      const stranger = await newSigningKey();
      // A colleague has the organisation’s public key, too, and can be signed in on the very device: neither makes it hers.
      const otherKey = newDataKey();
      const colleague = server.client();
      const { uuid } = await colleague.signIn('learner@willowbrook.test');
      await colleague.json('POST', '/devices/check-in', {
        ...{ report: report(), witnesses: [] },
        copy_key: { kid: randomUUID(), jwk: stranger.jwk, data_key_hash: await hashOfDataKey(uuid, otherKey) },
      });
      const forged = {
        unsigned,
        'signed by another': await copyOf([progress(66)], stranger.key),
        'sealed with another key, on the device of the person': await copyOf([progress(66)], pair.key, otherKey),
        'with the signature of another copy': { ...unsigned, signed: (await copyOf([progress(66)])).signed } as SealedWork,
        'from another device': {
          ...unsigned,
          signed: await signStatement(kid, pair.key, {
            ...unsigned,
            device_id: 'ffffffff',
            entries: await Promise.all(unsigned.entries.map(hashOfSealedEntry)),
          }),
        } as SealedWork,
        'with another order of time': { ...unsigned, signed, entries: [{ ...unsigned.entries[0], skewMs: 86_400_000 }] } as SealedWork,
        'that says nonsense': { ...unsigned, signed: { kid, statement: '{', signature: '?' } } as SealedWork,
      };
      for (const [what, copy] of Object.entries(forged)) {
        const answer = await handIn(copy);
        expect([what, ...outcomes(answer)]).toEqual([what, 'unproved']);
        expect(answer.entries[0]?.sentence).toBe('Reading “Fire”');
      }
      expect(await percent()).toBe(before);
      expect(await server.database.db.all(sql`select 1 from held_work`)).toEqual([]);
      expect((await unproved()) - earlier).toBe(Object.keys(forged).length);
      // The same, signed: it is taken.
      expect(outcomes(await handIn({ ...unsigned, signed } as SealedWork))).toEqual(['applied']);
    });

    it('takes a line whose sentence ends, where it is cut, in the middle of a symbol', async () => {
      const copy = await copyOf([{ ...progress(64), sentence: `${'a'.repeat(499)}😀` }]);
      const answer = await handIn(copy);
      expect(answer.entries).toMatchObject([{ outcome: 'applied', sentence: 'a'.repeat(499) }]);
    });

    it('takes a copy in parts by the signature of the whole', async () => {
      const copy = await copyOf([progress(61), progress(62), progress(63)]);
      const [first, ...rest] = copy.entries;
      const one = await handIn({ ...copy, entries: [first as never] });
      expect([outcomes(one), one.signed?.entries]).toEqual([['applied'], 3]);
      expect(outcomes(await handIn({ ...copy, entries: rest }))).toEqual(['applied', 'applied']);
    });

    it('keeps the newest keys of a person, and not without end', async () => {
      const client = server.client();
      const { uuid } = await client.signIn('learner@willowbrook.test');
      await server.database.db.run(sql`insert into copy_keys (user_id, kid, data_key_hash, device_id, public_jwk, registered_at)
        select ${uuid}, gen_random_uuid(), 'x', 'old', '{}', now() - interval '1 day' - n * interval '1 second' from generate_series(1, 205) n`);
      const copy_key = { kid: randomUUID(), jwk: pair.jwk, data_key_hash: await hashOfDataKey(uuid, key) };
      await client.json('POST', '/devices/check-in', { report: report(), witnesses: [], copy_key });
      const kept = await server.database.db.all<{ kid: string }>(sql`select kid from copy_keys where user_id = ${uuid} order by registered_at desc`);
      expect([kept.length, kept[0]?.kid]).toEqual([200, copy_key.kid]);
    });

    it('holds the work of a person who has left until a manager decides, with a reason for dismissing', async () => {
      await server.database.db.run(sql`update users set disabled_at = now() where id = ${me.uuid}`);
      const copy = await copyOf([progress(70), progress(80)]);
      const sent = await admin.json<{ data: { entries: { outcome: string; message: string }[] } }>('POST', '/sealed-work', copy);
      expect(sent.body.data.entries.map((e) => e.outcome)).toEqual(['held', 'held']);
      expect(sent.body.data.entries[0]?.message).toContain('has left');
      const held = (await admin.json<{ data: { id: string; decision: string | null; user: { id: string } }[] }>('GET', '/held-work')).body.data;
      expect(held.map((h) => [h.user.id, h.decision])).toEqual([
        [me.uuid, null],
        [me.uuid, null],
      ]);
      const decide = (id: string, decision: string, note: string) =>
        admin.json<{ code: string; data: { decision: string; decided_by: { id: string } } }>('POST', `/held-work/${id}/decision`, { decision, note });
      const [one, two] = copy.entries as unknown as [{ id: string }, { id: string }];
      expect((await decide(one.id, 'dismissed', '')).body.code).toBe('invalid_input');
      expect((await decide(one.id, 'applied', '')).body.data).toMatchObject({
        decision: 'applied',
        decided_by: { id: demoId('user:admin@willowbrook.test') },
      });
      expect((await decide(one.id, 'applied', '')).body.code).toBe('held_work_decided');
      expect((await decide(two.id, 'dismissed', 'Seen on paper already.')).status).toBe(200);
      // Handed in once more, nobody is told that it waits.
      expect((await handIn(copy)).entries.map((e) => e.outcome)).toEqual(['decided', 'decided']);
      const attempt = await attemptIdOf(me.uuid, content.id, 1);
      const row = await server.database.db.one<{ percent: number }>(
        sql`select percent from topic_progress where attempt_id = ${attempt} and topic_id = ${topic}`,
      );
      expect(row?.percent).toBe(70);
    });
  });

  it('shows what was refused to the person and to those who may see their records', async () => {
    const client = server.client();
    const person = await client.signIn('learner@willowbrook.test');
    const attempt = await attemptIdOf(person.uuid, content.id, 1);
    await client.json('PATCH', `/attempts/${attempt}`, {
      changes: [change('attempt.submit_quiz', { quiz_id: randomUUID(), try_no: 1, content_version: 1, answers: {} })],
    });
    const all = (await admin.json<{ data: { user: { id: string }; code: string }[] }>('GET', '/refusals')).body.data;
    expect(all.some((r) => r.user.id === person.uuid)).toBe(true);
    const own = (await client.json<{ data: unknown[] }>('GET', `/users/${person.uuid}/refusals`)).body.data;
    expect(own.length).toBeGreaterThan(0);
    expect((await client.json('GET', '/refusals')).status).toBe(403);
  });

  it('answers nothing in a locked session until the secret is heard', async () => {
    const client = server.client();
    await client.signIn('learner@willowbrook.test');
    const secret = createHash('sha256').update(randomUUID()).digest('hex');
    const unlock_hash = createHash('sha256').update(secret).digest('hex');
    expect((await client.json('POST', '/session/lock', { unlock_hash })).status).toBe(204);
    expect((await client.json('GET', '/auth/user')).status).toBe(401);
    await client.send('GET', '/sanctum/csrf-cookie');
    expect((await client.json('POST', '/session/unlock', { secret: 'f'.repeat(64) })).status).toBe(401);
    expect((await client.json('POST', '/session/unlock', { secret })).status).toBe(204);
    expect((await client.json('GET', '/auth/user')).status).toBe(200);
  });
});
