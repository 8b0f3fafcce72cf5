import type { Entry } from '#src/offline/ports.ts';

/** No pause is longer than this: one that seems to be was set before the clock was set back, and holds nothing up. */
const longestPauseMs = 3_600_000;

/**
 * What may be sent now: of each lane everything from its oldest entry up to the first that may not go, in order. An entry
 * may not go while it needs the person, while its time has not come, and while something that it depends on is still in
 * the outbox and is not sent before it in the same request. `entries` is the whole outbox, oldest first.
 */
export const chooseSendable = (entries: readonly Entry[], now: number): Map<string, Entry[]> => {
  const lanes = new Map<string, Entry[]>();
  const stopped = new Set<string>();
  const unsent = new Set(entries.map((e) => e.id));
  for (const entry of entries) {
    if (stopped.has(entry.lane)) continue;
    const own = lanes.get(entry.lane) ?? [];
    const blocked = entry.dependsOn.some((id) => unsent.has(id) && !own.some((o) => o.id === id));
    if (entry.state === 'needs-person' || (entry.nextAt > now && entry.nextAt - now <= longestPauseMs) || blocked) stopped.add(entry.lane);
    else lanes.set(entry.lane, [...own, entry]);
  }
  return lanes;
};
