import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { protocol } from '#contract/protocol.ts';
import { LearnerEventsDocument, type LearnerEventsQuery } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { currentUser } from '#src/access/session.ts';
import { keepAnswer, keptAnswer } from '#src/device/kept-answer.ts';
import { lastKnownData } from '#src/device/last-known.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { LocalCourse } from '#src/features/learning/course-card.tsx';

export type LearnerEvent = LearnerEventsQuery['activeEvents']['data'][number];
export type Events = { counts: LearnerEventsQuery['eventCounts']; active: LearnerEvent[]; completed: LearnerEvent[] };
/** The data stored for the next start of the home page. */
export type HomeData = { events: Events; local: [string, LocalCourse][] };
export type EventsState = { events: Events | null; state: 'loading' | 'ready' | 'offline' | 'error'; reload: () => void };

const join = (pages: LearnerEventsQuery[]): Events | null => {
  const first = pages[0];
  return first
    ? { counts: first.eventCounts, active: pages.flatMap((p) => p.activeEvents.data), completed: pages.flatMap((p) => p.completedEvents.data) }
    : null;
};

/**
 * The signed-in person's courses: from this device first, then from the server. Refreshed when the page becomes visible,
 * when the connection returns, and when work has been received.
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
    const kept = await keptAnswer<Events>(person.uuid, 'learner-events').catch(() => null);
    if (mine !== round.current) return;
    if (kept) {
      setEvents((before) => before ?? kept);
      setState('ready');
    }
    const fresh: LearnerEventsQuery[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const answer = await graphCall(LearnerEventsDocument, { first: protocol.graphPageSizeAll, page });
      if (mine !== round.current) return;
      if (answer.kind !== 'ok') {
        if (!kept && !shown.current) setState(answer.kind === 'refused' ? 'error' : 'offline');
        return;
      }
      fresh.push(answer.data);
      last = Math.max(answer.data.activeEvents.paginatorInfo.lastPage, answer.data.completedEvents.paginatorInfo.lastPage);
    }
    const events = join(fresh);
    setEvents(events);
    setState('ready');
    await keepAnswer(person.uuid, 'learner-events', events).catch(() => undefined);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: something was received, so the lists may have changed
  useEffect(() => {
    // If the stored list is shown already, the refresh waits until the page is interactive.
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
