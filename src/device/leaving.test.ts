import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptySheet } from '#contract/matrix/sheet.ts';
import { startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { keepRecovery } from '#src/offline/keys/keyring.ts';
import { readKeyRecord } from '#src/offline/keys/key-record.ts';
import { dataKeyOf, dropDataKey, holdDataKey } from '#src/offline/keys/unlocked.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
import { keepMatrix, keptMatrix } from '#src/offline/store/kept-matrices.ts';
import { personDb, unsentOf } from '#src/offline/store/person-db.ts';

describe('what somebody leaves behind who signs out', () => {
  let person: string;
  let organisation: { kid: string; jwk: JsonWebKey };
  const values = new Map<string, string>();
  const left = async () => {
    const { finishLeaving } = await import('#src/device/leaving.ts');
    const { leavingMark, unsealedMark } = await import('#src/device/leaving-mark.ts');
    leavingMark.set(person);
    return { finishLeaving, leavingMark, unsealedMark };
  };
  beforeEach(async () => {
    values.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, text: string) => void values.set(key, text),
      removeItem: (key: string) => void values.delete(key),
    });
    vi.stubGlobal('window', new EventTarget());
    person = crypto.randomUUID();
    const course = { id: crypto.randomUUID(), title: 'Fire safety' };
    await startAttempt(personDb(person), { uuid: person }, { ...course, version: 1, course, lessons: [] } as never);
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['encrypt', 'decrypt'],
    );
    organisation = { kid: crypto.randomUUID(), jwk: await crypto.subtle.exportKey('jwk', publicKey) };
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('is sealed, and nothing more is to be done', async () => {
    await keepRecovery(person, organisation);
    const { finishLeaving, leavingMark, unsealedMark } = await left();
    await finishLeaving();
    expect([leavingMark.get(), unsealedMark.get(), dataKeyOf(person)]).toEqual([null, null, undefined]);
    expect((await readKeyRecord(person))?.open).toBeNull();
    expect(await unsentOf(person)).toBe(1);
  });

  it('has no matrix in it, also where unsent work stays', async () => {
    await keepRecovery(person, organisation);
    const key = dataKeyOf(person) as Uint8Array;
    const at = { person, place: 'place', filter: '{}' };
    await keepMatrix(at, { users: [], courses: ['c'], sheet: emptySheet(0, 1) }, Date.now());
    expect(await keptMatrix(at, Date.now())).not.toBeNull();
    const { finishLeaving } = await left();
    await finishLeaving();
    holdDataKey(person, key);
    expect(await keptMatrix(at, Date.now())).toBeNull();
    dropDataKey(person);
    expect(await unsentOf(person)).toBe(1);
  });

  it('is known not to be sealed where the disk takes nothing, and is sealed at a later start', async () => {
    await keepRecovery(person, organisation);
    const full = vi.spyOn(deviceDb().keys, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    const { finishLeaving, leavingMark, unsealedMark } = await left();
    await finishLeaving();
    expect([leavingMark.get(), unsealedMark.get(), dataKeyOf(person)]).toEqual([null, person, undefined]);
    expect((await readKeyRecord(person))?.open).not.toBeNull();
    full.mockRestore();
    await finishLeaving();
    expect(unsealedMark.get()).toBeNull();
    expect((await readKeyRecord(person))?.open).toBeNull();
    expect(await unsentOf(person)).toBe(1);
  });

  it('is known not to be sealed where this device never met the organisation’s server: nothing could open it again', async () => {
    const { finishLeaving, unsealedMark } = await left();
    await finishLeaving();
    expect(unsealedMark.get()).toBe(person);
    expect((await readKeyRecord(person))?.open).not.toBeNull();
    expect(await unsentOf(person)).toBe(1);
  });
});
