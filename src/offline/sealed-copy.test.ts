import { beforeEach, describe, expect, it } from 'vitest';
import { protocol } from '#contract/protocol.ts';
import { hashOfDataKey, hashOfSealedEntry, verifiedStatement } from '#contract/rules/sealed-copy-signature.ts';
import type { SealedWork } from '#contract/entities/device.ts';
import { startAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { keepRecovery, setPin } from '#src/offline/keys/keyring.ts';
import { copyKeyOf, noteCopyKeyTold } from '#src/offline/keys/signing-key.ts';
import { dataKeyOf, dropDataKey } from '#src/offline/keys/unlocked.ts';
import { partsOfSealedCopy, sealedCopyOf } from '#src/offline/sealed-copy.ts';
import { type PersonDb, personDb } from '#src/offline/store/person-db.ts';

describe('a sealed copy', () => {
  let db: PersonDb;
  beforeEach(async () => {
    db = personDb(crypto.randomUUID());
    const course = { id: crypto.randomUUID(), title: 'Fire safety' };
    await startAttempt(db, { uuid: db.personId }, { ...course, version: 1, course, lessons: [] } as never);
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['encrypt', 'decrypt'],
    );
    await keepRecovery(db.personId, { kid: crypto.randomUUID(), jwk: await crypto.subtle.exportKey('jwk', publicKey) });
  });

  it('is signed with the key that the server received, even while the person is locked; every line is covered', async () => {
    const told = await copyKeyOf(db.personId);
    expect(told?.data_key_hash).toBe(await hashOfDataKey(db.personId, dataKeyOf(db.personId) as Uint8Array));
    // The same key at every check-in, from every tab.
    expect((await copyKeyOf(db.personId))?.kid).toBe(told?.kid);
    // Before the server has the key, a signature would prove nothing.
    expect((await sealedCopyOf(db.personId))?.signed).toBeUndefined();
    await noteCopyKeyTold(db.personId, told as never);
    await setPin(db.personId, '314159');
    dropDataKey(db.personId);
    expect(await copyKeyOf(db.personId)).toBeUndefined();
    const copy = JSON.parse(JSON.stringify(await sealedCopyOf(db.personId))) as SealedWork;
    const said = await verifiedStatement(told?.jwk as never, copy.signed as never);
    expect(said).toMatchObject({ person_id: db.personId, device_id: copy.device_id, made_at: copy.made_at });
    expect(said?.entries).toEqual(await Promise.all(copy.entries.map(hashOfSealedEntry)));
    const altered = String(copy.signed?.statement).replace(/"made_at":"\d{4}/, '"made_at":"2019');
    expect(await verifiedStatement(told?.jwk as never, { ...copy.signed, statement: altered } as never)).toBeNull();
  });

  it('is unsigned if the person was never signed in with such a key', async () => {
    const copy = await sealedCopyOf(db.personId);
    expect([copy?.entries.length, copy?.signed]).toEqual([1, undefined]);
  });

  it('contains everything, and is sent in order in parts that the server accepts', async () => {
    const copy = (await sealedCopyOf(db.personId)) as SealedWork;
    const entries = Array.from({ length: 2 * protocol.sealedEntriesAtOnce + 1 }, (_, n) => ({ ...(copy.entries[0] as (typeof copy.entries)[0]), n }));
    const parts = partsOfSealedCopy({ ...copy, entries });
    expect(parts.map((p) => p.entries.length)).toEqual([protocol.sealedEntriesAtOnce, protocol.sealedEntriesAtOnce, 1]);
    expect(parts.flatMap((p) => p.entries)).toEqual(entries);
  });

  it('may exceed one request', async () => {
    const first = await db.outbox.toCollection().first();
    const { n: _, ...entry } = { ...(first as NonNullable<typeof first>) };
    await db.outbox.bulkAdd(Array.from({ length: protocol.sealedEntriesAtOnce + 5 }, () => ({ ...entry, id: crypto.randomUUID() })) as never);
    expect((await sealedCopyOf(db.personId))?.entries).toHaveLength(protocol.sealedEntriesAtOnce + 6);
  });
});
