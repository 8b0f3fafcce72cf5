import { describe, expect, it } from 'vitest';
import { existing, insertRow, updateRows } from '#server/db/rows.ts';
import { type Db, type Statement, sql, word } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

describe('Rows', () => {
  it('are inserted with the columns that have a value, and with expressions as they are', () => {
    const at = new Date(0);
    expect(insertRow('rooms', { id: 'a', note: undefined, until: null, made: sql`coalesce(made, ${at})`, size: 3 })).toEqual({
      text: 'insert into rooms (id, until, made, size) values ($1, $2, coalesce(made, $3), $4)',
      values: ['a', null, at, 3],
    });
  });

  it('are updated where there is something to write, and left alone otherwise', async () => {
    const ran: Statement[] = [];
    const db = { run: async (statement: Statement) => ran.push(statement) } as Partial<Db> as Db;
    expect(await updateRows(db, 'rooms', { name: undefined }, sql`id = ${'a'}`)).toBe(0);
    expect(await updateRows(db, 'rooms', { name: 'B', note: null, size: undefined }, sql`id = ${'a'}`)).toBe(1);
    expect(ran).toEqual([{ text: 'update rooms set name = $1, note = $2 where id = $3', values: ['B', null, 'a'] }]);
  });

  it('that are missing answer 404', () => {
    expect(existing({ id: 'a' })).toEqual({ id: 'a' });
    for (const missing of [undefined, null, 0, false]) expect(() => existing(missing)).toThrow(ProductError);
  });
});

describe('A statement', () => {
  it('takes only names of tables and columns as words', () => {
    expect(word('person_names').text).toBe('person_names');
    for (const name of ['users; drop table users', 'Users', '"users"', '']) expect(() => word(name)).toThrow('not a name');
  });

  it('does not compile with an object, a function that was not called, or undefined', () => {
    // @ts-expect-error an object
    sql`${{ id: 'a' }}`;
    // @ts-expect-error a function that was not called
    sql`${() => 'a'}`;
    // @ts-expect-error undefined
    sql`${undefined}`;
  });
});
