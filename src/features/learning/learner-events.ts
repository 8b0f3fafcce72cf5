import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { LearnerEventsDocument, type LearnerEventsQuery } from '#src/api/generated/graphql.ts';
import { currentUser } from '#src/access/session.ts';
import { lastKnownData } from '#src/device/last-known.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { LocalCourse } from '#src/features/learning/course-card.tsx';

export type LearnerEvent = LearnerEventsQuery['activeEvents']['data'][number];
export type Events = { counts: LearnerEventsQuery['eventCounts']; active: LearnerEvent[]; completed: LearnerEvent[] };
/** What the home page keeps for its next start. */
export type HomeData = { events: Events; local: [string, LocalCourse][] };
export type EventsState = { events: Events | null; state: 'loading' | 'ready' | 'offline' | 'error'; reload: () => void };

const join = (pages: LearnerEventsQuery[]): Events | null => {
  const first = pages[0];
  return first
    ? { counts: first.eventCounts, active: pages.flatMap((p) => p.activeEvents.data), completed: pages.flatMap((p) => p.completedEvents.data) }
    : null;
};

/**
 * The signed-in person's courses: from this device at once, then from the server. Read again when the page comes back,
 * when the line comes back, and when something was received.
 */
export const useLearnerEvents = (): EventsState => {
  const db = usePersonDb();
  const [events, setEvents] = useState<Events | null>(() => lastKnownData<HomeData>()?.events ?? null);
  const [state, setState] = useState<EventsState['state']>(events ? 'ready' : 'loading');
  const lastReceived = useLiveQuery(async () => (await db.kv.get('last-received-at'))?.value ?? null, [db]);
  const round = useRef(0);
  const shown = useRef(events !== null);

  const reload = useCallback(async () => {
    const mine = ++round.current;
    const person = currentUser();
    if (!person) return;
    const { graphClient } = await import('#src/device/graph-client.ts');
    const { client, persist, pageSize } = await graphClient(person.uuid);
    const at = (page: number) => ({ first: pageSize, page });
    const kept: LearnerEventsQuery[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const found = client.readQuery({ query: LearnerEventsDocument, variables: at(page) });
      if (!found) break;
      kept.push(found);
      last = Math.max(found.activeEvents.paginatorInfo.lastPage, found.completedEvents.paginatorInfo.lastPage);
    }
    if (mine !== round.current) return;
    if (kept.length > 0) {
      setEvents(join(kept));
      setState('ready');
    }
    try {
      const fresh: LearnerEventsQuery[] = [];
      for (let page = 1, last = 1; page <= last; page++) {
        const { data, error } = await client.query({
          query: LearnerEventsDocument,
          variables: at(page),
          fetchPolicy: 'network-only',
          errorPolicy: 'all',
        });
        if (error || !data) throw error ?? new Error('no data');
        fresh.push(data);
        last = Math.max(data.activeEvents.paginatorInfo.lastPage, data.completedEvents.paginatorInfo.lastPage);
      }
      if (mine !== round.current) return;
      setEvents(join(fresh));
      setState('ready');
      await persist();
    } catch (error) {
      if (mine !== round.current) return;
      const refused = typeof error === 'object' && error !== null && 'errors' in error;
      if (kept.length === 0 && !shown.current) setState(refused ? 'error' : 'offline');
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: something was received, so the lists may have changed
  useEffect(() => {
    // Where the last known list is shown already, reading it anew waits until the first tap can be answered.
    const timer = setTimeout(() => void reload(), shown.current ? 300 : 0);
    shown.current = shown.current && events === null;
    return () => clearTimeout(timer);
  }, [reload, lastReceived]);
  useEffect(() => {
    const again = () => void reload();
    addEventListener('online', again);
    addEventListener('focus', again);
    return () => {
      removeEventListener('online', again);
      removeEventListener('focus', again);
    };
  }, [reload]);
  return { events, state, reload: () => void reload() };
};
