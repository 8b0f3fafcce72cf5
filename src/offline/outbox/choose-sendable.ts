import type { Entry } from '#src/offline/ports.ts';

/** No pause is longer than this: one that seems to be was set before the clock was set back, and holds nothing up. */
const longestPauseMs = 3_600_000;

type Stop = 'needs-person' | 'time' | 'dependency';

/**
 * Walks every lane from its oldest entry up to the first that may not go. An entry may not go while it needs the person,
 * while its time has not come, and while something that it depends on is still in the outbox and is not sent before it in
 * the same request. `entries` is the whole outbox, oldest first.
 */
const walk = (entries: readonly Entry[], now: number) => {
  const lanes = new Map<string, Entry[]>();
  const stops = new Map<string, { entry: Entry; why: Stop }>();
  const unsent = new Set(entries.map((e) => e.id));
  for (const entry of entries) {
    if (stops.has(entry.lane)) continue;
    const own = lanes.get(entry.lane) ?? [];
    const why: Stop | null =
      entry.state === 'needs-person'
        ? 'needs-person'
        : entry.nextAt > now && entry.nextAt - now <= longestPauseMs
          ? 'time'
          : entry.dependsOn.some((id) => unsent.has(id) && !own.some((o) => o.id === id))
            ? 'dependency'
            : null;
    if (why) stops.set(entry.lane, { entry, why });
    else lanes.set(entry.lane, [...own, entry]);
  }
  return { lanes, stops };
};

/** What may be sent now: of each lane everything from its oldest entry up to the first that may not go, in order. */
export const chooseSendable = (entries: readonly Entry[], now: number): Map<string, Entry[]> => walk(entries, now).lanes;

/**
 * Whether something outside this lane could be sent, now or when its pause is over. What needs the person, or stands behind
 * this lane, could not: that it does not pass says nothing about the server.
 */
export const othersCouldGo = (entries: readonly Entry[], lane: string, now: number): boolean => {
  const { lanes, stops } = walk(entries, now);
  return [...lanes.keys()].some((l) => l !== lane) || [...stops].some(([l, { why }]) => l !== lane && why === 'time');
};

/** How often somebody looks whether what an entry depends on was sent by another tab. */
const lookAgainMs = 20_000;

/**
 * When something may be sent next; null where everything waits for the person. What waits behind another entry has no time
 * of its own: it goes with that one, and is only looked after now and then.
 */
export const nextSendableAt = (entries: readonly Entry[], now: number): number | null => {
  const { lanes, stops } = walk(entries, now);
  if (lanes.size > 0) return now;
  const times = [...stops.values()].flatMap(({ entry, why }) => (why === 'time' ? [entry.nextAt] : why === 'dependency' ? [now + lookAgainMs] : []));
  return times.length === 0 ? null : Math.min(...times);
};
