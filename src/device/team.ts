import type { TeamMember } from '#contract/entities/compliance.ts';
import { can } from '#contract/can.ts';
import { needOf } from '#contract/site-map.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/**
 * The people one looks after, and how each stands, kept on the device for where there is no connection. It lies with what
 * else is the person's: sealed where they lock their work, gone when they sign out or may no longer see it.
 */
export type KeptTeam = { at: string; total: number; people: readonly TeamMember[] };
const key = 'team';
const freshMs = 10 * 60_000;

/** As it was last known here; null where it never was. */
export const keptTeam = async (personId: string): Promise<KeptTeam | null> =>
  ((await personDb(personId).kv.get(key))?.value as KeptTeam | undefined) ?? null;

/** Asks for it where the person may see it and what is kept is not of the last minutes. */
export const keepTeam = async (): Promise<void> => {
  const user = currentUser();
  // While one acts for another organisation its people are seen; those of one's own are kept.
  if (!user || currentActingAs()) return;
  const { kv } = personDb(user.uuid);
  if (!can(user, needOf('users'))) {
    await kv.delete(key);
    return;
  }
  const kept = await keptTeam(user.uuid);
  if (kept && Date.now() - Date.parse(kept.at) < freshMs) return;
  const result = await call('GET /team', {}, { quiet: true });
  if (currentUser()?.uuid !== user.uuid || currentActingAs()) return;
  if (result.kind === 'ok') {
    const total = (result.meta as { total?: number } | undefined)?.total ?? result.data.length;
    await kv.put({ key, value: { at: new Date().toISOString(), total, people: result.data } satisfies KeptTeam });
  } else if (result.kind === 'refused' && result.status === 403) await kv.delete(key);
};
