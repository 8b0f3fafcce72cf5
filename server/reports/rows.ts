import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';
import type { AnySource } from '#server/reports/report-source.ts';

/** How many rows are held at once, however long a report is. */
export const rowsAtOnce = 200;
type Row = { id: string };
type Place = { id: string; sort: string };

export const countRows = async (db: Db, select: Statement): Promise<number> =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from (${select}) r`))?.n ?? 0;

const inOrder = async (db: Db, source: AnySource, actor: Actor, places: readonly Place[]): Promise<Row[]> => {
  if (places.length === 0) return [];
  const rows = new Map(
    (
      await source.read(
        db,
        actor,
        places.map((p) => p.id),
      )
    ).map((r) => [r.id, r]),
  );
  return places.flatMap((p) => rows.get(p.id) ?? []);
};

/** One page of a report. */
export const pageOfRows = async (
  db: Db,
  source: AnySource,
  actor: Actor,
  select: Statement,
  { page, per_page }: { page: number; per_page: number },
) =>
  inOrder(
    db,
    source,
    actor,
    await db.all<Place>(sql`select r.id, r.sort from (${select}) r order by r.sort, r.id limit ${per_page} offset ${(page - 1) * per_page}`),
  );

/** All rows of a report, a piece at a time: each piece is asked for after the last row of the one before. */
export async function* piecesOfRows(db: Db, source: AnySource, actor: Actor, select: Statement): AsyncGenerator<Row[]> {
  for (let after: Place | undefined; ; ) {
    const rest = after ? sql`where (r.sort, r.id) > (${after.sort}::text, ${after.id}::uuid)` : sql``;
    const places = await db.all<Place>(sql`select r.id, r.sort from (${select}) r ${rest} order by r.sort, r.id limit ${rowsAtOnce}`);
    yield await inOrder(db, source, actor, places);
    if (places.length < rowsAtOnce) return;
    after = places.at(-1);
  }
}
