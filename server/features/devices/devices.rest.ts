import { cutText } from '#contract/rules/cut-text.ts';
import type { deviceEndpoints, importSealedWork } from '#contract/api/devices.ts';
import type { ResponseOf } from '#contract/api/endpoint.ts';
import { noteChange } from '#server/note-change.ts';
import type { DeviceContact, SealedWork } from '#contract/entities/device.ts';
import { sealedEntryIdentity } from '#contract/rules/sealed-entry.ts';
import { errors } from '#contract/errors.ts';
import { protocol } from '#contract/protocol.ts';
import { existing, reference } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { noteCopyKey, proofOf, provedEntries } from '#server/features/devices/copy-keys.ts';
import { openDataKey, organisationKey } from '#server/features/devices/organisation-keys.ts';
import { openSealed } from '#server/http/sealing.ts';
import { noteRefusal, refusalById, refusalRow } from '#server/features/learning/refusals.rows.ts';
import { listedPerson, visiblePerson } from '#server/db/seen.ts';
import { verifyPassword } from '#server/http/passwords.ts';
import { ProductError } from '#server/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { hashOf } from '#server/http/secrets.ts';
import { asActor } from '#server/http/scope-of.ts';
import { sessionSecret } from '#server/http/origin-cookies.ts';
import type { Actor } from '#server/http/sessions.ts';
import { createThrottle } from '#server/http/throttle.ts';
import { failedChanges, forgetFailures, noteGivenUp } from '#server/ledger/failed-changes.ts';
import { type QueuedKinds, type Taken, takeOfKind } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

/** Devices, what waits on them, and work that could not be taken: the server's half of "nothing is ever lost". */
const nearlyFull = 0.9;
type Opened = { id: string; lane: string; command: string; at: string; sentence: string; change: unknown };

/** The entries of a sealed copy that the key opens; null in the place of one that it does not. */
const openEntries = (work: SealedWork, key: Buffer): (Opened | null)[] =>
  work.entries.map((row) => {
    try {
      const place = `entry:${sealedEntryIdentity.map((f) => String(row[f])).join(':')}`;
      const inner = JSON.parse(openSealed(key, Buffer.from(row.sealed, 'base64'), place)) as { args: unknown; sentence?: string };
      const { id, lane, command, at, version, baseRev, skewMs, actor } = row as unknown as Opened & {
        version: number;
        baseRev: number | null;
        skewMs?: number;
        actor: string;
      };
      if (actor !== work.person_id) return null;
      const change = {
        id,
        version,
        at,
        command,
        args: inner.args,
        ...(baseRev === null || baseRev === undefined ? {} : { base_rev: baseRev }),
        ...(skewMs ? { skew_ms: Math.round(skewMs) } : {}),
      };
      return { id, lane, command, at, sentence: cutText(String(inner.sentence ?? command), 500), change };
    } catch {
      return null;
    }
  });

const heldRow = sql`h.entry_id as id, json_build_object('id', u.id, 'name', u.name) as user, h.sentence, h.change ->> 'at' as at, h.imported_at, h.reason, h.decision, h.note,
  ${reference('person_names', sql`h.imported_by`)} as imported_by,
  ${reference('person_names', sql`h.decided_by`)} as decided_by`;

