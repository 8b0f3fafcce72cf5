import type { Entry } from '#src/offline/ports.ts';

/** Longer pauses can only result from a clock that was set back, and are ignored. */
const longestPauseMs = 3_600_000;

type Stop = 'needs-person' | 'time' | 'dependency';

/**
 * Walks every lane from its oldest entry to the first that may not be sent: it needs the person, its time has not come, or it
 * depends on an entry that is in the outbox and not sent before it in the same request. `entries` is the whole outbox, oldest
 * first.
 */
const walk = (entries: readonly Entry[], now: number) => {
  const lanes = new Map<string, Entry[]>();
  const stops = new Map<string, { entry: Entry; why: Stop }>();
  const unsent = new Set(entries.map((e) => e.id));
  for (const entry of entries) {
    if (stops.has(entry.lane)) continue;
    const laneEntries = lanes.get(entry.lane) ?? [];
    const why: Stop | null =
      entry.state === 'needs-person'
        ? 'needs-person'
        : entry.nextAt > now && entry.nextAt - now <= longestPauseMs
          ? 'time'
          : entry.dependsOn.some((id) => unsent.has(id) && !laneEntries.some((o) => o.id === id))
            ? 'dependency'
            : null;
    if (why) stops.set(entry.lane, { entry, why });
    else lanes.set(entry.lane, [...laneEntries, entry]);
  }
  return { lanes, stops };
};

/** What may be sent now: the beginning of each lane, up to the first entry that may not be sent. */
export const chooseSendable = (entries: readonly Entry[], now: number): Map<string, Entry[]> => walk(entries, now).lanes;

/**
 * Whether anything outside this lane could be sent, now or after its pause. Entries that need the person or depend on this lane
 * do not count, because their waiting says nothing about the server.
 */
export const othersCouldGo = (entries: readonly Entry[], lane: string, now: number): boolean => {
  const { lanes, stops } = walk(entries, now);
  return [...lanes.keys()].some((l) => l !== lane) || [...stops].some(([l, { why }]) => l !== lane && why === 'time');
};

/** How often entries behind another lane are checked, in case another tab has sent it. */
const lookAgainMs = 20_000;

/**
 * When something may be sent next; null if everything waits for the person. An entry behind another has no time of its own and is
 * only checked from time to time.
 */
export const nextSendableAt = (entries: readonly Entry[], now: number): number | null => {
  const { lanes, stops } = walk(entries, now);
  if (lanes.size > 0) return now;
  const times = [...stops.values()].flatMap(({ entry, why }) => (why === 'time' ? [entry.nextAt] : why === 'dependency' ? [now + lookAgainMs] : []));
  return times.length === 0 ? null : Math.min(...times);
};
