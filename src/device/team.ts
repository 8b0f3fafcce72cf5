import type { TeamMember } from '#contract/entities/compliance.ts';
import type { NeedyPerson } from '#contract/entities/dashboard.ts';
import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf } from '#contract/site-map.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/**
 * A manager's people and their compliance, stored on the device for offline use together with the manager's other data:
 * encrypted with it, and deleted at sign-out or when the permission is lost.
 */
export type KeptTeam = { at: string; total: number; people: readonly TeamMember[] };
const key = 'team';
/** When it was fetched, stored separately: every page checks it, and decrypting the team takes a tablet half a second. */
const fetchedKey = 'team fetched';
const freshMs = 10 * 60_000;

/** The stored copy, or null. */
export const keptTeam = async (personId: string): Promise<KeptTeam | null> =>
  ((await personDb(personId).kv.get(key))?.value as KeptTeam | undefined) ?? null;

/** How many of everybody need something, as the dashboards count it, and those who need most. `at`: when it was counted. */
export type KeptNeeds = {
  at: string;
  people: number;
  overdue: number;
  soon: number;
  most: { overdue: readonly NeedyPerson[]; soon: readonly NeedyPerson[] };
};
const needsKey = 'team needs';
/** How many of those who need most are stored. */
export const needsKept = 6;

/** The stored figures, or null. */
export const keptNeeds = async (personId: string): Promise<KeptNeeds | null> =>
  ((await personDb(personId).kv.get(needsKey))?.value as KeptNeeds | undefined) ?? null;

/** Fetches the figures. Returns whether the stored ones are recent now; 'counting' while the server counts them for the first time. */
export const keepNeeds = async (): Promise<boolean | 'counting'> => {
  const user = currentUser();
  if (!user || currentActingAs()) return false;
  const most = (need: 'overdue' | 'soon') => call('GET /dashboards/people', { query: { need, per_page: needsKept } }, { quiet: true });
  const figures = await call('GET /dashboards/figures', { query: {} }, { quiet: true });
  if (figures.kind !== 'ok') return false;
  const { counted_at: at, people, overdue, turn_red } = figures.data;
  if (at === null) return 'counting';
  const [late, soon] = await Promise.all([most('overdue'), most('soon')]);
  if (late.kind !== 'ok' || soon.kind !== 'ok' || currentUser()?.uuid !== user.uuid || currentActingAs()) return false;
  const kept: KeptNeeds = { at, people, overdue, soon: turn_red[0] ?? 0, most: { overdue: late.data, soon: soon.data } };
  await personDb(user.uuid).kv.put({ key: needsKey, value: kept });
  return true;
};

const fetchTeam = async (user: AuthUser): Promise<boolean> => {
  const db = personDb(user.uuid);
  const forget = () => db.kv.bulkDelete([key, fetchedKey, needsKey]);
  if (!can(user, needOf('users'))) {
    await forget();
    return false;
  }
  const fetchedAt = (await db.kv.get(fetchedKey))?.value as string | undefined;
  if (fetchedAt && Date.now() - Date.parse(fetchedAt) < freshMs) return true;
  const result = await call('GET /team', {}, { quiet: true });
  if (currentUser()?.uuid !== user.uuid || currentActingAs()) return false;
  if (result.kind === 'ok') {
    const total = (result.meta as { total?: number } | undefined)?.total ?? result.data.length;
    const at = new Date().toISOString();
    await db.kv.bulkPut([
      { key, value: { at, total, people: result.data } satisfies KeptTeam },
      { key: fetchedKey, value: at },
    ]);
  } else if (result.kind === 'refused' && result.status === 403) await forget();
  return result.kind === 'ok';
};

let underWay: { personId: string; fetched: Promise<boolean> } | null = null;
/**
 * Fetches it, once for all who ask at the same time, if the person has permission and the stored copy is more than a few minutes
 * old. Returns whether the stored copy is recent now.
 */
export const keepTeam = async (): Promise<boolean> => {
  const user = currentUser();
  // While acting for another organisation its people are shown, and the stored copy stays the person's own.
  if (!user || currentActingAs()) return false;
  if (underWay?.personId === user.uuid) return underWay.fetched;
  const load = { personId: user.uuid, fetched: fetchTeam(user) };
  underWay = load;
  return load.fetched.finally(() => {
    if (underWay === load) underWay = null;
  });
};