export const deviceHandlers = (services: Services, queued: QueuedKinds): HandlersOf<typeof deviceEndpoints> => {
  const { db, now, secretKey, sessions } = services;
  const throttle = createThrottle(db, now);

  /** Applies one opened entry in its person's name. Answers what became of it. */
  const applyFor = async (inNameOf: Actor, entry: Opened) => {
    const [kind = '', place = ''] = entry.lane.split(/:(.*)/s);
    const aggregate = place.split('/')[0] as string;
    const take = takeOfKind(queued, kind, entry.change);
    if (!take) throw new ProductError('invalid_input');
    return asActor<Actor, Taken<unknown>>(inNameOf, (person) => take(person, aggregate));
  };
  const heldById = async (on: Db, actor: Actor, id: string) =>
    on.one<Record<string, never>>(
      sql`select ${heldRow} from held_work h join users u on u.id = h.user_id where h.entry_id = ${id} and ${visiblePerson(actor)}`,
    );

  return {
    checkIn: async ({ body, actor, request }) => {
      const sent = request.headers[protocol.actorHeader.toLowerCase()];
      if (sent !== undefined && sent !== actor.user.uuid) throw new ProductError('actor_mismatch');
      const { report: r, witnesses } = body;
      await db.run(sql`insert into device_contacts (device_id, user_id, contact_at, app_version, waiting, needs_person, oldest_waiting_at, storage_used, storage_quota, persisted, clock_behind_ms, locked_by, incidents)
        values (${r.device_id}, ${actor.user.uuid}, ${now()}, ${r.app_version}, ${r.waiting}, ${r.needs_person}, ${r.oldest_waiting_at}, ${r.storage_used}, ${r.storage_quota}, ${r.persisted}, ${r.clock_behind_ms}, ${r.locked_by}, ${JSON.stringify(r.incidents)})
        on conflict (device_id, user_id) do update set contact_at = excluded.contact_at, app_version = excluded.app_version, waiting = excluded.waiting, needs_person = excluded.needs_person,
          oldest_waiting_at = excluded.oldest_waiting_at, storage_used = excluded.storage_used, storage_quota = excluded.storage_quota, persisted = excluded.persisted,
          clock_behind_ms = excluded.clock_behind_ms, locked_by = excluded.locked_by,
          incidents = (select coalesce(jsonb_agg(i), '[]') from (select distinct i from jsonb_array_elements(device_contacts.incidents || excluded.incidents) i limit 50) all_incidents)`);
      await forgetFailures(db, actor.user.uuid, witnesses);
      await noteGivenUp(db, actor.user.uuid, r.device_id, body.given_up ?? [], now());
      if (body.copy_key) await noteCopyKey(db, actor.user.uuid, r.device_id, body.copy_key, now());
      const known = new Set(
        (
          await db.all<{ entry_id: string }>(
            sql`select entry_id from ledger where user_id = ${actor.user.uuid} and entry_id = any(${witnesses}::uuid[])`,
          )
        ).map((row) => row.entry_id),
      );
      const epoch = (await db.one<{ value: string }>(sql`select value from settings where key = 'data_epoch'`))?.value ?? '';
      return {
        data: {
          epoch,
          server_time: now().toISOString(),
          unknown: witnesses.filter((id) => !known.has(id)),
          organisation_key: await organisationKey(db, secretKey, actor.user.primary_entity.id),
        },
      };
    },
    rollCall: async ({ actor }) => {
      const rows =
        await db.all<DeviceContact>(sql`select d.device_id, json_build_object('id', u.id, 'name', u.name) as user, d.contact_at, d.app_version, d.waiting, d.needs_person,
          d.oldest_waiting_at, d.storage_used, d.storage_quota, d.persisted, d.clock_behind_ms, d.locked_by, d.incidents,
          coalesce(d.storage_used > d.storage_quota * ${nearlyFull}::float8, false) as storage_nearly_full
        from device_contacts d join users u on u.id = d.user_id where ${listedPerson(actor)}
        order by (d.waiting + d.needs_person > 0) desc, case when d.waiting + d.needs_person > 0 then d.contact_at end, d.contact_at desc limit 2000`);
      return { data: rows };
    },
    recoverKey: async ({ params, body, actor, request }) => {
      existing(params.id === actor.user.uuid);
      const guess = await throttle.begin({ action: 'recover', account: actor.user.email, ip: request.ip });
      const row = await db.one<{ password_hash: string | null }>(sql`select password_hash from users where id = ${actor.user.uuid}`);
      if (!(await verifyPassword(body.password, row?.password_hash))) {
        throw new ProductError('wrong_credentials', { message: 'The password is not right.', fields: { password: ['The password is not right.'] } });
      }
      await guess.succeeded();
      const key = existing(await openDataKey(db, secretKey, actor.user.uuid, body.recovery));
      return { data: { key: key.toString('base64') } };
    },
    importSealedWork: async ({ body, actor, request }) => {
      const person = existing(
        await db.one<{ id: string; name: string; left: boolean; entity_id: string }>(
          sql`select u.id, u.name, u.disabled_at is not null as left, u.primary_entity_id as entity_id from users u where u.id = ${body.person_id} and ${visiblePerson(actor)}`,
        ),
      );
      const key = await openDataKey(db, secretKey, person.id, body.recovery);
      if (!key) throw new ProductError('sealed_copy_unreadable');
      const proof = await proofOf(db, body, key);
      const proved = await provedEntries(body, proof);
      const asPerson = await sessions.actorOf(person.id, '', 'token');
      const answers: ResponseOf<typeof importSealedWork>['entries'] = [];
      // Before anything of it is applied: whatever stops it, it is known who brought it.
      await noteChange(
        db,
        { actor, request },
        {
          ...{ entityId: person.entity_id, action: 'created', subject: { kind: 'sealed_work', id: person.id, name: person.name } },
          after: {
            ...{ entries: body.entries.length, ids: body.entries.map((e) => e.id), proved: proved.filter(Boolean).length },
            ...(proof ? { device_id: proof.statement.device_id, made_at: proof.statement.made_at } : {}),
          },
        },
        now(),
      );
      // A lane stops at its first refusal, as it does on the device.
      const stopped = new Set<string>();
      for (const [i, entry] of openEntries(body, key).entries()) {
        if (!entry) {
          answers.push({
            id: body.entries[i]?.id as string,
            sentence: '',
            outcome: 'unreadable',
            message: errors.sealed_copy_unreadable.message,
          });
          continue;
        }
        if (!proved[i]) {
          // Where nothing of the copy is proved, that is said once, of the whole.
          const message = proof ? 'This line is not as the device signed it. Nothing was received from it.' : null;
          answers.push({ id: entry.id, sentence: entry.sentence, outcome: 'unproved', message });
          // What comes after it in its lane stands on it.
          stopped.add(entry.lane);
          continue;
        }
        const hold = async (reason: string) => {
          await db.run(sql`insert into held_work (entry_id, user_id, lane, change, sentence, imported_by, imported_at, reason)
            values (${entry.id}, ${person.id}, ${entry.lane}, ${JSON.stringify(entry.change)}, ${entry.sentence}, ${actor.user.uuid}, ${now()}, ${reason}) on conflict do nothing`);
          const decided = await db.one<{ decision: string; name: string | null }>(
            sql`select h.decision, d.name from held_work h left join person_names d on d.id = h.decided_by where h.entry_id = ${entry.id} and h.decision is not null`,
          );
          answers.push(
            decided
              ? {
                  ...{ id: entry.id, sentence: entry.sentence, outcome: 'decided' },
                  message: `${decided.name ?? 'Somebody'} has decided on it: ${decided.decision === 'applied' ? 'taken in their name' : 'set aside'}.`,
                }
              : { id: entry.id, sentence: entry.sentence, outcome: 'held', message: reason },
          );
        };
        if (!asPerson) await hold(`${person.name} has left. It waits for a decision.`);
        else if (stopped.has(entry.lane)) await hold('What came before it could not be taken. It waits for a decision.');
        else {
          const { failure } = await applyFor(asPerson, entry).catch((error) => {
            // What the server cannot do now is tried again, and needs nobody's decision.
            if (error instanceof ProductError && error.status < 500) return { failure: { message: error.message } };
            throw error;
          });
          if (failure) {
            stopped.add(entry.lane);
            await hold(failure.message);
          } else answers.push({ id: entry.id, sentence: entry.sentence, outcome: 'applied', message: null });
        }
      }
      const signed = proof && {
        ...{ device_id: proof.statement.device_id, made_at: proof.statement.made_at, known_since: proof.knownSince.toISOString() },
        entries: proof.statement.entries.length,
      };
      return { data: { person: { id: person.id, name: person.name }, signed, entries: answers } };
    },
    listHeldWork: async ({ actor }) => ({
      data: await db.all(
        sql`select ${heldRow} from held_work h join users u on u.id = h.user_id where ${listedPerson(actor)} order by h.decision is not null, h.imported_at desc, h.change ->> 'at' limit 500`,
      ),
    }),
    decideHeldWork: async ({ params, body, actor, request }) => {
      const held = existing(
        await db.one<{
          user_id: string;
          name: string;
          entity_id: string;
          lane: string;
          change: { command: string; at: string };
          sentence: string;
          decision: string | null;
        }>(
          sql`select h.user_id, u.name, u.primary_entity_id as entity_id, h.lane, h.change, h.sentence, h.decision from held_work h join users u on u.id = h.user_id where h.entry_id = ${params.id} and ${visiblePerson(actor)}`,
        ),
      );
      if (held.decision !== null) throw new ProductError('held_work_decided');
      if (body.decision === 'dismissed' && body.note === '')
        throw new ProductError('invalid_input', { fields: { note: ['Say why, so that it can be understood later.'] } });
      if (body.decision === 'applied') {
        const person = existing(await sessions.actorOf(held.user_id, '', 'token', { evenLeft: true }));
        const { failure } = await applyFor(person, {
          id: params.id,
          lane: held.lane,
          command: held.change.command,
          at: held.change.at,
          sentence: held.sentence,
          change: held.change,
        });
        if (failure) throw new ProductError(failure.code, { message: failure.message });
      }
      await db.tx(async (tx) => {
        const decided =
          await tx.run(sql`update held_work set decision = ${body.decision}, decided_by = ${actor.user.uuid}, decided_at = ${now()}, note = ${body.note === '' ? null : body.note}
          where entry_id = ${params.id} and decision is null`);
        if (decided === 0) return;
        await noteChange(
          tx,
          { actor, request },
          {
            ...{ entityId: held.entity_id, action: 'updated', subject: { kind: 'sealed_work', id: held.user_id, name: held.name } },
            after: { entry: params.id, decision: body.decision, ...(body.note === '' ? {} : { note: body.note }) },
          },
          now(),
        );
      });
      return { data: (await heldById(db, actor, params.id)) as never };
    },
    listAllRefusals: async ({ actor }) => ({
      data: await db.all(
        sql`select ${refusalRow} from refusals r join users u on u.id = r.user_id where ${listedPerson(actor)} order by (r.asked_at is not null and r.answered_at is null) desc, r.at desc limit 500`,
      ),
    }),
    listFailedChanges: async ({ actor }) => ({
      data: (await failedChanges(db, listedPerson(actor))).map(({ organisation: _, ...change }) => change),
    }),
    askAboutRefusal: async ({ params, body, actor }) => ({
      data: await noteRefusal(
        db,
        actor,
        params.id,
        body.entry,
        sql`asked_at = ${now()}, question = ${body.question}, answered_at = null, answer = null`,
        now(),
      ),
    }),
    keepRefusalAsEvidence: async ({ params, body, actor }) => ({
      data: await noteRefusal(db, actor, params.id, body.entry, sql`evidence_at = coalesce(refusals.evidence_at, ${now()})`, now()),
    }),
    answerRefusal: async ({ params, body, actor }) => {
      const row = existing(
        await db.one<{ user_id: string }>(
          sql`select r.user_id from refusals r join users u on u.id = r.user_id where r.entry_id = ${params.id} and r.asked_at is not null and ${visiblePerson(actor)}`,
        ),
      );
      await db.run(
        sql`update refusals set answer = ${body.answer}, answered_at = ${now()}, answered_by = ${actor.user.uuid} where user_id = ${row.user_id} and entry_id = ${params.id}`,
      );
      return { data: await refusalById(db, row.user_id, params.id) };
    },
    lockSession: async ({ body, actor }) => {
      await sessions.lock(actor.sessionHash, body.unlock_hash);
    },
    unlockSession: async ({ body, request }) => {
      const cookie = sessionSecret(services, request).secret;
      const guess = await throttle.begin({ action: 'unlock', account: hashOf(cookie ?? '') });
      if (!cookie || !(await sessions.unlock(cookie, body.secret))) throw new ProductError('unauthenticated');
      await guess.succeeded();
    },
  };
};
