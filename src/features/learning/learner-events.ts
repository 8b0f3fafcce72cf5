import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { protocol } from '#contract/protocol.ts';
import { LearnerEventsDocument, type LearnerEventsQuery } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { currentUser } from '#src/access/session.ts';
import { lastKnownData } from '#src/device/last-known.ts';
import { storedAnswersKey } from '#src/device/stored-answers-key.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { LocalCourse } from '#src/features/learning/try-shown.ts';
import { personDb } from '#src/offline/store/person-db.ts';

export type LearnerEvent = LearnerEventsQuery['activeEvents']['data'][number];
/** Completed before according to the list, and due again: opening it begins a new try. */
export const isDueAgain = (event: LearnerEvent): boolean => event.result_id !== null && event.attempt_id !== null && event.percent >= 100;
export type Events = {
  counts: LearnerEventsQuery['eventCounts'];
  active: LearnerEvent[];
  completed: LearnerEvent[];
  /** Sessions without an evaluation, as last received. */
  unsaid: LearnerEventsQuery['openEvaluations'];
};
/** The data stored for the next start of the home page. `said`: the sessions evaluated on this device. */
export type HomeData = { events: Events; local: [string, LocalCourse][]; said: string[] };
export type EventsState = { events: Events | null; state: 'loading' | 'ready' | 'offline' | 'error'; reload: () => void };

const join = (pages: LearnerEventsQuery[]): Events | null => {
  const first = pages[0];
  return first
    ? {
        counts: first.eventCounts,
        active: pages.flatMap((p) => p.activeEvents.data),
        completed: pages.flatMap((p) => p.completedEvents.data),
        unsaid: first.openEvaluations,
      }
    : null;
};

const pageOfEvents = (personId: string, page: number) => ({
  personId,
  document: LearnerEventsDocument,
  variables: { first: protocol.graphPageSizeAll, page },
});
const lastPageOf = (answer: LearnerEventsQuery) =>
  Math.max(answer.activeEvents.paginatorInfo.lastPage, answer.completedEvents.paginatorInfo.lastPage);
const keptIsShownAfterMs = 800;

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
    const thisRound = ++round.current;
    const person = currentUser();
    if (!person) return;
    // The GraphQL client, which stores answers, is loaded once the list is usable, or if the server is slow.
    const showStored = async () => {
      // On a first visit nothing is stored, and the client would take the connection from the list.
      if ((await personDb(person.uuid).kv.get(storedAnswersKey)) === undefined) return false;
      const { keptAnswer } = await import('#src/device/graph-client.ts');
      const pages: LearnerEventsQuery[] = [];
      for (let page = 1, last = 1; page <= last; page++) {
        const answer = await keptAnswer(pageOfEvents(person.uuid, page));
        if (!answer) break;
        pages.push(answer);
        last = lastPageOf(answer);
      }
      const events = join(pages);
      if (thisRound !== round.current || !events) return false;
      setEvents((before) => before ?? events);
      setState('ready');
      return true;
    };
    const slow = shown.current ? undefined : setTimeout(() => void showStored().catch(() => undefined), keptIsShownAfterMs);
    const fresh: LearnerEventsQuery[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const answer = await graphCall(LearnerEventsDocument, pageOfEvents(person.uuid, page).variables);
      if (thisRound !== round.current) return clearTimeout(slow);
      if (answer.kind !== 'ok') {
        clearTimeout(slow);
        if (!shown.current && !(await showStored().catch(() => false)) && thisRound === round.current)
          setState(answer.kind === 'refused' ? 'error' : 'offline');
        return;
      }
      fresh.push(answer.data);
      last = lastPageOf(answer.data);
    }
    clearTimeout(slow);
    setEvents(join(fresh));
    setState('ready');
    await new Promise<void>((resolve) => whenIdle(resolve));
    const { keepAnswer } = await import('#src/device/graph-client.ts');
    for (const [index, answer] of fresh.entries()) await keepAnswer(pageOfEvents(person.uuid, index + 1), answer).catch(() => undefined);
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
