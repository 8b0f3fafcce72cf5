import { randomUUID } from 'node:crypto';
import type { BodyOf, Endpoint, QueryOf, ResponseOf } from '#contract/api/endpoint.ts';
import type { Sort } from '#contract/api/sorts.ts';
import type { AuditAction, AuditSubject } from '#contract/entities/audit.ts';
import { contains, countOf, existing, insertRow, orderBy, pagePart, pagesOf, updateRows } from '#server/db/rows.ts';
import { type Db, type Statement, sql, type Value, word } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** The five calls of `resource`. */
export type Calls = readonly [list: Endpoint, get: Endpoint, create: Endpoint, update: Endpoint, remove: Endpoint];
type Fields = Record<string, Value>;
type Query = { page: number; per_page: number; search?: string; sort?: Sort<string> };
/** The sort orders of a list, in ascending form. */
type SortOf<Q> = Q extends { sort?: infer S } ? Exclude<S, undefined | `-${string}`> & string : never;

type Options<Row, Body, New, Key extends string> = {
  /** The table with its joins; its own rows are `t`. */
  from: Statement;
  table: string;
  /** The columns beside `id`, under the names of the contract. */
  row: Statement;
  /** The organisation whose administrators read its changes in the audit log. */
  owner: Statement;
  visible: (actor: Actor) => Statement;
  search: readonly Statement[];
  sorts: Record<Key, Statement>;
  /** The default order. */
  order: Key;
  subject: { kind: AuditSubject; name: (row: Row) => string };
  /** Extra columns of a new row, after checking that it may be added. */
  added: (tx: Db, body: New, actor: Actor) => Fields | Promise<Fields>;
  /** Columns written by every change, after checking the input. */
  columns: (body: Body, actor: Actor) => Fields;
  /** The error if another row has the same unique value. */
  taken?: (body: New) => ProductError;
  /** Writes the rows of dependent tables. */
  saved?: (tx: Db, id: string, body: Body) => Promise<void>;
  /** Why a row cannot be deleted; nothing if it can. */
  inUse?: (tx: Db, id: string, actor: Actor) => Promise<string | false>;
};

/** The operations on a resource: paged lists and single rows among those that the actor sees, and changes, each with its audit entry. */
export const resourceOf = <const L extends Calls>(
  { db, now }: Pick<Services, 'db' | 'now'>,
  calls: L,
  of: Options<ResponseOf<L[1]>, BodyOf<L[3]>, BodyOf<L[2]>, SortOf<QueryOf<L[0]>>>,
) => {
  type Row = ResponseOf<L[1]> & { id: string };
  type Body = BodyOf<L[3]>;
  /** A new row needs at least the changeable fields. */
  type New = BodyOf<L[2]> & Body;
  const table = word(of.table);
  // The audit log shows the changeable fields.
  const fields = Object.keys((calls[3].body as unknown as { shape: object }).shape);
  const auditFields = (row: Row | undefined) => row && Object.fromEntries(fields.map((field) => [field, (row as Record<string, unknown>)[field]]));
  const rows = async (on: Db, actor: Actor, where: Statement, rest = sql``): Promise<{ row: Row; owner: string }[]> =>
    (
      await on.all<Row & { owner: string }>(
        sql`select t.id, ${of.row}, ${of.owner} as owner from ${of.from} where ${of.visible(actor)} and ${where} ${rest}`,
      )
    ).map(({ owner, ...row }) => ({ row: row as unknown as Row, owner }));
  const find = async (on: Db, actor: Actor, id: string) => existing((await rows(on, actor, sql`t.id = ${id}`))[0]);
  const note = async (tx: Db, by: By, action: AuditAction, { row, owner }: { row: Row; owner: string }, before?: Row, after?: Row) => {
    const subject = { kind: of.subject.kind, id: row.id, name: of.subject.name(row) };
    const change = { ...(before ? { before: auditFields(before) } : {}), ...(after ? { after: auditFields(after) } : {}) };
    await noteChange(tx, by, now(), { entityId: owner, action, subject, ...change });
  };
  return {
    page: async (actor: Actor, query: Query) => {
      const where = contains(of.search, query.search);
      const total = await countOf(db, sql`${of.from} where ${of.visible(actor)} and ${where}`);
      const order = orderBy((query.sort ?? of.order) as Sort<SortOf<QueryOf<L[0]>>>, of.sorts, sql`t.id`);
      const page = await rows(db, actor, where, sql`order by ${order} ${pagePart(query)}`);
      return { data: page.map(({ row }) => row), ...pagesOf(`/api${calls[0].path}`, query, total) };
    },
    get: async (actor: Actor, id: string) => (await find(db, actor, id)).row,
    create: (by: By, body: New): Promise<Row> =>
      db.tx(async (tx) => {
        const id = randomUUID();
        const written: Fields = { id, ...(await of.added(tx, body, by.actor)), ...of.columns(body, by.actor) };
        const made = await tx.run(sql`${insertRow(of.table, written)} on conflict do nothing`);
        if (made === 0) throw of.taken?.(body) ?? new ProductError('invalid_input');
        await of.saved?.(tx, id, body);
        const after = await find(tx, by.actor, id);
        await note(tx, by, 'created', after, undefined, after.row);
        return after.row;
      }),
    update: (by: By, id: string, body: Body): Promise<Row> =>
      db.tx(async (tx) => {
        await tx.run(sql`select 1 from ${table} where id = ${id} for update`);
        const before = await find(tx, by.actor, id);
        await updateRows(tx, of.table, of.columns(body, by.actor), sql`id = ${id}`);
        await of.saved?.(tx, id, body);
        const after = await find(tx, by.actor, id);
        await note(tx, by, 'updated', after, before.row, after.row);
        return after.row;
      }),
    remove: (by: By, id: string): Promise<void> =>
      db.tx(async (tx) => {
        await tx.run(sql`select 1 from ${table} where id = ${id} for update`);
        const before = await find(tx, by.actor, id);
        const why = await of.inUse?.(tx, id, by.actor);
        if (why) throw new ProductError('in_use', { message: why });
        await tx.run(sql`delete from ${table} where id = ${id}`);
        await note(tx, by, 'deleted', before, before.row);
      }),
  };
};
export type Resource<L extends Calls> = ReturnType<typeof resourceOf<L>>;
