import type { BodyOf, ResponseOf } from '#contract/api/endpoint.ts';
import type { checkIn as checkInEndpoint } from '#contract/api/devices.ts';
import type { CopyKey, DeviceReport } from '#contract/entities/device.ts';
import type { GivenUp } from '#contract/entities/failed-change.ts';
import { protocol } from '#contract/protocol.ts';
import { request } from '#src/api/transport.ts';
import { noteServerTime, skewMs } from '#src/offline/clock.ts';
import { copyKeyOf, noteCopyKeyTold } from '#src/offline/keys/signing-key.ts';
import { keepRecovery, lockOf } from '#src/offline/keys/keyring.ts';
import { acknowledgedIds, resend } from '#src/offline/outbox/resend.ts';
import { storageUsed } from '#src/offline/media/storage-used.ts';
import type { Greeter, Greeting } from '#src/offline/ports.ts';
import { laterOrSignIn } from '#src/offline/replay/answer.ts';
import { giveUpAfter } from '#src/offline/replay/backoff.ts';
import { deviceDb, deviceId } from '#src/offline/store/device-db.ts';
import { cameAfterAll, neverCame, noteNeverCame } from '#src/offline/store/never-came.ts';
import { incidentsOf } from '#src/offline/store/open-store.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

const { major, minor, patch } = protocol.version;
export const appVersion = `${major}.${minor}.${patch}`;

const lastContactKey = 'last-contact';
/** Time of the last contact with the server, or null. */
export const lastContact = async (): Promise<string | null> => ((await deviceDb().meta.get(lastContactKey))?.value as string | undefined) ?? null;

const mostKept = 500;
const reportOf = async (db: PersonDb): Promise<DeviceReport> => {
  const [device, waiting, oldest, needs, used, estimate, persisted, lock, incidents, packs] = await Promise.all([
    deviceId(),
    db.outbox.count(),
    db.outbox.orderBy('n').first(),
    db.outbox.filter((e) => e.state === 'needs-person').count(),
    storageUsed(),
    globalThis.navigator?.storage?.estimate?.().catch(() => null),
    globalThis.navigator?.storage?.persisted?.().catch(() => false),
    lockOf(db.personId),
    incidentsOf(db.personId),
    db.packs
      .filter(({ state }) => state === 'ready')
      .limit(mostKept)
      .toArray(),
  ]);
  return {
    device_id: device,
    app_version: appVersion,
    waiting: waiting - needs,
    needs_person: needs,
    oldest_waiting_at: oldest?.at ?? null,
    storage_used: used,
    storage_quota: estimate?.quota ?? null,
    persisted: persisted ?? false,
    clock_behind_ms: Math.round(skewMs()),
    locked_by: [...(lock?.pin ? (['pin'] as const) : []), ...(lock && lock.passkeys > 0 ? (['passkey'] as const) : [])],
    incidents: incidents
      .map(({ at, kind, recovered, lost, data_loss }) => ({ at, kind, recovered, data_loss, ...(lost ? { lost } : {}) }))
      .slice(-20),
    kept: packs.map(({ content_id, version }) => ({ content_id, version })),
  };
};

/** Changes given up because the server fails on them. Uses only unencrypted fields, so it works on a locked device. */
const givenUpOf = async (db: PersonDb): Promise<GivenUp[]> =>
  (await db.outbox.filter((e) => e.state === 'needs-person' && (e.failing?.times ?? 0) >= giveUpAfter.times).toArray())
    .flatMap(({ id, command, failing }) => (failing ? [{ id, command, times: failing.times, since: new Date(failing.since).toISOString() }] : []))
    .slice(0, protocol.givenUpAtOnce);

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The ids of what waits here, so that the server notices what never comes. */
const waitingIds = async (db: PersonDb): Promise<NonNullable<Asked['unsent']>> => {
  const ids = ((await db.outbox.orderBy('id').keys()) as unknown[]).filter((id): id is string => typeof id === 'string' && isUuid.test(id));
  return { ids: ids.slice(0, protocol.unsentIdsAtOnce), complete: ids.length <= protocol.unsentIdsAtOnce };
};

/**
 * Compares what the server was told to wait here, and has not received, with this device. What is neither waiting nor in the archive
 * is listed for the person. Returns the ids of what they set aside themselves.
 */
