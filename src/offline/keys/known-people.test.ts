import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPassword, lock, openKey, setPin, unlockWithKnownPassword, unlockWithPasswordKey } from '#src/offline/keys/keyring.ts';
import { forgetKnown, isKnown, keepKnown, openKnown, passwordSalt, renewKnown } from '#src/offline/keys/known-people.ts';
import { keyFromPassword } from '#src/offline/keys/lock-keys.ts';
import { dataKeyOf } from '#src/offline/keys/unlocked.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

type Profile = { name: string; email: string };
const amara: Profile = { name: 'Amara Okafor', email: 'amara@home.example' };
const password = 'three green kettles';
const know = async (id: string, person: Profile, secret: string) => {
  const salt = await passwordSalt();
  const key = await keyFromPassword(person.email, secret, salt);
  return { key, salt, profileKey: await keepKnown(id, person, key, salt) };
};

describe('the people whom a device knows', () => {
  let id: string;
  beforeEach(async () => {
    id = crypto.randomUUID();
    await deviceDb().meta.clear();
  });
  afterEach(() => vi.useRealTimers());

  it('are opened by their own address and password only, as they were last shown', async () => {
    const { profileKey } = await know(id, amara, password);
    await know(crypto.randomUUID(), { name: 'Tomasz', email: 'tomasz@home.example' }, 'another password');
    await renewKnown(id, { ...amara, name: 'Amara Bello' }, profileKey);
    expect(await openKnown<Profile>(' Amara@Home.example ', password)).toMatchObject({ kind: 'open', profile: { name: 'Amara Bello' } });
    expect((await openKnown(amara.email, 'another password')).kind).toBe('wrong');
    expect((await openKnown('tomasz@home.example', password)).kind).toBe('wrong');
    expect(await isKnown(id)).toBe(true);
    await forgetKnown(id);
    expect((await openKnown(amara.email, password)).kind).toBe('wrong');
  });
  it('are not named in what is stored', async () => {
    await know(id, amara, password);
    await openKnown(amara.email, 'wrong');
    const stored = JSON.stringify(await deviceDb().meta.toArray()).toLowerCase();
    for (const word of ['amara', 'okafor', 'home.example', password]) expect(stored).not.toContain(word);
  });
  it('are guessed at a pace that slows down, for one address and not for others, also many at once', async () => {
    await know(id, amara, password);
    const answers = await Promise.all(Array.from({ length: 8 }, () => openKnown(amara.email, 'wrong')));
    expect(answers.filter(({ kind }) => kind === 'wrong')).toHaveLength(3);
    expect((await openKnown(amara.email, password)).kind).toBe('wait');
    // Somebody else on this device is not delayed by it.
    const other = { name: 'Tomasz', email: 'tomasz@home.example' };
    await know(crypto.randomUUID(), other, 'another password');
    expect((await openKnown(other.email, 'another password')).kind).toBe('open');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6000 });
    expect((await openKnown(amara.email, password)).kind).toBe('open');
  });
  it('open their work with the same key, with or without a PIN of their own', async () => {
    const { key, salt } = await know(id, amara, password);
    expect(await openKey(id)).toBe(true);
    await keepPassword(id, key, salt);
    const dataKey = dataKeyOf(id);
    await setPin(id, '271828');
    await lock(id);
    expect(dataKeyOf(id)).toBeUndefined();
    expect((await unlockWithKnownPassword(id, amara.email, 'wrong', false)).kind).toBe('wrong');
    expect((await unlockWithKnownPassword(id, amara.email, password, false)).kind).toBe('open');
    expect(dataKeyOf(id)).toEqual(dataKey);
    await lock(id);
    expect(await unlockWithPasswordKey(id, key)).toBe(true);
    expect(dataKeyOf(id)).toEqual(dataKey);
    expect(await unlockWithPasswordKey(id, await keyFromPassword(amara.email, 'wrong', salt))).toBe(false);
  });
});
