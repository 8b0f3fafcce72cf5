import { type Db, sql } from '#server/db/sql.ts';

/** The latest result of a person for a course that counts. Instants in UTC, to the second; `expires_at` null for never. */
export type LatestResult = { course_no: number; completed_at: string; expires_at: string | null; exempt: boolean };
const cellBytes = 12;
/** The type of a result, in the three high bits. */
const packedExempt = 1;
/** The number of results, in the five low bits beside it. */
const packedCountMask = 31;
const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const courseAt = (cells: Buffer, at: number): number => cells.readUIntBE(at, 3);
const latestResultAt = (cells: Buffer, at: number): LatestResult => {
  const expires = cells.readUInt32BE(at + 8);
  return {
    course_no: courseAt(cells, at),
    completed_at: instantOf(cells.readUInt32BE(at + 4)),
    expires_at: expires === 0 ? null : instantOf(expires),
    exempt: cells.readUInt8(at + 3) >> 5 === packedExempt,
  };
};

/** Decodes what migration 0056 packs: one cell per course, ordered by course number. */
export const unpack = (cells: Buffer): LatestResult[] =>
  Array.from({ length: Math.floor(cells.length / cellBytes) }, (_, i) => latestResultAt(cells, i * cellBytes));

/** The offset of a course's cell; -1 without a result of it. */
const placeOf = (cells: Buffer, courseNo: number): number => {
  let [low, high] = [0, cells.length / cellBytes];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (courseAt(cells, middle * cellBytes) < courseNo) low = middle + 1;
    else high = middle;
  }
  const at = low * cellBytes;
  return at < cells.length && courseAt(cells, at) === courseNo ? at : -1;
};
/** A person's latest result of one course, from their packed standings; null without one. */
export const latestResultIn = (cells: Buffer, courseNo: number): LatestResult | null => {
  const at = placeOf(cells, courseNo);
  return at === -1 ? null : latestResultAt(cells, at);
};
/**
 * The latest result of a course, in seconds since 1970 (`expires` Infinity if it does not expire), and the number of results that count
 * (31: that or more).
 */
export const latestIn = (cells: Buffer, courseNo: number): { completed: number; expires: number; count: number } | null => {
  const at = placeOf(cells, courseNo);
  if (at === -1) return null;
  const expires = cells.readUInt32BE(at + 8) || Number.POSITIVE_INFINITY;
  return { completed: cells.readUInt32BE(at + 4), expires, count: cells.readUInt8(at + 3) & packedCountMask };
};
/** The expiry of their result of a course, in seconds since 1970: Infinity if it does not expire, NaN without a result. */
export const expiryIn = (cells: Buffer, courseNo: number): number => {
  const at = placeOf(cells, courseNo);
  return at === -1 ? Number.NaN : cells.readUInt32BE(at + 8) || Number.POSITIVE_INFINITY;
};

/** The size of a cell, and the offsets of the course number (3 bytes), the type (3 bits) and the times in it. */
export const standingBytes = { cell: cellBytes, type: 3, completed: 4, expires: 8, exempt: packedExempt } as const;

/** The packed standings of people, by their id; people without a result are absent. Base64 costs a third of the driver's binary format. */
export const packedStandingsOf = async (on: Db, userIds: readonly string[]): Promise<Map<string, Buffer>> => {
  const rows = await on.all<{ user_id: string; cells: string }>(
    sql`select user_id, encode(cells, 'base64') as cells from standings where user_id = any(${[...userIds]}::uuid[])`,
  );
  return new Map(rows.map(({ user_id, cells }) => [user_id, Buffer.from(cells, 'base64')]));
};

/** The same as known at an instant (migration 0063), without the number of results. */
export const packedStandingsAt = async (on: Db, userIds: readonly string[], at: Date): Promise<Map<string, Buffer>> => {
  const rows = await on.all<{ user_id: string; cells: string }>(
    sql`select user_id, encode(cells, 'base64') as cells from standings_at(${[...userIds]}::uuid[], ${at})`,
  );
  return new Map(rows.map(({ user_id, cells }) => [user_id, Buffer.from(cells, 'base64')]));
};

/** The latest results of people by their id, for every course that they have one of. */
export const standingsOf = async (on: Db, userIds: readonly string[]): Promise<Map<string, LatestResult[]>> =>
  new Map([...(await packedStandingsOf(on, userIds))].map(([id, cells]) => [id, unpack(cells)]));

/** The people whose stored standings differ from their results. The list should be empty. */
export const wrongStandings = async (on: Db, most = 100): Promise<string[]> =>
  (
    await on.all<{ id: string }>(sql`select u.id from users u left join standings s on s.user_id = u.id
      where coalesce(s.cells, ''::bytea) <> standing_of(u.id) order by u.id limit ${most}`)
  ).map((u) => u.id);

/** Recomputes all wrong standings. Returns how many there were. */
export const mendStandings = (on: Db): Promise<number> =>
  on.run(sql`insert into standings (user_id, cells) select u.id, standing_of(u.id) from users u left join standings s on s.user_id = u.id
    where coalesce(s.cells, ''::bytea) <> standing_of(u.id) on conflict (user_id) do update set cells = excluded.cells`);