const accountFor = async (db: PersonDb, missing: Heard['missing']): Promise<string[]> => {
  if (missing.length === 0) return [];
  const ids = missing.map(({ id }) => id);
  const archived = await db.settled.where('id').anyOf(ids).toArray();
  const here = new Set<unknown>([...archived.map(({ id }) => id), ...(await db.outbox.where('id').anyOf(ids).keys())]);
  await noteNeverCame(
    db.personId,
    missing.filter(({ id }) => !here.has(id)).map(({ id, reported_at }) => ({ id, at: reported_at })),
  );
  return archived.filter(({ outcome }) => outcome === 'discarded').map(({ id }) => id);
};

/** Enough to detect that a server has forgotten entries; then all are checked. */
const witnesses = 100;
const atOnce = 1000;
type Heard = ResponseOf<typeof checkInEndpoint>;
type Asked = BodyOf<typeof checkInEndpoint>;

/** The last report of waiting work to the server, by any tab. */
const toldKey = 'told-waiting';
const workOf = ({ waiting, needs_person }: Pick<DeviceReport, 'waiting' | 'needs_person'>) => `${waiting}/${needs_person}`;

/** Reports the device's state, learns which entries the server has forgotten, and queues those again. */
export const greeterFor = (db: PersonDb): Greeter => {
  const checkIn = async (report: DeviceReport, ids: string[], copyKey?: CopyKey, accounted: string[] = []) => {
    const headers = { [protocol.actorHeader]: db.personId };
    const givenUp = await givenUpOf(db);
    const body: Asked = {
      ...{ report, witnesses: ids, unsent: await waitingIds(db) },
      ...(copyKey ? { copy_key: copyKey } : {}),
      ...(givenUp.length > 0 ? { given_up: givenUp } : {}),
      ...(accounted.length > 0 ? { accounted } : {}),
    };
    const result = await request<Heard>('POST', '/devices/check-in', { body, headers });
    if (result.kind === 'ok') await db.kv.put({ key: toldKey, value: workOf(report) });
    return result;
  };
  return {
    greet: async (): Promise<Greeting> => {
      const report = await reportOf(db);
      const copyKey = await copyKeyOf(db.personId);
      const sentAt = Date.now();
      const doubtful = (await neverCame(db.personId)).map(({ id }) => id);
      const result = await checkIn(report, [...(await acknowledgedIds(db, witnesses)), ...doubtful], copyKey);
      if (result.kind !== 'ok') return laterOrSignIn(result);
      // Earlier servers do not compare.
      const { epoch, server_time, organisation_key, missing = [] } = result.data;
      const notCome = new Set(result.data.unknown);
      await cameAfterAll(db.personId, new Set(doubtful.filter((id) => !notCome.has(id))));
      const unknown = result.data.unknown.filter((id) => !doubtful.includes(id));
      const accounted = await accountFor(db, missing);
      if (accounted.length > 0) await checkIn(report, [], undefined, accounted);
      noteServerTime(server_time, sentAt, Date.now());
      await deviceDb().meta.put({ key: lastContactKey, value: new Date().toISOString() });
      await keepRecovery(db.personId, organisation_key as never).catch(() => undefined);
      if (copyKey) await noteCopyKeyTold(db.personId, copyKey).catch(() => undefined);
      const kept = (await db.kv.get('data-epoch'))?.value;
      const forgotten = new Set(unknown);
      if (unknown.length > 0 || (kept !== undefined && kept !== epoch)) {
        for (let offset = 0; ; offset += atOnce) {
          const ids = await acknowledgedIds(db, atOnce, offset);
          if (ids.length === 0) break;
          const more = await checkIn(report, ids);
          if (more.kind !== 'ok') return laterOrSignIn(more);
          for (const id of more.data.unknown) forgotten.add(id);
        }
      }
      const again = forgotten.size > 0 ? await resend(db, [...forgotten]) : 0;
      if (kept !== epoch) await db.kv.put({ key: 'data-epoch', value: epoch });
      return { kind: 'ok', again };
    },
    report: async (): Promise<void> => {
      try {
        const all = await db.outbox.count();
        const needs_person = await db.outbox.filter((e) => e.state === 'needs-person').count();
        const lastReported = (await db.kv.get(toldKey))?.value;
        if (lastReported !== undefined && lastReported !== workOf({ waiting: all - needs_person, needs_person }))
          await checkIn(await reportOf(db), []);
      } catch {
        // The next check-in reports it.
      }
    },
  };
};
