import { useEffect, useState } from 'react';
import type { Job } from '#contract/entities/job.ts';
import { call, noteRefused } from '#src/api/call.ts';
import { readEvents } from '#src/api/event-stream.ts';
import { useReadOf } from '#src/screens/use-read.ts';

/** While the stream is broken, the list is polled at this interval and the stream retried. */
const pollMs = 5000;

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pollMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The background tasks, live while the page is visible. `live`: whether the data is current. */
export const useJobs = () => {
  const read = useReadOf<Job[]>(['jobs'], (signal) => call('GET /jobs', {}, { signal }), { keepShown: true });
  const [jobs, setJobs] = useState<Job[] | null>(null);
  const [live, setLive] = useState(true);
  const isLoaded = read.state.kind === 'loaded';
  useEffect(() => {
    if (!isLoaded) return;
    let looking = new AbortController();
    const follow = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        const how = await readEvents<Job[]>(
          '/jobs/events',
          'jobs',
          (next) => {
            setJobs(next);
            setLive(true);
          },
          signal,
        );
        if (signal.aborted) return;
        if (how === 'ended') return noteRefused(401);
        const answer = await call('GET /jobs', {}, { signal });
        if (signal.aborted) return;
        if (answer.kind === 'ok') setJobs(answer.data);
        setLive(answer.kind === 'ok');
        await pause(signal);
      }
    };
    // A page in the background holds no connection, and does not extend the session.
    const look = () => {
      looking.abort();
      if (document.visibilityState === 'hidden') return;
      looking = new AbortController();
      void follow(looking);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      looking.abort();
    };
  }, [isLoaded]);
  const replace = (job: Job) => setJobs((shown) => (shown ?? []).map((j) => (j.id === job.id ? job : j)));
  return { ...read, jobs: jobs ?? (read.state.kind === 'loaded' ? read.state.data : []), live, replace };
};
