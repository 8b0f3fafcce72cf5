import { useCallback, useEffect, useRef } from 'react';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { recordProgress } from '#src/offline/kinds/attempt/commands.ts';
import { notify } from '#src/ui/notify.ts';

/** Seconds for which the page was visible since they were last recorded. */
const useSecondsInFront = () => {
  const since = useRef(performance.now());
  const storedSeconds = useRef(0);
  useEffect(() => {
    const change = () => {
      if (document.hidden) storedSeconds.current += performance.now() - since.current;
      since.current = performance.now();
    };
    document.addEventListener('visibilitychange', change);
    return () => document.removeEventListener('visibilitychange', change);
  }, []);
  return useCallback(() => {
    const now = performance.now();
    const total = storedSeconds.current + (document.hidden ? 0 : now - since.current);
    storedSeconds.current = 0;
    since.current = now;
    return total / 1000;
  }, []);
};

/** How far the page has been scrolled, 0 to 99; reaching the end does not complete it. */
const readPercent = () => {
  const height = document.documentElement.scrollHeight - innerHeight;
  return height <= 0 ? 0 : Math.min(99, Math.round((scrollY * 100) / height));
};

type Note = (state: 'started' | 'completed', percent: number) => Promise<void>;
/** Records that a topic was opened, how far it was read when it was left, and the time spent. The caller records that it is completed. */
export const useReading = (view: AttemptView, topic: { id: string; title: string } | undefined): Note => {
  const db = usePersonDb();
  const { attempt } = view;
  const seconds = useSecondsInFront();
  const topicState = topic ? view.progress.get(topic.id)?.state : undefined;
  const note = useCallback(
    async (state: 'started' | 'completed', percent: number) => {
      if (!topic || attempt.closed) return;
      try {
        await recordProgress(db, attempt, topic, state, percent, seconds());
      } catch {
        notify('error', 'This could not be saved on this device. It may be full: remove a course you do not need, then press Next again.');
        throw new Error('not saved');
      }
    },
    [db, attempt, topic, seconds],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each topic that is opened
  useEffect(() => {
    seconds();
    if (topic && (topicState === undefined || topicState === 'none')) void note('started', 0).catch(() => undefined);
  }, [topic?.id]);
  // Records progress when the person leaves before the end of the page.
  useEffect(() => {
    if (!topic || topicState === 'completed') return;
    const leave = () => {
      if (document.hidden) void note('started', readPercent()).catch(() => undefined);
    };
    document.addEventListener('visibilitychange', leave);
    return () => document.removeEventListener('visibilitychange', leave);
  }, [topic, topicState, note]);
  return note;
};
