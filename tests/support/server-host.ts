import { type RunningServer, startServer } from '#server/start.ts';

/**
 * A process in which servers of tests run, each with its own settings, ports and data: the code is loaded and compiled once for all of
 * them. It is told which to start and stop, and answers each time. See server-hosts.ts.
 */
export type HostRequest = { no: number; start: Record<string, string> } | { no: number; stop: number };
export type HostAnswer = { no: number; failed: string | null };

const running = new Map<number, RunningServer>();
const act = async (request: HostRequest): Promise<void> => {
  if ('start' in request) running.set(request.no, await startServer(request.start));
  else {
    const server = running.get(request.stop);
    running.delete(request.stop);
    await server?.stop();
  }
};
const answer = (said: HostAnswer) => process.send?.(said);

process.umask(0o077);
process.on('message', (request: HostRequest) => {
  act(request).then(
    () => answer({ no: request.no, failed: null }),
    (error: Error) => answer({ no: request.no, failed: error.stack ?? error.message }),
  );
});
// The process that started this one has ended.
process.on('disconnect', () => process.exit(0));
