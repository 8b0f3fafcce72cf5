import Dexie from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type StoredMatrix, packStored, unpackStored } from '#contract/matrix/stored-matrix.ts';
import { doneBit, emptySheet } from '#contract/matrix/sheet.ts';
import { newDataKey } from '#contract/rules/seal.ts';
import { dropDataKey, holdDataKey } from '#src/offline/keys/unlocked.ts';
import { dropMatricesOf, dropOtherMatrices, keepMatrix, keptMatricesName, keptMatrix } from '#src/offline/store/kept-matrices.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 26);
const matrix = (name: string, rows = 5, columns = 7): StoredMatrix => {
  const sheet = emptySheet(rows, columns);
  for (let at = 0; at < rows * columns; at += 2) {
    sheet.states[at] = doneBit | (at % 5);
    sheet.completed[at] = 9000 + at;
    sheet.expires[at] = 9300 + at;
  }
  const user = (row: number) => ({
    ...{ id: `u${row}`, name: `${name} ${row}`, primary_entity_id: 'e', primary_entity_name: 'Zoë’s house' },
    ...{ role_id: null, starter: false, tags: [] },
  });
  return { users: Array.from({ length: rows }, (_, row) => user(row)), courses: Array.from({ length: columns }, (_, i) => `c${i}`), sheet };
};

/** The stored rows, as found by somebody who copies the disk. */
const onDisk = async (): Promise<{ kept: { id: string; person: string }[]; sealed: { id: string; data: ArrayBuffer }[] }> => {
  if (!(await Dexie.exists(keptMatricesName))) return { kept: [], sealed: [] };
  const plain = await new Dexie(keptMatricesName).open();
  const rows = { kept: await plain.table('kept').toArray(), sealed: await plain.table('sealed').toArray() };
  plain.close();
  return rows;
};
const change = async (work: (db: Dexie) => Promise<unknown>) => {
  const plain = await new Dexie(keptMatricesName).open();
  await work(plain);
  plain.close();
};

describe('matrices that a device has had', () => {
  let person: string;
  let of: { person: string; place: string; filter: string };
  beforeEach(() => {
    person = crypto.randomUUID();
    holdDataKey(person, newDataKey());
    of = { person, place: 'place', filter: '{}' };
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await dropMatricesOf(person);
  });

  it('are read as they were kept, of the same choices only', async () => {
    await keepMatrix(of, matrix('Amara'), now);
    expect(await keptMatrix(of, now)).toEqual(matrix('Amara'));
    expect(await keptMatrix({ ...of, filter: '{"roles":["r"]}' }, now)).toBeNull();
    await keepMatrix(of, matrix('Grace', 3, 0), now);
    expect(await keptMatrix(of, now)).toEqual(matrix('Grace', 3, 0));
    expect((await onDisk()).kept).toHaveLength(1);
  });

  it('are encrypted: no name and no choice can be read on the disk, and nothing without the key', async () => {
    await keepMatrix(of, matrix('Amara'), now);
    const { kept, sealed } = await onDisk();
    const text = JSON.stringify(kept) + sealed.map((s) => new TextDecoder('latin1').decode(s.data)).join('');
    expect(text).not.toContain('Amara');
    dropDataKey(person);
    expect(await keptMatrix(of, now)).toBeNull();
    await keepMatrix({ ...of, filter: 'other' }, matrix('Grace'), now);
    expect((await onDisk()).kept).toHaveLength(1);
  });

  it('are nothing to another person on this device, and gone when one looks', async () => {
    await keepMatrix(of, matrix('Amara'), now);
    const other = crypto.randomUUID();
    holdDataKey(other, newDataKey());
    expect(await keptMatrix({ ...of, person: other }, now)).toBeNull();
    expect(await onDisk()).toEqual({ kept: [], sealed: [] });
  });

  it('are bound to their place: what is put in another place is not read, and goes', async () => {
    await keepMatrix(of, matrix('Amara'), now);
    await keepMatrix({ ...of, filter: 'other' }, matrix('Grace'), now);
    await change(async (db) => {
      const [one, two] = await db.table('sealed').toArray();
      await db.table('sealed').bulkPut([
        { ...one, id: two.id },
        { ...two, id: one.id },
      ]);
    });
    expect(await keptMatrix(of, now)).toBeNull();
    expect((await onDisk()).kept).toHaveLength(1);
  });

  it('go where they are of another organisation or old, or were changed on the disk', async () => {
    await keepMatrix(of, matrix('Amara'), now);
    expect(await keptMatrix({ ...of, place: 'elsewhere' }, now)).toBeNull();
    expect((await onDisk()).kept).toEqual([]);
    await keepMatrix(of, matrix('Amara'), now);
    await dropOtherMatrices(person, 'place', now + 13 * day);
    expect((await onDisk()).kept).toHaveLength(1);
    expect(await keptMatrix(of, now + 15 * day)).toBeNull();
    await keepMatrix(of, matrix('Amara'), now);
    await change((db) =>
      db
        .table('sealed')
        .toCollection()
        .modify((row) => new Uint8Array(row.data).reverse()),
    );
    expect(await keptMatrix(of, now)).toBeNull();
    expect(await onDisk()).toEqual({ kept: [], sealed: [] });
  });

  it('are six of a person: the oldest gives way', async () => {
    for (let i = 0; i < 8; i++) await keepMatrix({ ...of, filter: `${i}` }, matrix(`${i}`), now + i);
    expect((await onDisk()).kept).toHaveLength(6);
    expect((await onDisk()).sealed).toHaveLength(6);
    expect(await keptMatrix({ ...of, filter: '1' }, now)).toBeNull();
    expect(await keptMatrix({ ...of, filter: '2' }, now)).toEqual(matrix('2'));
  });

  it('take so much room and no more, and a full disk is no error', async () => {
    const room = { matrices: 6, bytes: 6000, days: 14 };
    const keep = (filter: string, rows: number, at: number) => keepMatrix({ ...of, filter }, matrix(filter, rows, 20), at, room);
    await keep('a', 20, now);
    await keep('b', 20, now + 1);
    expect(await keptMatrix({ ...of, filter: 'a' }, now)).toBeNull();
    expect(await keptMatrix({ ...of, filter: 'b' }, now)).toEqual(matrix('b', 20, 20));
    await keep('c', 40, now + 2);
    expect((await onDisk()).kept).toHaveLength(1);
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await keepMatrix({ ...of, filter: 'd' }, matrix('d'), now + 3);
    vi.restoreAllMocks();
    expect(await keptMatrix({ ...of, filter: 'd' }, now)).toBeNull();
  });

  it('are dropped of somebody as a whole', async () => {
    await keepMatrix(of, matrix('Amara'), now);
    await keepMatrix({ ...of, filter: 'other' }, matrix('Grace'), now);
    await dropMatricesOf(person);
    expect(await onDisk()).toEqual({ kept: [], sealed: [] });
  });

  it.each([
    ['nothing', new ArrayBuffer(0)],
    ['zeros', new ArrayBuffer(100)],
    ['a length that is none', Uint8Array.from([255, 255, 255, 255, 1]).buffer],
    ['less than all', packStored(matrix('Amara')).buffer.slice(0, -1)],
    ['another version', Uint8Array.from([...packStored(matrix('Amara'))].map((b) => (b === 49 ? 57 : b))).buffer],
  ])('are none where there is %s', (_, bytes) => expect(unpackStored(bytes)).toBeNull());
});
